/** The service with its real worker, asked as dispatch asks it: inputs decoded, outputs checked. */
import { decoder, FairleadError, type HandlerInput } from "@fairlead/contracts";
import inspector from "@fairlead/contracts/inspector";
import type { Host, StartedService } from "@fairlead/kernel/service";
import { Effect, Exit, Scope } from "effect";
import { expect } from "vitest";
import { inspectorConfig } from "../config.ts";
import service from "../service.ts";

type Procedures = (typeof inspector)["procedures"];
export type Name = Extract<keyof Procedures, "explore" | "eval" | "query">;

const unsaved = () => Promise.reject(new Error("it keeps no sessions"));

const host = (section: unknown): Host => ({
  config: inspectorConfig.parse(section),
  env: {},
  stays: true,
  stateDir: () => "",
  sessions: { load: unsaved, save: unsaved, remove: unsaved },
  span: () => undefined,
  log: () => undefined,
  event: () => undefined,
  events: () => Object.assign((async function* none() {})(), { after: 0 }),
  peer: () => {
    throw new Error("no peers here");
  },
});

/** Starts it with a configuration; close the scope in the end. */
export const started = async (
  config: unknown,
): Promise<{ readonly running: StartedService<typeof inspector>; readonly scope: Scope.Closeable }> => {
  const scope = Scope.makeUnsafe();
  const running = service.start(host(config));
  if (!Effect.isEffect(running)) throw new Error("the service starts as an effect");
  return { scope, running: await Effect.runPromise(Scope.provide(running, scope)) };
};

export type World = Awaited<ReturnType<typeof started>>;

export const stopped = ({ scope }: World): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void));

const call = {
  signal: new AbortController().signal,
  deadline: Number.POSITIVE_INFINITY,
  principal: { id: "test", access: ["read"] },
  traceparent: "",
  lastEventId: undefined,
  progress: () => undefined,
  fail: (reason: string, text: { readonly message: string; readonly hint?: string }, data?: unknown) =>
    new FairleadError({ code: "invalid_argument", reason, data, ...text }),
} as const;

/** Decodes as dispatch does, calls the handler, and checks the output as dispatch does. */
export const ask = async <N extends Name>({ running }: World, name: N, input: unknown): Promise<unknown> => {
  const { procedures } = inspector;
  const decoded = decoder<HandlerInput<Procedures[N]>>(procedures[name].input)(input);
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  const handlers = typeof running.handlers === "function" ? await running.handlers() : running.handlers;
  const handler = handlers[name] as (input: unknown, call: unknown) => Promise<unknown>;
  const answer = await handler(decoded.value, call);
  expect(decoder(procedures[name].output)(answer)).toMatchObject({ ok: true });
  expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
  return answer;
};

/** The declared error of a question. */
export const failed = async (world: World, name: Name, input: unknown): Promise<FairleadError> => {
  try {
    await ask(world, name, input);
  } catch (error) {
    if (error instanceof FairleadError) return error;
    throw error;
  }
  return expect.unreachable("it answered");
};
