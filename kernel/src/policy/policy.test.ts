import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Schedule from "effect/Schedule";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { localPrincipal } from "../call/call.ts";
import { type Admission, makeAdmission } from "./admission.ts";
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

const bulkhead = (concurrency: number, queue: number): Admission => makeAdmission("x.y", { concurrency, queue });

/** Waits for a place as the gate does. */
const enter = async (admission: Admission, scope: CallScope, id = localPrincipal.id): Promise<void> => {
  const place = admission.acquire({ ...localPrincipal, id }, "normal", scope.due);
  if (place === undefined) return;
  const exit = await scope.join(Effect.runFork(place));
  if (exit._tag === "Failure") throw Cause.squash(exit.cause);
};

describe("the deadline of a call", () => {
  const seen: string[] = [];
  const noted = (effect: Effect.Effect<number, string>) =>
    Effect.onInterrupt(effect, () => Effect.sync(() => void seen.push("interrupted")));
  const works: Readonly<Record<string, Effect.Effect<number, string>>> = {
    "a value": Effect.succeed(1),
    "a value in time": noted(Effect.as(Effect.sleep(5), 1)),
    "a value too late": noted(Effect.as(Effect.sleep(50), 1)),
    "an error": Effect.fail("no"),
    "an error in time": noted(Effect.andThen(Effect.sleep(5), Effect.fail("no"))),
    "a defect": Effect.die("broken"),
    nothing: noted(Effect.never),
    "nothing, with a finalizer that waits": Effect.onInterrupt(noted(Effect.never), () =>
      Effect.andThen(
        Effect.sleep(1),
        Effect.sync(() => void seen.push("released")),
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
    vi.useRealTimers();
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
          setTimeout(() => admission.release(), ms);
        },
        () => undefined,
      );
    }
    while (admission.running > 0) await vi.advanceTimersByTimeAsync(ms);
    return found;
  };
  const slowly = { ms: 300, deadlineMs: forever };
  const fast = { ms: 2, deadlineMs: 250 };

  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }));
  afterEach(() => vi.useRealTimers());

  it("lets one wait however slow it was, and is learned anew from those", async () => {
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
});
