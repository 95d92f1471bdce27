/**
 * Circuit breaker as a pure state machine: closed while calls succeed, open after too many failures in a row, half open for one
 * probe once it has been open long enough. Time is an argument.
 */
import type { Breaker } from "@fairlead/contracts";

export type BreakerState =
  | { readonly tag: "Closed"; readonly failures: number }
  | { readonly tag: "Open"; readonly until: number }
  | { readonly tag: "HalfOpen" };

export const closed: BreakerState = { tag: "Closed", failures: 0 };

/** May a call go through at `now` (milliseconds)? Returns the next state, or how long to wait. */
export const admit = (
  state: BreakerState,
  now: number,
):
  | { readonly admitted: true; readonly state: BreakerState }
  | { readonly admitted: false; readonly retryAfterMs: number } => {
  switch (state.tag) {
    case "Closed":
      return { admitted: true, state };
    case "HalfOpen":
      return { admitted: false, retryAfterMs: 100 };
    case "Open":
      return now >= state.until
        ? { admitted: true, state: { tag: "HalfOpen" } }
        : { admitted: false, retryAfterMs: state.until - now };
  }
};

/** How an admitted call ended. `unknown`: by its caller's doing, which says nothing about the thing behind the breaker. */
export type BreakerOutcome = "success" | "failure" | "unknown";

/** The state after a call that was admitted has ended. A probe of which nothing is known is tried again by the next call. */
export const settle = (
  state: BreakerState,
  outcome: BreakerOutcome,
  at: { readonly now: number; readonly spec: Breaker },
): BreakerState => {
  if (outcome === "success") return closed;
  if (outcome === "unknown") return state.tag === "HalfOpen" ? { tag: "Open", until: at.now } : state;
  const failures = state.tag === "Closed" ? state.failures + 1 : at.spec.failures;
  return failures >= at.spec.failures ? { tag: "Open", until: at.now + at.spec.openMs } : { tag: "Closed", failures };
};
