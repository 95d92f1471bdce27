/** Lines of the log for processes that are lost and come back. Not here: restarting them (the supervisor). */
import type { Log } from "../observe/log.ts";
import type { ChildChange } from "../supervision/child-state.ts";

/** Follows a supervisor of processes. */
export const logLost = (log: Log, fields: Readonly<Record<string, unknown>> = {}): ((change: ChildChange) => void) => {
  const downSince = new Map<string, number>();
  return ({ id: process, state }) => {
    if ("error" in state) {
      if (!downSince.has(process)) downSince.set(process, state.since);
      const next = state.tag === "Backoff" ? { nextStartAt: new Date(state.until).toISOString() } : {};
      log("error", "a process was lost", { ...fields, process, ...next, error: state.error });
    }
    const lostAt = downSince.get(process);
    if (state.tag !== "Ready" || lostAt === undefined) return;
    downSince.delete(process);
    log("info", "a process works again", { ...fields, process, downMs: state.since - lostAt });
  };
};
