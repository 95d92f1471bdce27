/**
 * A child as its owner describes it, and how one run of it begins and ends: bounded starting, bounded releasing, and what its
 * failure means. Not here: when runs begin and end (`supervisor.ts`).
 */
import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Scope from "effect/Scope";
import type { ChildStatus, Ending, RestartKind } from "./child-state.ts";

/** A started child. */
export interface RunningChild {
  /** Completes when the child ends by itself; a child without it runs until it is stopped. */
  readonly ended?: Effect.Effect<Ending>;
  /** For nested supervisors: what to show below this child. */
  readonly children?: () => readonly ChildStatus[];
}

export interface ChildSpec {
  readonly id: string;
  /** Completes when the child is ready for work. Its scope closes when the child stops. */
  readonly start: Effect.Effect<RunningChild, FairleadError, Scope.Scope>;
  /** Default `permanent`. */
  readonly restart?: RestartKind;
  /** Milliseconds that starting may take. Default 30,000. */
  readonly startMs?: number;
  /** Milliseconds that stopping is waited for; it goes on unwatched after that. Default 5,000; `Infinity` for supervisors. */
  readonly shutdownMs?: number;
}

/** Starts a child, or fails when it is not ready in time. */
export const startWithin = ({
  id,
  start,
  startMs = 30_000,
}: ChildSpec): Effect.Effect<RunningChild, FairleadError, Scope.Scope> =>
  startMs === Number.POSITIVE_INFINITY
    ? start
    : Effect.timeoutOrElse(start, {
        duration: startMs,
        orElse: () =>
          Effect.fail(
            new FairleadError({
              code: "unavailable",
              message: `${id} was not ready after ${startMs} ms`,
              hint: "look at its log; give it more time if it is only slow",
              retryable: true,
            }),
          ),
      });

/** Waits for an effect no longer than the child's `shutdownMs`; the effect itself is never cut short. */
export const bounded =
  ({ shutdownMs = 5_000 }: ChildSpec, fork: <A>(effect: Effect.Effect<A>) => Fiber.Fiber<A>) =>
  <A>(effect: Effect.Effect<A>): Effect.Effect<void> =>
    shutdownMs === Number.POSITIVE_INFINITY
      ? Effect.asVoid(effect)
      : Effect.suspend(() => Fiber.await(fork(effect))).pipe(Effect.timeoutOption(shutdownMs), Effect.asVoid);

/** A failed precondition and a wrong setting are hopeless until they are corrected; everything else may pass. */
export const toEnding = (cause: Cause.Cause<FairleadError>, id: string): Ending => {
  const failure = Cause.findErrorOption(cause);
  if (failure._tag === "Some") {
    const error = failure.value.toJSON();
    const fixable = error.code === "failed_precondition" || error.code === "invalid_argument";
    return { kind: fixable && !error.retryable ? "hopeless" : "failed", error };
  }
  const defect = Cause.squash(cause);
  const message = `${id} failed to start: ${defect instanceof Error ? defect.message : String(defect)}`;
  return { kind: "failed", error: { code: "internal", message, retryable: false } };
};
