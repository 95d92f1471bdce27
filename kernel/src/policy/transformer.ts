/**
 * A procedure's policy as a transformer of its work: retries where the contract has them, a breaker around all attempts where it has
 * one. Made once when the kernel starts; a procedure with neither gets its work back as it is.
 *
 * Not here: deadlines (`call-scope.ts`), places (`admission.ts`), stored answers of keyed calls (`idempotency.ts`).
 */
import { type Breaker, FairleadError, type Policy, type Retry } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { failure, LostCall, mayRetry, NotAvailable } from "../call/error.ts";
import { admit, type BreakerOutcome, type BreakerState, closed, settle } from "./breaker.ts";
import { RetryBudget, retrySchedule } from "./retry.ts";

/** A call as its policy sees it. */
export interface PolicyCall {
  readonly scope: { readonly leftMs: number };
  /** True when a repeat of this very call does no harm. */
  readonly repeatable: boolean;
  /** Its idempotency key, when its procedure takes one. */
  readonly key?: string | undefined;
  /** How often it may be tried, whatever its contract allows; `Infinity` where its caller does not say. */
  readonly mostAttempts: number;
  /** True when its caller left it no more time, or gave up on it. */
  readonly endedByCaller: boolean;
  /** Set for an attempt of a run, which is repeated by the rules of runs alone. */
  readonly run?: object | undefined;
}

/** One attempt at a call: its value, at once or as a promise. It throws or rejects with whatever it failed with. */
export type Work<C> = (call: C) => unknown;

/** Receives what a policy does. */
export interface PolicyObserver<C> {
  /** Attempt number `attempt` (from 2) is made, because the one before failed with `cause`. */
  retry(call: C, attempt: number, cause: FairleadError): void;
  /** The breaker refuses a call. */
  refused(call: C): void;
  /** A half-open breaker lets a call through as its probe; what it gives is called with what the probe failed with, if it did. */
  probe(call: C): ((cause?: unknown) => void) | undefined;
  /** The breaker has this state now; called once at the beginning. */
  breaker(state: BreakerState["tag"], from: BreakerState["tag"] | undefined): void;
}

interface TransformerParts<C> {
  readonly observer: PolicyObserver<C>;
  /** Full name of the procedure. */
  readonly name: string;
  readonly policy: Policy;
  /** Gives numbers in [0, 1), for the jitter of retries. */
  readonly random: () => number;
  /** Runs an Effect as a part of the call, which ends it. */
  readonly run: (effect: Effect.Effect<unknown, unknown>, call: C) => unknown;
}

/** The work with its policy around it. */
export const withPolicy = <C extends PolicyCall>(work: Work<C>, parts: TransformerParts<C>): Work<C> => {
  const { retry, breaker } = parts.policy;
  const repeated = retry === undefined ? work : withRetry(work, retry, parts);
  return breaker === undefined ? repeated : withBreaker(repeated, breaker, parts);
};

/** The first attempt goes without an Effect: most succeed. What follows a failure is an Effect with a schedule. */
const withRetry = <C extends PolicyCall>(
  work: Work<C>,
  retry: Retry,
  { random, run, observer }: TransformerParts<C>,
): Work<C> => {
  const budget = new RetryBudget();
  const succeeded = (value: unknown): unknown => {
    budget.success();
    return value;
  };
  const again = (cause: unknown, call: C): unknown => {
    const allowed = Math.min(retry.attempts, call.mostAttempts);
    if (allowed <= 1 || !mayRepeat(cause, call)) throw cause;
    budget.failure();
    let attempts = 1;
    let last = cause;
    const failed = (error: FairleadError): void => {
      budget.failure();
      last = error;
    };
    const repeat = Effect.suspend(() => {
      attempts += 1;
      observer.retry(call, attempts, last);
      return Effect.tapError(attemptOnce(work, call), (error) => Effect.sync(() => failed(error)));
    });
    const known = [Effect.fail(cause)];
    const attempt = Effect.suspend(() => known.pop() ?? repeat);
    const schedule = retrySchedule({
      retry: { ...retry, attempts: allowed },
      budget,
      random,
      leftMs: () => call.scope.leftMs,
    });
    return run(Effect.map(Effect.retry(attempt, schedule), succeeded), call);
  };
  return (call) => {
    if (call.run !== undefined) return work(call);
    try {
      const value = work(call);
      return value instanceof Promise
        ? value.then(succeeded, (cause: unknown) => again(cause, call))
        : succeeded(value);
    } catch (cause) {
      return again(cause, call);
    }
  };
};

