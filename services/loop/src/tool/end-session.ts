/** `end_session`: aborts what is open, sums up, and removes the worktrees of parallel tickets that hold nothing unsaved. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import { verbs } from "../git/arguments.ts";
import type { Outcome } from "../machine/machine.ts";
import type { Applied, Draft, Project } from "../session/project.ts";
import { coverageOf } from "../state/coverage.ts";

type Input = HandlerInput<typeof loop.procedures.endSession>;
type Output = HandlerOutput<typeof loop.procedures.endSession>;
type Summary = Omit<Output, "worktrees_removed">;

export const endSession = async (project: Project, { event_id }: Input): Promise<Output> =>
  reply(project, await project.send(ending(event_id), summaryFrom(project)));

/** The same with the commit done before the first await. */
export const endSessionNow = (project: Project, { event_id }: Input): Promise<Output> => {
  const draft = ending(event_id);
  return reply(
    project,
    project.repeat<Summary>(draft) ?? project.driveNow(() => project.apply(draft, summaryFrom(project))),
  );
};

const ending = (id: string | undefined): Draft<"SESSION_END"> => ({ type: "SESSION_END", payload: {}, id });

const reply = async (project: Project, { answer }: Applied<Summary>): Promise<Output> => ({
  ...answer,
  worktrees_removed: await removeWorktrees(project),
});

const summaryFrom =
  ({ world }: Project) =>
  ({ state }: Outcome): Summary => ({
    run_id: state.runId,
    session_id: state.sessionId,
    duration_ms: Math.max(0, world.clock() - state.startedAt),
    step_count: state.stepCount,
    tickets_completed: state.ticketsCompleted,
    tickets_failed: state.ticketsFailed,
    tickets_blocked: state.ticketsBlocked,
    tickets_aborted: state.ticketsAborted,
    prs_created: state.prsCreated,
    scout_cycles: state.scout.cycles,
    final_phase: state.phase,
    coverage_percent: coverageOf(state.sectors).percent,
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
