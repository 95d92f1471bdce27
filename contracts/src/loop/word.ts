/** The closed sets of words of the loop contract; the service builds its machine on them. */

export const workPhases = ["SCOUT", "NEXT_TICKET", "PLAN", "EXECUTE", "QA", "PR", "PARALLEL_EXECUTE"] as const;

export const terminalPhases = [
  "DONE",
  "BLOCKED_NEEDS_HUMAN",
  "FAILED_BUDGET",
  "FAILED_VALIDATION",
  "FAILED_SPINDLE",
] as const;

export const phases = [...workPhases, ...terminalPhases] as const;

/** Events a client may report: the spec's eight, then the two of the review pass. */
export const clientEventTypes = [
  "SCOUT_OUTPUT",
  "PLAN_SUBMITTED",
  "TICKET_RESULT",
  "QA_COMMAND_RESULT",
  "QA_PASSED",
  "QA_FAILED",
  "PR_CREATED",
  "USER_OVERRIDE",
  "PROPOSALS_REVIEWED",
  "PROPOSALS_FILTERED",
] as const;

export const categories = ["refactor", "docs", "test", "perf", "security", "fix", "cleanup", "types"] as const;
