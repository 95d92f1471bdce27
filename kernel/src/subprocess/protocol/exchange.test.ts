import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Dialect, lineProtocol } from "./dialect.ts";
import { createExchange } from "./exchange.ts";
import type { Message } from "./line.ts";
import { SubprocessError } from "./subprocess-error.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Step =
  | { readonly kind: "ask"; readonly timeoutMs: number }
  | { readonly kind: "cancel"; readonly which: number }
  | { readonly kind: "answer"; readonly which: number }
  | { readonly kind: "pass"; readonly ms: number }
  | { readonly kind: "die" };

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("ask" as const), timeoutMs: fc.constantFrom(10, 100, 1_000) }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("cancel" as const), which: fc.nat(30) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("answer" as const), which: fc.nat(30) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1, 9, 90, 900) }) },
    { weight: 1, arbitrary: fc.constant({ kind: "die" as const }) },
  ),
  { maxLength: 60 },
);

const byId = lineProtocol({ protocol: "t", versions: [1], inFlight: 3 });
const dropping = lineProtocol({ protocol: "t", versions: [1], inFlight: 3, onTimeout: "drop" });
const inTurn: Dialect = {
  ids: false,
  inFlight: 1,
  onTimeout: "kill",
  handshake: byId.handshake,
  encode: byId.encode,
  answer: () => ({ kind: "reply" }),
};

/** A child that holds what it was sent; without ids it answers in the order it was asked. */
const play = async (dialect: Dialect, script: readonly Step[]): Promise<void> => {
  let inbox: { id: number; mark: unknown }[] = [];
  const exchange = createExchange({
    name: "t",
    dialect,
    queue: 5,
    requestMs: 1_000,
    unresponsiveMs: 50,
    unresponsive: (fault) => {
      exchange.fail(fault);
      inbox = [];
    },
    stderr: () => [],
    write: (line) => {
      const message: Message = JSON.parse(line);
      if (typeof message.id === "number" && message.call !== "ping") inbox.push({ id: message.id, mark: message.mark });
      expect(inbox.length).toBeLessThanOrEqual(dialect.onTimeout === "drop" ? 60 : dialect.inFlight);
      return undefined;
    },
  });
  const asked: { stop: AbortController; settled: number; due: number; mark: number }[] = [];
  for (const step of script) {
    switch (step.kind) {
      case "ask": {
        const one = { stop: new AbortController(), settled: 0, due: Date.now() + step.timeoutMs, mark: asked.length };
        asked.push(one);
        exchange.ask({ mark: one.mark }, { timeoutMs: step.timeoutMs, signal: one.stop.signal }).then(
          ({ echo }) => {
            one.settled++;
            expect(echo).toBe(one.mark);
          },
          (error: unknown) => {
            one.settled++;
            expect(error).toBeInstanceOf(SubprocessError);
          },
        );
        break;
      }
      case "cancel":
        asked[step.which]?.stop.abort();
        break;
      case "answer": {
        const [entry] = inbox.splice(dialect.inFlight === 1 ? 0 : step.which % Math.max(1, inbox.length), 1);
        if (entry !== undefined) exchange.receive({ id: entry.id, ok: true, echo: entry.mark });
        break;
      }
      case "pass":
        await vi.advanceTimersByTimeAsync(step.ms);
        break;
      case "die":
        exchange.fail({ kind: "exited", exit: { code: 1 }, while: "working", unfinished: 0 });
        inbox = [];
        break;
    }
    await vi.advanceTimersByTimeAsync(0);
    for (const { settled, due } of asked) {
      expect(settled).toBeLessThanOrEqual(1);
      if (Date.now() > due) expect(settled).toBe(1);
    }
  }
  await vi.advanceTimersByTimeAsync(2_000);
  expect(asked.every(({ settled }) => settled === 1)).toBe(true);
  expect(exchange.size).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
};

test.each([
  ["by id", byId],
  ["by id, dropping late answers", dropping],
  ["in turn", inTurn],
] as const)("%s: each request settles once, in time, with its own answer", async (_name, dialect) => {
  await fc.assert(
    fc.asyncProperty(steps, async (script) => {
      vi.clearAllTimers();
      await play(dialect, script);
    }),
    { numRuns: 300 },
  );
});
