/** Failed calls, those of one procedure for one reason together. Pure. */
import type { LiveEvent } from "../api/live.ts";

interface FailureGroup {
  readonly procedure: string;
  /** The declared reason, or the code of the kernel. */
  readonly reason: string;
  readonly count: number;
  readonly callers: number;
  /** ISO times. */
  readonly first: string;
  readonly last: string;
  /** The latest of them. */
  readonly example: LiveEvent;
}

/** The most frequent first. `calls` with the oldest first; one that its caller cancelled has not failed. */
export const groupFailures = (calls: readonly LiveEvent[]): readonly FailureGroup[] => {
  const groups = new Map<string, { group: FailureGroup; readonly callers: Set<string> }>();
  for (const call of calls) {
    const { outcome, procedure, principal } = call.data;
    if (outcome === "ok" || outcome === "canceled") continue;
    const reason = String(call.data.reason ?? outcome);
    const key = JSON.stringify([procedure, reason]);
    const known = groups.get(key);
    const callers = known?.callers ?? new Set();
    callers.add(String(principal ?? ""));
    const group: FailureGroup = {
      procedure: String(procedure),
      reason,
      count: (known?.group.count ?? 0) + 1,
      callers: callers.size,
      first: known?.group.first ?? call.at,
      last: call.at,
      example: call,
    };
    groups.set(key, { group, callers });
  }
  return [...groups.values()].map(({ group }) => group).toSorted((a, b) => b.count - a.count);
};
