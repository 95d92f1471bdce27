import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { type Admission, makeAdmission, RunClock } from "./admission.ts";
import { CallScope } from "./call-scope.ts";

const forever = Number.POSITIVE_INFINITY;

const bulkhead = (concurrency: number, queue: number): Admission =>
  makeAdmission("x.y", { concurrency, queue, clock: new RunClock() });

/** Waits for a place as the gate does. */
const enter = async (admission: Admission, scope: CallScope, id = localPrincipal.id): Promise<void> => {
  const place = admission.acquire({ ...localPrincipal, id }, "normal", scope.due);
  if (place === undefined) return;
  if (place instanceof FairleadError) throw place;
  const exit = await scope.join(Effect.runFork(place));
  if (exit._tag === "Failure") throw Cause.squash(exit.cause);
};

describe("Admission", () => {
  it("never runs more than allowed, serves in order, and loses no place", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 15 }),
        async (concurrency, queue, calls) => {
          const admission = bulkhead(concurrency, queue);
          const order: number[] = [];
          let running = 0;
          const work = Array.from({ length: calls }, async (_, index) => {
            try {
              await enter(admission, new CallScope("x.y", { deadlineMs: forever }));
            } catch (cause) {
              return (cause as FairleadError).code;
            }
            order.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(concurrency);
            await new Promise(setImmediate);
            running -= 1;
            admission.release();
            return "ok";
          });
          const outcomes = await Promise.all(work);
          expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(Math.min(calls, concurrency + queue));
          expect(outcomes.every((outcome) => outcome === "ok" || outcome === "resource_exhausted")).toBe(true);
          expect(order).toEqual(order.toSorted((a, b) => a - b));
          expect([admission.running, admission.waiting]).toEqual([0, 0]);
        },
      ),
    );
  });

  it("serves principals in turn, and takes the room of the greedy for the polite", async () => {
    const admission = bulkhead(1, 6);
    const order: string[] = [];
    const call = async (id: string): Promise<void> => {
      await enter(admission, new CallScope("x.y", { deadlineMs: forever }), id).then(
        () => order.push(id),
        ({ code }: FairleadError) => order.push(`${id}: ${code}`),
      );
    };
    await call("greedy");
    const calls = ["greedy", "greedy", "greedy", "greedy", "greedy", "greedy", "polite", "greedy"].map(call);
    await expect.poll(() => order.length).toBe(3);
    for (let left = 6; left > 0; left -= 1) {
      admission.release();
      await expect.poll(() => order.length).toBe(10 - left);
    }
    await Promise.all(calls);
    const full = "greedy: resource_exhausted";
    expect(order).toEqual(["greedy", full, full, "greedy", "polite", "greedy", "greedy", "greedy", "greedy"]);
    admission.release();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it("lets fewer wait once the queue of quick calls has stood for a while", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const admission = bulkhead(4, 100);
    const results: string[] = [];
    const call = () =>
      enter(admission, new CallScope("x.y", { deadlineMs: forever })).then(
        () => results.push("ok"),
        ({ message }: FairleadError) => results.push(message),
      );
    const calls = Array.from({ length: 64 }, call);
    for (let at = 0; at < 50; at += 1) {
      vi.advanceTimersByTime(5);
      admission.release();
      await new Promise(setImmediate);
    }
    expect(results).toHaveLength(54);
    calls.push(call());
    await new Promise(setImmediate);
    expect(results.at(-1)).toBe("x.y is overloaded: calls would wait 55 ms");
    for (let at = 0; at < 20; at += 1) {
      if (admission.running > 0) admission.release();
      await new Promise(setImmediate);
    }
    await Promise.all(calls);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it("has fewer places where fewer get as much done, and all of them again after a quiet while", async () => {
    let elapsed = 0;
    let tick = (): boolean => false;
    const tickWhile = (isNeeded: () => boolean): void => {
      tick = isNeeded;
    };
    const clock = { now: () => 0, elapsed: () => elapsed, tickWhile };
    const admission = makeAdmission("x.y", { concurrency: 64, queue: 1_000, clock });
    const call = () => enter(admission, new CallScope("x.y", { deadlineMs: forever }));
    const calls = Array.from({ length: 200 }, call);
    // The machine is loaded with the first call that waits.
    await import("./adaptive-limit.ts");
    await new Promise(setImmediate);
    expect([admission.running, admission.waiting]).toEqual([64, 136]);
    // What is behind it serves eight at a time: whatever runs, a call ends every 2.5 ms.
    const endOne = async (): Promise<void> => {
      elapsed += 2.5;
      admission.release();
      calls.push(call());
      await new Promise(setImmediate);
    };
    for (let ended = 0; ended < 6_000; ended += 1) await endOne();
    expect(admission.running).toBeLessThan(48);
    // None ends: those that run may wait for those that do not.
    elapsed += 1_500;
    expect(tick()).toBe(true);
    expect(admission.running).toBe(64);
    for (let ended = 0; ended < 6_000; ended += 1) await endOne();
    expect(admission.running).toBeLessThan(48);
    while (admission.running > 0) {
      admission.release();
      await new Promise(setImmediate);
    }
    await Promise.all(calls);
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
    elapsed += 60_000;
    const later = Array.from({ length: 64 }, call);
    await Promise.all(later);
    expect([admission.running, admission.waiting]).toEqual([64, 0]);
  });

  it("takes a pause of the process for no overload", async () => {
    let now = 0;
    const ticks = new Set<() => void>();
    const every = (_: number, tick: () => void) => {
      ticks.add(tick);
      return () => ticks.delete(tick);
    };
    const clock = new RunClock({ now: () => now, every });
    const admission = makeAdmission("x.y", { concurrency: 4, queue: 100, clock });
    const results: string[] = [];
    const call = async (): Promise<void> => {
      await enter(admission, new CallScope("x.y", { deadlineMs: 60_000 })).then(
        () => results.push("ok"),
        ({ message }: FairleadError) => results.push(message),
      );
    };
    const pass = async (ms: number): Promise<void> => {
      now += ms;
      for (const tick of ticks) tick();
      await new Promise(setImmediate);
    };
    const calls = Array.from({ length: 64 }, call);
    for (let at = 0; at < 12; at += 1) {
      await pass(5);
      admission.release();
    }
    await pass(30_000);
    admission.release();
    calls.push(call(), call());
    await pass(5);
    expect(results).toEqual(Array(17).fill("ok"));
    while (admission.running > 0) {
      admission.release();
      await pass(1);
    }
    await Promise.all(calls);
    expect(results).toEqual(Array(66).fill("ok"));
    expect(ticks.size).toBe(0);
  });

  it("refuses who would be too late while its handlers hold up the event loop", async () => {
    let now = 0;
    const clock = new RunClock({ now: () => now, every: () => () => undefined });
    const admission = makeAdmission("x.y", { concurrency: 1, queue: 100, clock });
    const results: string[] = [];
    const call = (deadlineMs: number): Promise<unknown> =>
      enter(admission, new CallScope("x.y", { deadlineMs })).then(
        () => results.push("ok"),
        ({ message }: FairleadError) => results.push(message),
      );
    const calls = Array.from({ length: 20 }, () => call(forever));
    for (let at = 0; at < 10; at += 1) {
      now += 250;
      admission.release();
      await new Promise(setImmediate);
    }
    await call(2_000);
    expect(results.at(-1)).toBe("x.y has no place before the call's deadline: calls wait 2500 ms");
    while (admission.running > 0) {
      admission.release();
      await new Promise(setImmediate);
    }
    await Promise.all(calls);
  });

  it("forgets a caller that gives up while it waits", async () => {
    const admission = bulkhead(1, 5);
    await enter(admission, new CallScope("x.y", { deadlineMs: forever }));
    const controller = new AbortController();
    const waiting = enter(admission, new CallScope("x.y", { deadlineMs: forever, outer: controller.signal }));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
    admission.release();
    await expect.poll(() => [admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it("gives back a place that was handed over in the turn in which its caller gave up", async () => {
    const admission = bulkhead(1, 5);
    await enter(admission, new CallScope("x.y", { deadlineMs: forever }));
    const scope = new CallScope("x.y", { deadlineMs: forever });
    const waiting = enter(admission, scope);
    scope.end(new FairleadError({ code: "canceled", message: "gone" }));
    admission.release();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
    await expect.poll(() => [admission.running, admission.waiting]).toEqual([0, 0]);
  });
});

describe("the pace of an admission", () => {
  /** So many calls that come at once, and how many of them found a place before their deadline. */
  const served = async (
    admission: Admission,
    count: number,
    { ms, deadlineMs }: Record<"ms" | "deadlineMs", number>,
  ) => {
    let found = 0;
    for (let i = 0; i < count; i++) {
      void enter(admission, new CallScope("x.y", { deadlineMs })).then(
        () => {
          found += 1;
          Effect.runFork(
            Effect.delay(
              Effect.sync(() => admission.release()),
              ms,
            ),
          );
        },
        () => undefined,
      );
    }
    while (admission.running > 0) await vi.advanceTimersByTimeAsync(ms);
    return found;
  };
  const slowly = { ms: 300, deadlineMs: forever };
  const fast = { ms: 2, deadlineMs: 250 };

  beforeEach(() =>
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"] }),
  );
  afterEach(() => vi.useRealTimers());

  it("lets one wait however slow it was, and is learned again from those", async () => {
    const admission = bulkhead(1, 16);
    expect(await served(admission, 12, slowly)).toBe(12);
    for (let i = 0; i < 5; i++) expect(await served(admission, 2, fast)).toBe(2);
    expect(await served(admission, 3, fast)).toBe(2);
    for (let i = 0; i < 40; i++) await served(admission, 3, fast);
    expect(await served(admission, 3, fast)).toBe(3);
  });

  it("is forgotten when no call waited for as long as it took to learn", async () => {
    const admission = bulkhead(1, 16);
    await served(admission, 12, slowly);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await served(admission, 3, fast)).toBe(2);
    await vi.advanceTimersByTimeAsync(8 * 300);
    expect(await served(admission, 3, fast)).toBe(3);
  });

  it("refuses who comes behind others and would be too late", async () => {
    const admission = bulkhead(1, 16);
    await served(admission, 12, slowly);
    expect(await served(admission, 6, { ms: 300, deadlineMs: 1_000 })).toBe(4);
  });
});