const attempted = <C>(work: Work<C>, call: C): Effect.Effect<unknown, unknown> =>
  Effect.suspend(() => {
    try {
      const value = work(call);
      return value instanceof Promise
        ? Effect.tryPromise({ try: () => value, catch: (cause) => cause })
        : Effect.succeed(value);
    } catch (cause) {
      return Effect.fail(cause);
    }
  });

/** An attempt as an Effect: it fails with what a repeat may help with, and dies of everything else. */
const attemptOnce = <C extends PolicyCall>(work: Work<C>, call: C): Effect.Effect<unknown, FairleadError> =>
  Effect.catch(attempted(work, call), (cause) => (mayRepeat(cause, call) ? Effect.fail(cause) : Effect.die(cause)));

/**
 * A call that ran out of time is not repeated: no time is left for it. Nor is one whose service does not come back by itself.
 */
const mayRepeat = (cause: unknown, { repeatable, key }: PolicyCall): cause is FairleadError => {
  if (cause instanceof NotAvailable) return cause.retryable;
  // The key keeps others from running it twice, and not its own attempts.
  if (cause instanceof LostCall && key !== undefined) return false;
  return cause instanceof FairleadError && cause.code !== "deadline_exceeded" && mayRetry(cause.code, repeatable);
};

const withBreaker = <C extends PolicyCall>(
  work: Work<C>,
  spec: Breaker,
  { name, observer }: TransformerParts<C>,
): Work<C> => {
  let state: BreakerState = closed;
  observer.breaker(state.tag, undefined);
  const become = (next: BreakerState): void => {
    const from = state.tag;
    state = next;
    if (next.tag !== from) observer.breaker(next.tag, from);
  };
  return (call) => {
    const decision = admit(state, performance.now());
    if (!decision.admitted) {
      observer.refused(call);
      throw failure("unavailable", `${name} failed too often and is not tried for a while`, {
        hint: "try again later",
        retryAfterMs: Math.ceil(decision.retryAfterMs),
      });
    }
    become(decision.state);
    const { era } = state;
    const probed = state.tag === "HalfOpen" ? observer.probe(call) : undefined;
    const settled = (outcome: BreakerOutcome): void =>
      become(settle(state, outcome, { now: performance.now(), era, spec }));
    const succeeded = (value: unknown): unknown => {
      settled("success");
      probed?.();
      return value;
    };
    const failed = (cause: unknown): never => {
      settled(outcomeFor(cause, call));
      probed?.(cause);
      throw cause;
    };
    let value: unknown;
    try {
      value = work(call);
    } catch (cause) {
      return failed(cause);
    }
    return value instanceof Promise ? value.then(succeeded, failed) : succeeded(value);
  };
};

/**
 * A breaker counts failures of what the handler depends on; a declared error is an answer, and a caller's end says nothing. Nor does a service
 * that is down: its supervisor knows when it is back, and no handler ran.
 */
const outcomeFor = (cause: unknown, { endedByCaller }: PolicyCall): BreakerOutcome => {
  if (cause instanceof NotAvailable) return "unknown";
  if (!(cause instanceof FairleadError)) return "failure";
  if (cause.reason !== undefined) return "success";
  if (cause.code === "canceled" || (cause.code === "deadline_exceeded" && endedByCaller)) return "unknown";
  return cause.code === "unavailable" || cause.code === "deadline_exceeded" ? "failure" : "success";
};
