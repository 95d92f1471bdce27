/** Children of services: callers with little time, requests that a child cannot answer, and what a request may not do to the others. */
import { defineService } from "@fairlead/kernel/service";
import { type Dialect, lineProtocol, makeSubprocess, type Subprocess } from "@fairlead/kernel/subprocess";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import { expect, onTestFinished } from "vitest";
import type { SupervisionCase } from "./case.ts";
import { contractOf, idle, open } from "./kit.ts";

/** A child that answers late, or with what it was sent, or not; `hang` stops it for good. */
const source = `
  const write = (message) => process.stdout.write(JSON.stringify(message) + "\\n");
  write({ fairlead: "child", versions: [1] });
  const canceled = new Set();
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    const answer = (value) => { if (!canceled.has(message.id)) write({ id: message.id, ok: true, value }); };
    if (message.quit) process.exit(0);
    if (message.cancel !== undefined) return canceled.add(message.cancel);
    if (message.call === "hang") while (true) {}
    if (message.call === "late") return setTimeout(answer, message.params.ms, message.params.mark);
    if (message.call === "parts") for (const part of [1, 2]) write({ id: message.id, part });
    if (message.call !== "silence") answer(message);
  });
`;

type Spec = Parameters<typeof makeSubprocess>[0];

const dialect = lineProtocol({ protocol: "child", versions: [1] });

const make = async (more: Partial<Spec> = {}): Promise<Subprocess> => {
  const scope = await Effect.runPromise(Scope.make());
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)));
  const command = { command: process.execPath, args: ["-e", source], cwd: import.meta.dirname };
  const times = { startMs: 60_000, requestMs: 60_000, unresponsiveMs: 60_000 };
  const spec = { name: "child", ...command, ...times, dialect };
  return Effect.runPromise(makeSubprocess({ ...spec, ...more }).pipe(Scope.provide(scope)));
};

const started = async (more: Partial<Spec> = {}): Promise<Subprocess> => {
  const child = await make(more);
  await child.start();
  return child;
};

const late = (ms: number, mark: string) => ({ call: "late", params: { ms, mark } });
const silence = { call: "silence", params: {} };
const failureOf = (answer: Promise<unknown>): Promise<unknown> => answer.catch((cause: unknown) => cause);

