/** `end_session`: aborts what is open, sums up, and removes the worktrees of parallel tickets that hold nothing unsaved. */

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gitArguments } from "../git/arguments.ts";
import { listLocks } from "../git/branch.ts";
import { openGit } from "../git/git.ts";
import { listKept } from "../git/ignored.ts";
import { listParked, removeParked } from "../git/work-tree.ts";
import type { SessionStepResult } from "../machine/machine.ts";
import type { EventDraft } from "../session/event-draft.ts";
import type { AppliedEvent, Project } from "../session/project.ts";
import { readBranch, returnToBranch } from "../session/session-branch.ts";
import { computeCoverage } from "../state/coverage.ts";
import { countFailed, type RunState } from "../state/run-state.ts";
import { settleEnded, settleOpenWork, trySettleTrees } from "../working-tree/settle-tree.ts";
import { toMutable } from "./mutable.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";

type EndSessionInput = ToolInput<"endSession">;
type EndSessionOutput = ToolOutput<"endSession">;
type Summary = Omit<
  EndSessionOutput,
  "worktrees_removed" | "work" | "parked_branches" | "began_on_branch" | "ended_on_branch"
>;

export const endSession = async (project: Project, input: EndSessionInput): Promise<EndSessionOutput> => {
  const draft = createEndDraft(input.event_id);
  if (project.findRepeat(draft) === undefined) {
    await trySettleTrees(project);
    await settleOpenWork(project, project.requireSession());
  }
  return createReply(project, input, await project.send(draft, createSummary(project)));
};

/** The same with the commit done before the first await. */
export const endSessionNow = (project: Project, input: EndSessionInput): Promise<EndSessionOutput> => {
  const draft = createEndDraft(input.event_id);
  return createReply(
    project,
    input,
    project.findRepeat<Summary>(draft) ?? project.commitNow(() => project.apply(draft, createSummary(project))),
  );
};

const createEndDraft = (id: string | undefined): EventDraft<"SESSION_END"> => ({
  type: "SESSION_END",
  payload: {},
  id,
});

const createReply = async (
  project: Project,
  input: EndSessionInput,
  { answer, state, repeated }: AppliedEvent<Summary>,
): Promise<EndSessionOutput> => ({
  ...answer,
  work: toMutable([...state.trees, ...(repeated ? [] : await settleEnded(project, state))]),
  worktrees_removed: await removeWorktrees(project),
  began_on_branch: state.settings.startBranch,
  ended_on_branch: await endBranch(project, state),
  parked_branches: await settleParked(project, input.remove_merged === true),
});

const createSummary =
  ({ options }: Project) =>
  ({ state }: SessionStepResult): Summary => ({
    run_id: state.runId,
    session_id: state.sessionId,
    duration_ms: Math.max(0, options.clock() - state.startedAt),
    step_count: state.stepCount,
    tickets_completed: state.ticketsCompleted,
    tickets_verified: state.verified,
    tickets_failed: countFailed(state),
    tickets_blocked: state.ticketsBlocked,
    tickets_aborted: state.ticketsAborted,
    prs_created: state.prsCreated,
    prs: toMutable([...state.prs]),
    scout_cycles: state.scout.cycles,
    final_phase: state.phase,
    coverage_percent: computeCoverage(state.sectors).percent,
    message: state.stopReason ?? "the session is ended",
  });

/** The branch that is checked out now: the one that the session began on, unless git refuses to go back there. */
const endBranch = async (project: Project, { settings }: RunState): Promise<string | null> => {
  await returnToBranch(project, settings);
  return readBranch(project.git);
};

/** Parked work of every session; what HEAD has already is removed where that was asked for, and nothing else ever is. */
const settleParked = async (
  { git, lockGuard }: Project,
  removeMerged: boolean,
): Promise<EndSessionOutput["parked_branches"]> => {
  if (git === undefined) return [];
  const found: EndSessionOutput["parked_branches"] = [];
  for (const parked of await listParked(git)) {
    const locks = removeMerged && parked.merged ? await listLocks(git, parked.branch) : undefined;
    const removed = locks !== undefined && (await lockGuard.run(locks, () => removeParked(git, parked)));
    found.push({ ...parked, removed });
  }
  return found;
};

/** Git itself refuses to remove one with changes that are in no commit; what it ignores it would delete. */
const removeWorktrees = async ({ git, home }: Project): Promise<number> => {
  const folder = join(home, "worktrees");
  if (git === undefined || !existsSync(folder)) return 0;
  let removed = 0;
  for (const name of readdirSync(folder)) {
    const worktree = join(folder, name);
    const kept = existsSync(join(worktree, ".git")) ? await listKept(openGit(worktree)).catch(() => [worktree]) : [];
    if (kept.length === 0 && (await git(gitArguments.removeWorktree(worktree))).code === 0) removed += 1;
  }
  return removed;
};
