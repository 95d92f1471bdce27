import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schedule from "effect/Schedule";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { admit, type BreakerOutcome, type BreakerState, closed, settle } from "./breaker.ts";
import { CallScope } from "./call-scope.ts";
import { Rates } from "./rate.ts";
import { pauseMs, RetryBudget, type RetryRules, retrySchedule } from "./retry.ts";

const forever = Number.POSITIVE_INFINITY;

describe("CallScope", () => {
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

  it("calls every listener although the first one disposes of it", () => {
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

describe("the deadline of a call", () => {
  const seen: string[] = [];
  const noted = (effect: Effect.Effect<number, string>) =>
    Effect.onInterrupt(effect, () => Effect.sync(() => void seen.push("interrupted")));
  const works: Readonly<Record<string, Effect.Effect<number, string>>> = {
    "a value": Effect.succeed(1),
    "a value in time": noted(Effect.delay(Effect.succeed(1), 5)),
    "a value too late": noted(Effect.delay(Effect.succeed(1), 50)),
    "an error": Effect.fail("no"),
    "an error in time": noted(Effect.delay(Effect.fail("no"), 5)),
    "a defect": Effect.die("broken"),
    nothing: noted(Effect.never),
    "nothing, with a finalizer that waits": Effect.onInterrupt(noted(Effect.never), () =>
      Effect.delay(
        Effect.sync(() => void seen.push("released")),
        1,
      ),
    ),
  };
  const outcome = (exit: Exit.Exit<number, unknown>): unknown => {
    if (Exit.isSuccess(exit)) return exit.value;
    const error = Cause.squash(exit.cause);
    return error instanceof FairleadError || Cause.isTimeoutError(error) ? "too late" : error;
  };
  const run = async (work: () => Promise<Exit.Exit<number, unknown>>) => {
    seen.length = 0;
    const exit = work().catch((error: unknown) => Exit.fail(error));
    await vi.advanceTimersByTimeAsync(100);
    return { outcome: outcome(await exit), seen: [...seen] };
  };

  it.for(Object.entries(works))("is what Effect.timeout is for %s", async ([, work]) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
    try {
      const ours = await run(() => new CallScope("x.y", { deadlineMs: 20 }).join(Effect.runFork(work)));
      const theirs = await run(() => Effect.runPromiseExit(Effect.timeout(work, 20)));
      expect(ours).toEqual(theirs);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("breaker", () => {
  const spec = { failures: 3, openMs: 100 };

  const ended = (state: BreakerState, outcome: BreakerOutcome, now: number, era = state.era): BreakerState =>
    settle(state, outcome, { now, era, spec });
  const opened = (): BreakerState => {
    let state: BreakerState = closed;
    for (let i = 0; i < 3; i += 1) state = ended(state, "failure", 0);
    return state;
  };
  const halfOpen = (): BreakerState => {
    const probe = admit(opened(), 100);
    return probe.admitted ? probe.state : closed;
  };

  it("opens after failures in a row, lets one probe through, and closes on its success", () => {
    expect(admit(opened(), 99)).toEqual({ admitted: false, retryAfterMs: 1 });
    const probing = halfOpen();
    expect(probing.tag).toBe("HalfOpen");
    expect(admit(probing, 100).admitted).toBe(false);
    expect(ended(probing, "failure", 100)).toMatchObject({ tag: "Open", until: 200 });
    expect(ended(probing, "unknown", 100)).toMatchObject({ tag: "Open", until: 100 });
    expect(ended(probing, "success", 100)).toMatchObject({ tag: "Closed", failures: 0 });
  });

  it("is open after so many failures in a row and not before, while it is closed", () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 30 }), (successes) => {
        let state: BreakerState = closed;
        let inARow = 0;
        for (const success of successes) {
          if (state.tag !== "Closed") return;
          state = ended(state, success ? "success" : "failure", 0);
          inARow = success ? 0 : inARow + 1;
          expect(state.tag === "Open").toBe(inARow >= spec.failures);
        }
      }),
    );
  });

  it("is not changed by what began in an earlier era", () => {
    const outcomes = fc.constantFrom<BreakerOutcome>("success", "failure", "unknown");
    fc.assert(
      fc.property(fc.constantFrom(opened, halfOpen), outcomes, fc.nat(), (make, outcome, era) => {
        const state = make();
        fc.pre(era !== state.era);
        expect(ended(state, outcome, 50, era)).toBe(state);
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

  const pauses = async (
    errors: readonly FairleadError[],
    rules: Partial<RetryRules> = {},
  ): Promise<readonly number[]> => {
    const waits: number[] = [];
    const left = [...errors];
    const { budget = new RetryBudget() } = rules;
    const attempt = Effect.suspend(() => {
      const error = left.shift();
      if (error === undefined) return Effect.void;
      budget.failure();
      return Effect.fail(error);
    });
    const retry = { attempts: 5, baseMs: 2, capMs: 4 };
    const schedule = retrySchedule({
      retry,
      budget,
      random: () => 0.5,
      leftMs: () => 1_000,
      ...rules,
    });
    const counted = Schedule.tap(schedule, ({ output }) => Effect.sync(() => void waits.push(output)));
    await Effect.runPromise(Effect.ignore(Effect.retry(attempt, counted)));
    return waits;
  };
  const down = new FairleadError({ code: "unavailable", message: "down" });
  const busy = new FairleadError({ code: "unavailable", message: "busy", retryAfterMs: 7 });

  it("waits for a drawn pause, or as long as the failure says", async () => {
    expect(await pauses([down, down, busy, down])).toEqual([1, 2, 7, 2]);
  });

  it("ends with the attempts, with the budget, and when a pause would not end before the deadline", async () => {
    const many = Array.from({ length: 9 }, () => down);
    expect(await pauses(many)).toHaveLength(4);
    expect(await pauses(many, { retry: { attempts: 9, baseMs: 1 } })).toHaveLength(4);
    expect(await pauses([down, busy, down], { leftMs: () => 7 })).toEqual([1]);
    expect(await pauses([down, busy, down], { leftMs: () => 8 })).toEqual([1, 7, 2]);
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

  it("holds a principal to its number of open streams, which take no place of calls", () => {
    const rates = new Rates();
    const principal = { id: "p", access: [], rate: { perSecond: 100, concurrent: 1, streams: 1 } };
    const stream = rates.take(principal, 0, "stream");
    expect(rates.take(principal, 0, "stream")).toMatchObject({ message: expect.stringContaining("1 streams open") });
    expect(rates.take(principal, 0, "call")).toHaveProperty("leave");
    expect(rates.take(principal, 0, "call")).toMatchObject({ message: expect.stringContaining("1 calls running") });
    expect(rates.take(principal, 0, "urgent")).toHaveProperty("leave");
    if (stream instanceof FairleadError) throw stream;
    stream.leave();
    expect(rates.take(principal, 0, "stream")).toHaveProperty("leave");
  });
});
