/** Whether a session waits for a person, in whatever way. */
import { isTerminal } from "./phase.ts";
import type { RunState } from "./run-state.ts";

/** Whether the session is paused, or every ticket that is open waits for a person. */
export const isWaiting = (state: RunState | undefined): boolean => {
  if (state === undefined || isTerminal(state.phase)) return false;
  if (state.pause !== null) return true;
  const open = [...(state.current === null ? [] : [state.current]), ...state.workers];
  return open.length > 0 && open.every(({ heldPlan }) => heldPlan !== null);
};
