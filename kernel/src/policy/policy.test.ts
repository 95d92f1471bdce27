import { FairleadError } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { Admission } from "./admission.ts";
import { admit, type BreakerState, closed, settle } from "./breaker.ts";
import { CallScope } from "./call-scope.ts";
import { Rates } from "./rate.ts";
import { pauseMs, RetryBudget } from "./retry.ts";

const forever = Number.POSITIVE_INFINITY;

describe("Life", () => {
  it("gives what comes first: the work, the deadline or the caller's cancellation", async () => {
    expect(await new CallScope("x.y", { deadlineMs: forever }).wait(Promise.resolve(1))).toBe(1);
    await expect(new CallScope("x.y", { deadlineMs: 5 }).wait(new Promise(() => {}))).rejects.toMatchObject({
      code: "deadline_exceeded",
    });
    const controller = new AbortController();
    const waiting = new CallScope("x.y", { deadlineMs: forever, outer: controller.signal }).wait(new Promise(() => {}));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
  });

  it("is over before it began when the caller has gone or no time is left", () => {
    expect(new CallScope("x.y", { deadlineMs: forever, outer: AbortSignal.abort() }).ended).toMatchObject({
      code: "canceled",
    });
    expect(new CallScope("x.y", { deadlineMs: 0 }).ended).toMatchObject({ code: "deadline_exceeded" });
  });

  it("tells every listener although the first one disposes of it", () => {
    const scope = new CallScope("x.y", { deadlineMs: forever });
    const heard = vi.fn();
    scope.onEnd(() => scope.dispose());
    scope.onEnd(heard);
    scope.end(new FairleadError({ code: "unavailable", message: "closing" }));
    expect(heard).toHaveBeenCalledTimes(1);
    expect(scope.signal.aborted).toBe(true);
  });

  it("leaves nothing behind on the caller's signal", () => {
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    const scope = new CallScope("x.y", { deadlineMs: 1_000, outer: signal });
    scope.onEnd(() => {});
    scope.dispose();
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledTimes(1);
  });
});

describe("Admission", () => {
  it("never runs more than allowed, serves in order, and loses no place", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 0, max: 15 }),
        async (concurrency, queue, calls) => {
          const admission = new Admission("x.y", concurrency, queue);
          const order: number[] = [];
          let running = 0;
          const work = Array.from({ length: calls }, async (_, index) => {
            try {
              await admission.enter(new CallScope("x.y", { deadlineMs: forever }));
            } catch (cause) {
              return (cause as FairleadError).code;
            }
            order.push(index);
            running += 1;
            expect(running).toBeLessThanOrEqual(concurrency);
            await new Promise(setImmediate);
            running -= 1;
            admission.leave();
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

  it("forgets a caller that gives up while it waits", async () => {
    const admission = new Admission("x.y", 1, 5);
    await admission.enter(new CallScope("x.y", { deadlineMs: forever }));
    const controller = new AbortController();
    const waiting = admission.enter(new CallScope("x.y", { deadlineMs: forever, outer: controller.signal }));
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
    admission.leave();
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });

  it("gives back a place that was handed over in the turn in which its caller gave up", async () => {
    const admission = new Admission("x.y", 1, 5);
    await admission.enter(new CallScope("x.y", { deadlineMs: forever }));
    const scope = new CallScope("x.y", { deadlineMs: forever });
    const waiting = admission.enter(scope);
    scope.end(new FairleadError({ code: "canceled", message: "gone" }));
    admission.leave();
    await expect(waiting).rejects.toMatchObject({ code: "canceled" });
    expect([admission.running, admission.waiting]).toEqual([0, 0]);
  });
});

describe("breaker", () => {
  const spec = { failures: 3, openMs: 100 };

  it("opens after failures in a row, lets one probe through, and closes on its success", () => {
    let state: BreakerState = closed;
    for (let i = 0; i < 3; i += 1) state = settle(state, "failure", { now: 0, spec });
    expect(admit(state, 99)).toEqual({ admitted: false, retryAfterMs: 1 });
    const probe = admit(state, 100);
    expect(probe).toEqual({ admitted: true, state: { tag: "HalfOpen" } });
    expect(admit({ tag: "HalfOpen" }, 100).admitted).toBe(false);
    expect(settle({ tag: "HalfOpen" }, "failure", { now: 100, spec })).toEqual({ tag: "Open", until: 200 });
    expect(settle({ tag: "HalfOpen" }, "success", { now: 100, spec })).toBe(closed);
  });

  it("is closed after any success, and never open with fewer failures in a row than allowed", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (successes) => {
        let state: BreakerState = closed;
        let inARow = 0;
        for (const success of successes) {
          state = settle(state, success ? "success" : "failure", { now: 0, spec });
          inARow = success ? 0 : inARow + 1;
          expect(state.tag === "Open").toBe(inARow >= spec.failures);
        }
      }),
    );
  });
});

describe("retry", () => {
  it("draws each pause from zero to its exponential bound", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (attempt, random) => {
          const pause = pauseMs({ attempts: 5, baseMs: 100, capMs: 2_000 }, attempt, () => random);
          expect(pause).toBeGreaterThanOrEqual(0);
          expect(pause).toBeLessThan(Math.min(2_000, 100 * 2 ** (attempt - 1)));
        },
      ),
    );
  });

  it("stops when the budget is half spent, and earns it back", () => {
    const budget = new RetryBudget();
    for (let i = 0; i < 5; i += 1) budget.failure();
    expect(budget.allows).toBe(false);
    for (let i = 0; i < 11; i += 1) budget.success();
    expect(budget.allows).toBe(true);
  });
});

describe("rate", () => {
  it("never lets through more than its burst plus what time has earned", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }), (pauses) => {
        const rates = new Rates();
        const principal = { id: "p", access: [], rate: { perSecond: 5, concurrent: 1_000 } };
        let now = 0;
        let allowed = 0;
        for (const pause of pauses) {
          now += pause;
          const taken = rates.take(principal, now);
          if (!(taken instanceof FairleadError)) allowed += 1;
          expect(allowed).toBeLessThanOrEqual(5 + (now / 1_000) * 5 + 1e-6);
        }
      }),
    );
  });

  it("holds a principal to its number of running calls", () => {
    const rates = new Rates();
    const principal = { id: "p", access: [], rate: { perSecond: 100, concurrent: 1 } };
    const first = rates.take(principal, 0);
    expect(rates.take(principal, 0)).toMatchObject({ code: "resource_exhausted" });
    if (first instanceof FairleadError) throw first;
    first.leave();
    expect(rates.take(principal, 0)).toHaveProperty("leave");
  });
});
