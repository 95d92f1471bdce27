/** Which tickets would be worked on in parallel now. Pure. */
import { selectIndependent } from "../ticket/conflict.ts";
import type { RunState } from "./run-state.ts";

/** Tickets that would be worked on side by side now; PRs that are left bound their number. */
export const parallelBatch = ({ settings, ready, prsCreated }: RunState): ReturnType<typeof selectIndependent> => {
  if (settings.parallel < 2 || settings.direct) return [];
  const max = settings.createPrs ? Math.min(settings.parallel, settings.maxPrs - prsCreated) : settings.parallel;
  return selectIndependent(ready, max);
};
