/**
 * Circuit breaker as a pure state machine: closed while calls succeed, open after too many failures in a row, half open for one
 * probe once it has been open long enough. Time is an argument.
 */
import type { Breaker } from "@fairlead/contracts";

/** `era` grows with every change of tag: a call that began in another era says nothing about this one. */
export type BreakerState = { readonly era: number } & (
  | { readonly tag: "Closed"; readonly failures: number }
  | { readonly tag: "Open"; readonly until: number }
  | { readonly tag: "HalfOpen" }
);

export const closed: BreakerState = { tag: "Closed", era: 0, failures: 0 };

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
        ? { admitted: true, state: { tag: "HalfOpen", era: state.era + 1 } }
        : { admitted: false, retryAfterMs: state.until - now };
  }
};

/** How an admitted call ended. `unknown`: by its caller's doing, which says nothing about the thing behind the breaker. */
export type BreakerOutcome = "success" | "failure" | "unknown";

/** When a call ended, and in which era it was admitted. */
interface BreakerSettlement {
  readonly now: number;
  readonly era: number;
  readonly spec: Breaker;
}

/** The state after a call that was admitted has ended. A probe of which nothing is known is tried again by the next call. */
export const settle = (
  state: BreakerState,
  outcome: BreakerOutcome,
  { now, era, spec }: BreakerSettlement,
): BreakerState => {
  if (era !== state.era) return state;
  if (state.tag === "Closed") {
    if (outcome === "unknown") return state;
    const failures = outcome === "success" ? 0 : state.failures + 1;
    return failures >= spec.failures ? open(state, now + spec.openMs) : { ...state, failures };
  }
  if (outcome === "success") return { tag: "Closed", era: state.era + 1, failures: 0 };
  return open(state, outcome === "unknown" ? now : now + spec.openMs);
};

const open = ({ era }: BreakerState, until: number): BreakerState => ({ tag: "Open", era: era + 1, until });
