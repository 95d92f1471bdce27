/**
 * The life of a call on the real dispatch, in every order of five actors: the caller gives up, the deadline passes, the handler answers, the
 * kernel ends its calls, and a second call waits for the one place. In words:
 *
 * - a call has one reply, and whoever came first decides it; the others change nothing;
 * - a handler whose call ended early sees that by its signal, or is interrupted, before the caller has the reply;
 * - never do two handlers run in one place, also when the first ignores its end;
 * - in the end no call is open and no place is taken.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineContract, FairleadError, query } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod";
import { type Composition, compose } from "../boot/composition.ts";
import { KernelDispatch, KernelRegistry } from "../boot/parts.ts";
import type { Reply } from "../call/call.ts";
import { connect } from "../call/memory-transport.ts";
import { readConfig } from "../config/config.ts";
import { makeEvents } from "../observe/events.ts";
import { defineService } from "../service/service.ts";

const deadlineMs = 100;
const one = query({
  summary: "Answers when the test says so.",
  input: z.object({ at: z.int() }),
  output: z.int(),
  policy: { deadlineMs, concurrency: 1, queue: 1 },
});

const kinds = ["promise", "deafPromise", "effect", "deafEffect"] as const;
const contract = defineContract({
  id: "probe",
  version: "1.0.0",
  summary: "Waits.",
  procedures: { promise: one, deafPromise: one, effect: one, deafEffect: one },
});

/** What the handlers of one order have done. */
interface Trace {
  readonly answers: readonly [PromiseWithResolvers<void>, PromiseWithResolvers<void>];
  running: number;
  most: number;
  /** Calls whose handler knows that it has ended early. */
  readonly ended: Set<number>;
}
let trace: Trace;

const newTrace = (): Trace => ({
  answers: [Promise.withResolvers<void>(), Promise.withResolvers<void>()],
  running: 0,
  most: 0,
  ended: new Set(),
});

const enter = (): void => {
  trace.running += 1;
  trace.most = Math.max(trace.most, trace.running);
};
const leave = (): void => {
  trace.running -= 1;
};

const wait = async (at: number, signal: AbortSignal, isDeaf: boolean): Promise<number> => {
  enter();
  const early = Promise.withResolvers<never>();
  early.promise.catch(() => undefined);
  signal.addEventListener("abort", () => {
    trace.ended.add(at);
    early.reject(signal.reason);
  });
  try {
    const answer = trace.answers[at]?.promise;
    await (isDeaf ? answer : Promise.race([answer, early.promise]));
    return at;
  } finally {
    leave();
  }
};

/** Interrupted, or in a region that cannot be: then its signal says so. */
const waitInEffect = (at: number, signal: AbortSignal, isDeaf: boolean): Effect.Effect<number> =>
  Effect.gen(function* () {
    if (isDeaf) return yield* Effect.uninterruptible(Effect.promise(() => wait(at, signal, true)));
    enter();
    return yield* Effect.promise(async () => trace.answers[at]?.promise).pipe(
      Effect.as(at),
      Effect.onInterrupt(() => Effect.sync(() => trace.ended.add(at))),
      Effect.ensuring(Effect.sync(leave)),
    );
  });

const service = defineService(contract, () => ({
  handlers: {
    promise: ({ at }, { signal }) => wait(at, signal, false),
    deafPromise: ({ at }, { signal }) => wait(at, signal, true),
    effect: ({ at }, { signal }) => waitInEffect(at, signal, false),
    deafEffect: ({ at }, { signal }) => waitInEffect(at, signal, true),
  },
}));

let composition: Composition;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date", "setTimeout", "clearTimeout"] });
  composition = compose({
    config: readConfig({ flags: { stateDir: mkdtempSync(join(tmpdir(), "fairlead-call-model-")) } }),
    services: [service],
    sections: new Map(),
    env: {},
    events: makeEvents(),
    log: () => {},
    schema: async () => undefined,
  });
  await connect(composition.dispatch).call("kernel.ping", {});
});
afterAll(async () => {
  vi.useRealTimers();
  await composition.close();
});

const actors = ["cancel", "deadline", "answer", "stop", "second"] as const;
type Actor = (typeof actors)[number];

const orders = (left: readonly Actor[]): readonly (readonly Actor[])[] =>
  left.length === 0
    ? [[]]
    : left.flatMap((first) => orders(left.filter((actor) => actor !== first)).map((rest) => [first, ...rest]));

/** All that can go on without another actor has gone on. */
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 8; turn += 1) {
    vi.advanceTimersByTime(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const outcomes = { cancel: "canceled", deadline: "deadline_exceeded", answer: "ok", stop: "unavailable" } as const;

/** The reply that the first of these actors makes. */
const expected = (order: readonly Actor[], deciding: readonly (keyof typeof outcomes)[]): string => {
  const first = order.find((actor): actor is keyof typeof outcomes => deciding.some((each) => each === actor));
  return first === undefined ? "ok" : outcomes[first];
};

const replyCode = (reply: Reply): string => (reply.ok ? "ok" : reply.error.code);

const play = async (kind: (typeof kinds)[number], order: readonly Actor[]): Promise<void> => {
  trace = newTrace();
  const dispatch = Context.get(composition.parts, KernelDispatch);
  const replies: [string[], string[]] = [[], []];
  const wasEnded: boolean[] = [];
  const caller = new AbortController();
  const send = (at: 0 | 1, signal?: AbortSignal): void => {
    connect(dispatch)
      .call(`probe.${kind}`, { at }, signal === undefined ? {} : { signal })
      .then((reply) => {
        replies[at].push(replyCode(reply));
        if (at === 0) wasEnded.push(trace.ended.has(0));
      });
  };
  send(0, caller.signal);
  await settle();
  for (const actor of order) {
    if (actor === "cancel") caller.abort();
    else if (actor === "deadline") vi.advanceTimersByTime(deadlineMs + 1);
    else if (actor === "answer") trace.answers[0].resolve();
    else if (actor === "stop") dispatch.endAll(new FairleadError({ code: "unavailable", message: "it stops" }));
    else send(1);
    await settle();
  }
  trace.answers[1].resolve();
  await settle();
  const first = expected(order, ["cancel", "deadline", "answer", "stop"]);
  const second = expected(order.slice(order.indexOf("second")), ["deadline", "stop"]);
  expect(replies).toEqual([[first], [second]]);
  if (first !== "ok") expect(wasEnded).toEqual([true]);
  expect(trace.most).toBe(1);
  expect(trace.running).toBe(0);
  expect(dispatch.open.calls.size).toBe(0);
  const { admission } = Context.get(composition.parts, KernelRegistry).procedures.get(`probe.${kind}`) ?? {};
  expect(admission).toMatchObject({ running: 0, waiting: 0 });
};

it.each(kinds)("holds in every order of its actors: %s", async (kind) => {
  for (const order of orders(actors))
    await play(kind, order).catch((cause: unknown) => {
      throw new Error(`in the order ${order.join(", ")}`, { cause });
    });
});
