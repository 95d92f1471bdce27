/** A service for a thread of its own: each procedure does one thing that could go wrong there. Loaded by `placement/thread.test.ts`. */
import { setTimeout as delay } from "node:timers/promises";
import { isMainThread, threadId } from "node:worker_threads";
import { codecs, defineContract, mutation, query, subscription } from "@fairlead/contracts";
import * as z from "zod";
import { defineService, tracked } from "../service.ts";

const empty = { input: z.object({}), output: z.int() };
const change = { ...empty, kind: "mutation", retry: "unsafe" } as const;

/** What the service calls. */
export const other = defineContract({
  id: "other",
  version: "1.0.0",
  summary: "Another service.",
  procedures: {
    double: query({
      summary: "Doubles.",
      input: z.object({ value: z.int() }),
      output: z.object({ value: z.int(), caller: z.string(), trace: z.string(), leftMs: z.number() }),
      errors: { too_big: { code: "out_of_range", when: "it is over 10" } },
    }),
    numbers: subscription({ summary: "Counts to three.", input: z.object({}), output: z.int() }),
    hang: query({ summary: "Waits for its end.", ...empty }),
  },
});

export const box = defineContract({
  id: "box",
  version: "1.0.0",
  summary: "Runs in a thread.",
  procedures: {
    where: query({
      summary: "Where it runs.",
      input: z.object({}),
      output: z.object({ main: z.boolean(), thread: z.int() }),
    }),
    block: mutation({ summary: "Never lets go.", ...change, policy: { deadlineMs: 4_000 } }),
    poke: mutation({ summary: "Does one thing.", ...change }),
    pokes: query({ summary: "How many there were in this run.", ...empty }),
    exit: mutation({ summary: "Ends its process.", ...change }),
    fault: mutation({ summary: "Throws where nothing catches it.", ...change }),
    nextDay: query({
      summary: "The day after.",
      input: z.object({ day: codecs.date() }),
      output: z.object({ day: codecs.date() }),
      errors: { too_late: { code: "out_of_range", when: "after 2100", data: z.object({ last: codecs.date() }) } },
    }),
    surroundings: query({
      summary: "What it has from its host.",
      input: z.object({}),
      output: z.record(z.string(), z.unknown()),
    }),
    say: mutation({ summary: "Logs, and records an event.", ...change }),
    double: query({
      summary: "Asks the other service.",
      input: z.object({ value: z.int() }),
      output: other.procedures.double.output,
    }),
    relayed: subscription({ summary: "Reads the other service.", input: z.object({}), output: z.int() }),
    hangThere: query({ summary: "Hangs in the other service.", ...empty }),
    steps: query({ summary: "Says how far it is.", ...empty }),
    count: subscription({ summary: "Counts for ever.", input: z.object({}), output: z.int() }),
    counted: query({
      summary: "How far that is.",
      input: z.object({}),
      output: z.object({ at: z.int(), open: z.boolean() }),
    }),
    own: subscription({ summary: "Its own events.", input: z.object({}), output: z.string() }),
    off: query({ summary: "Is switched off.", ...empty }),
  },
});

export default defineService(
  box,
  (host) => {
    const [state, progress] = [{ pokes: 0 }, { at: 0, open: false }];
    return {
      off: () => ({ off: "for the test" }),
      condition: () =>
        state.pokes > 2 ? { state: "degraded", why: "poked too often", fix: "stop" } : { state: "ready" },
      info: () => ({ pokes: state.pokes }),
      checks: () => [{ name: "thread", ok: !isMainThread, detail: "is one" }],
      stop: () => host.event("stopped", {}),
      handlers: {
        where: () => ({ main: isMainThread, thread: threadId }),
        block: () => {
          host.event("blocking", {});
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
          return 0;
        },
        poke: () => ++state.pokes,
        pokes: () => state.pokes,
        exit: () => process.exit(3),
        fault: () => {
          setImmediate(() => {
            throw new Error("no handler catches this");
          });
          return delay(600_000, 0);
        },
        nextDay: ({ day }, call) => {
          const last = new Date("2100-01-01T00:00:00Z");
          if (day > last) throw call.fail("too_late", { message: "it is too late" }, { last });
          return { day: new Date(day.getTime() + 86_400_000) };
        },
        surroundings: () => ({
          since: host.config.since?.toISOString() ?? "",
          folder: host.stateDir(),
          variable: host.env.BOX ?? "",
          own: process.env.BOX ?? "",
        }),
        say: () => {
          host.log("warn", "said in a thread", { error: new TypeError("with a stack"), odd: () => 1 });
          host.event("said", { count: 1 });
          return 0;
        },
        double: ({ value }) => host.peer(other).double({ value }),
        relayed: async function* () {
          yield* host.peer(other).numbers({});
        },
        hangThere: () => host.peer(other).hang({}),
        steps: async (_, call) => {
          for (let step = 1; step <= 3; step += 1) {
            call.progress({ progress: step, total: 3 });
            await delay(1);
          }
          return Number(await call.ask?.({ method: "roots/list", params: {} }));
        },
        count: async function* () {
          progress.open = true;
          try {
            for (progress.at = 1; ; progress.at += 1) yield tracked(String(progress.at), progress.at);
          } finally {
            progress.open = false;
          }
        },
        counted: () => progress,
        own: async function* (_, { signal }) {
          for await (const { type } of host.events({ signal })) yield type;
        },
        off: () => 0,
      },
    };
  },
  { config: z.object({ since: codecs.date().optional() }), placement: "thread" },
);
