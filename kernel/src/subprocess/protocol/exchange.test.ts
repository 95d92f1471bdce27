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

const unresponsiveMs = 50;

interface Held {
  readonly id: number;
  readonly mark: number;
  readonly due: number;
  /** The child has written something since `due`. */
  alive: boolean;
}

/**
 * Whether a request that the child has not answered still has its place (ADR 0069). A caller that cancels gives up no place: only the
 * deadline does, at once with `drop`, else at the end of the grace, if the child has written something in it. Without ids, none does.
 */
const keepsItsPlace = (dialect: Dialect, { due, alive }: Held): boolean => {
  if (!dialect.ids) return true;
  if (dialect.onTimeout === "drop") return Date.now() < due;
  return !alive || Date.now() < due + unresponsiveMs;
};

/** A child that holds what it was sent, canceled or not; without ids it answers in the order it was asked. */
const play = async (dialect: Dialect, script: readonly Step[]): Promise<void> => {
  let inbox: Held[] = [];
  const places = (): number => inbox.filter((held) => keepsItsPlace(dialect, held)).length;
  const asked: { stop: AbortController; sent: boolean; settled: number; due: number; mark: number }[] = [];
  const exchange = createExchange({
    name: "t",
    dialect,
    queue: 5,
    requestMs: 1_000,
    unresponsiveMs,
    unresponsive: (fault) => {
      exchange.fail(fault);
      inbox = [];
    },
    stderr: () => [],
    write: (line) => {
      const message: Message = JSON.parse(line);
      const one = asked.find(({ mark }) => mark === message.mark);
      if (typeof message.id === "number" && one !== undefined) {
        one.sent = true;
        inbox.push({ id: message.id, mark: one.mark, due: one.due, alive: false });
      }
      expect(places()).toBeLessThanOrEqual(dialect.inFlight);
      return undefined;
    },
  });
  for (const step of script) {
    switch (step.kind) {
      case "ask": {
        const due = Date.now() + step.timeoutMs;
        const one = { stop: new AbortController(), sent: false, settled: 0, due, mark: asked.length };
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
        if (entry === undefined) break;
        for (const held of inbox) held.alive ||= Date.now() >= held.due;
        exchange.receive({ id: entry.id, ok: true, echo: entry.mark });
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
    // None waits while a place is free.
    if (asked.some(({ sent, settled }) => !sent && settled === 0)) expect(places()).toBe(dialect.inFlight);
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

test("requests that a live child never answers keep their places to the end of the grace, and no longer", async () => {
  // Seed -656789994, path 240:3:4:6:19:23: the fifth is sent while the child holds the second and the third, both given up.
  await play(byId, [
    { kind: "ask", timeoutMs: 10 },
    { kind: "ask", timeoutMs: 10 },
    { kind: "ask", timeoutMs: 10 },
    { kind: "ask", timeoutMs: 100 },
    { kind: "pass", ms: 9 },
    { kind: "pass", ms: 1 },
    { kind: "ask", timeoutMs: 1_000 },
    { kind: "answer", which: 0 },
    { kind: "pass", ms: 90 },
  ]);
});
