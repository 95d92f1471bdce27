/** `end_session`: aborts what is open, sums up, and removes the worktrees of parallel tickets that hold nothing unsaved. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import { verbs } from "../git/verb.ts";
import { coverageOf } from "../machine/coverage.ts";
import { receiptOf } from "./ingest.ts";
import type { Applied, Project } from "./project.ts";

type Output = HandlerOutput<typeof loop.procedures.endSession>;

export const endSession = async (project: Project): Promise<Output> =>
  summary(project, await project.drive(() => end(project)));

/** The same with the commit done before the first await. */
export const endSessionNow = (project: Project): Promise<Output> =>
  summary(
    project,
    project.driveNow(() => end(project)),
  );

const end = (project: Project): Applied<unknown> => project.apply({ type: "SESSION_END", payload: {} }, receiptOf);

const summary = async (project: Project, { state }: Applied<unknown>): Promise<Output> => ({
  run_id: state.runId,
  session_id: state.sessionId,
  duration_ms: Math.max(0, project.world.clock() - state.startedAt),
  step_count: state.stepCount,
  tickets_completed: state.ticketsCompleted,
  tickets_failed: state.ticketsFailed,
  tickets_blocked: state.ticketsBlocked,
  tickets_aborted: state.ticketsAborted,
  prs_created: state.prsCreated,
  scout_cycles: state.scout.cycles,
  final_phase: state.phase,
  coverage_percent: coverageOf(state.sectors).percent,
  worktrees_removed: await removeWorktrees(project),
  message: state.stopReason ?? "the session is ended",
});

/** Git itself refuses to remove one with changes that are in no commit. */
const removeWorktrees = async ({ git, home }: Project): Promise<number> => {
  const folder = join(home, "worktrees");
  if (git === undefined || !existsSync(folder)) return 0;
  let removed = 0;
  for (const name of readdirSync(folder))
    if ((await git(verbs.removeWorktree(join(folder, name)))).code === 0) removed += 1;
  return removed;
};