export const childCases: readonly SupervisionCase[] = [
  {
    name: "six callers with 50 ms each ask for what takes seconds",
    trusted: "gRPC: the deadline of a call cancels that call; the server and its other calls go on",
    ours: "each gets `deadline_exceeded`; the child lives, answers the one with more time, and counts no restart",
    check: async () => {
      const child = await started();
      const pid = child.pid();
      const short = Array.from({ length: 6 }, () => failureOf(child.ask(late(20_000, "short"), { timeoutMs: 50 })));
      const long = child.ask(late(400, "long"), { timeoutMs: 60_000 });
      expect(await Promise.all(short)).toEqual(
        Array.from({ length: 6 }, () => expect.objectContaining({ code: "deadline_exceeded" })),
      );
      expect(await long).toMatchObject({ value: "long" });
      expect(child.pid()).toBe(pid);
      expect(child.status()).toMatchObject({ state: { tag: "Ready" }, restarts: 0 });
    },
  },
  {
    name: "callers of a service pass on less time than its child needs",
    trusted: "gRPC: a caller's deadline is not a failure of the server",
    ours: "the service stays `Ready` and is not degraded",
    check: async () => {
      const child = await started();
      const shop = contractOf("shop");
      const service = defineService(shop, () => ({
        handlers: { ...idle, wait: () => child.ask(late(60_000, "late")) as never },
        children: () => [child.status()],
      }));
      const { kernel } = open([service]);
      await kernel.call("shop.ask", {});
      const replies = await Promise.all([1, 2, 3].map(() => kernel.call("shop.wait", {}, { timeoutMs: 50 })));
      for (const reply of replies) expect(reply).toMatchObject({ error: { code: "deadline_exceeded" } });
      expect(await kernel.call("kernel.services", {})).toMatchObject({
        value: {
          services: expect.arrayContaining([
            expect.objectContaining({ id: "shop", state: "Ready", degraded: null, restarts: 0 }),
          ]),
        },
      });
    },
  },
  {
    name: "a child honours a cancel by silence, and answers others",
    trusted: "gRPC: a cancelled call has no answer",
    ours: "it is not killed: what it writes to others shows that it lives",
    check: async () => {
      const child = await started({ unresponsiveMs: 5_000 });
      const pid = child.pid();
      expect(await failureOf(child.ask(silence, { timeoutMs: 50 }))).toMatchObject({ code: "deadline_exceeded" });
      expect(await child.ask(late(0, "done"), { timeoutMs: 60_000 })).toMatchObject({ value: "done" });
      // Its place is free again once the grace time is over, or it is known to live.
      await expect.poll(() => child.busy()).toBe(0);
      expect(child.pid()).toBe(pid);
    },
  },
  {
    name: "a child does nothing any more",
    trusted: "OTP: a process that does not answer is killed by its supervisor after its time, and restarted",
    ours: "killed after `unresponsiveMs`; the neighbour hears `unavailable`, not another's deadline, and the next request is answered",
    check: async () => {
      const child = await started({ unresponsiveMs: 300 });
      const first = failureOf(child.ask({ call: "hang", params: {} }, { timeoutMs: 50 }));
      const neighbour = failureOf(child.ask(silence, { timeoutMs: 60_000 }));
      expect(await first).toMatchObject({ code: "deadline_exceeded", message: expect.stringMatching(/within \d+ ms/) });
      expect(await neighbour).toMatchObject({ code: "unavailable", message: expect.stringContaining("300 ms") });
      expect(await child.ask(late(0, "again"), { timeoutMs: 60_000 })).toMatchObject({ value: "again" });
    },
  },
  {
    name: "a child dies of which its service says nothing",
    trusted: "OTP: the supervisor reports it, whoever wrote the child",
    ours: "events `child.state` and a line of log of the service that started it, without a word from its author",
    check: async () => {
      const service = defineService(contractOf("shop"), () =>
        Effect.gen(function* () {
          const command = { command: process.execPath, args: ["-e", source], cwd: import.meta.dirname };
          const child = yield* makeSubprocess({ name: "child", ...command, dialect });
          const wait = async (): Promise<string> => {
            await child.start();
            process.kill(child.pid() ?? 0, "SIGKILL");
            return "";
          };
          return { handlers: { ...idle, wait } };
        }),
      );
      const { kernel, lines } = open([service]);
      const input = { after: 0, types: ["child.state"], service: "shop" };
      const opened = await kernel.subscribe("kernel.events", input);
      if (!opened.ok) throw new Error(opened.error.message);
      await kernel.call("shop.wait", {}, { timeoutMs: 60_000 });
      const states: string[] = [];
      for await (const { value } of opened.items) {
        const { data } = value as { readonly data: { readonly child: string; readonly state: string } };
        states.push(`${data.child} ${data.state}`);
        if (data.state === "Backoff") break;
      }
      expect(states).toContain("child Ready");
      const fields = expect.objectContaining({ service: "shop" });
      expect(lines).toContainEqual({ level: "warn", message: "child ended", fields });
    },
  },
  {
    name: "a child is killed before some requests were sent to it",
    trusted: "gRPC: what the server has not seen is retried transparently",
    ours: "they wait for the next run and are answered by it",
    check: async () => {
      const one = lineProtocol({ protocol: "child", versions: [1], inFlight: 1 });
      const child = await started({ dialect: one, unresponsiveMs: 100 });
      const hung = failureOf(child.ask({ call: "hang", params: {} }, { timeoutMs: 50 }));
      const waiting = child.ask(late(0, "carried over"), { timeoutMs: 60_000 });
      expect(await hung).toMatchObject({ code: "deadline_exceeded" });
      expect(await waiting).toMatchObject({ value: "carried over" });
    },
  },
  {
    name: "a dialect without ids asks to drop late answers",
    trusted: "HTTP/1.1: a connection whose answer did not come is closed, since the next answer would be that one",
    ours: "a type error, and a refusal when it is started",
    check: async () => {
      // What the types do not allow.
      const inTurn = { ...dialect, ids: false, inFlight: 1, onTimeout: "drop" } as unknown as Dialect;
      const child = await make({ dialect: inTurn });
      expect(await failureOf(child.ask(silence))).toMatchObject({
        message: expect.stringContaining("a dialect without ids"),
      });
    },
  },
  {
    name: "a body has an `id` of its own, or cannot be written",
    trusted: "JSON-RPC: the id of a request is its sender's; gRPC: INTERNAL before anything is sent",
    ours: "the kernel's id stays; a circle or a BigInt is `invalid_argument`, and nothing is sent",
    check: async () => {
      const child = await started();
      const pid = child.pid();
      expect(await child.ask({ call: "mine", id: 999_999 })).toMatchObject({ value: { call: "mine" } });
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      for (const params of [circle, { size: 1n }])
        expect(await failureOf(child.ask({ call: "x", params }))).toMatchObject({ code: "invalid_argument" });
      expect(child.pid()).toBe(pid);
    },
  },
  {
    name: "a caller's `onPart` throws",
    trusted: "gRPC: an observer that throws ends its own call",
    ours: "that request fails with its error; the child and the others go on",
    check: async () => {
      const child = await started();
      const pid = child.pid();
      const other = child.ask(late(100, "other"), { timeoutMs: 60_000 });
      const onPart = (): never => {
        throw new Error("the caller's own");
      };
      expect(await failureOf(child.ask({ call: "parts" }, { onPart }))).toMatchObject({
        message: expect.stringContaining("the caller's own"),
      });
      expect(await other).toMatchObject({ value: "other" });
      expect(child.pid()).toBe(pid);
    },
  },
  {
    name: "what prepares a child takes longer than it may",
    trusted: "systemd: TimeoutStartSec counts ExecStartPre as well",
    ours: "`prepareMs` is held to, and the refusal names it",
    check: async () => {
      const child = await make({ prepare: () => new Promise<never>(() => {}), prepareMs: 100 });
      expect(await failureOf(child.ask(late(0, ""), { timeoutMs: 60_000 }))).toMatchObject({
        message: expect.stringContaining("was not prepared within 100 ms"),
      });
    },
  },
];
