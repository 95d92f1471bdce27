/** Tools that work on one ticket: `next_ticket`, `fail_ticket`, `git_setup`. Not here: `complete_ticket` (`complete-ticket.ts`). */

import { gitArguments, parseRevision } from "../git/arguments.ts";
import { listBranchLocks, setUpBranch } from "../git/branch.ts";
import { declaredError } from "../session/declared-error.ts";
import type { EventDraft } from "../session/event-draft.ts";
import type { Project } from "../session/project.ts";
import type { RunState } from "../state/run-state.ts";
import { ticketPolicy } from "../state/state-document.ts";
import type { TicketId } from "../value/id.ts";
import { ensureBaselines, moveBaseline, noteWorktree, readBaseline } from "../working-tree/measure.ts";
import { settleTrees } from "../working-tree/settle-tree.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { createReceipt, recordEvent } from "./record-event.ts";
import { requireRun, requireTicketId, requireWork } from "./status.ts";

export const nextTicket = async (project: Project): Promise<ToolOutput<"nextTicket">> => {
  await settleTrees(project);
  const before = project.requireSession();
  const state =
    before.current === null ? (await project.send({ type: "TICKET_TAKEN", payload: {} }, createReceipt)).state : before;
  await ensureBaselines(project, state);
  const { current } = state;
  if (current === null) {
    const message =
      state.workers.length > 0
        ? "Tickets are worked on in parallel; call promptwheel_advance for their prompts."
        : `${state.stopReason ?? "No ticket is ready"}; call promptwheel_advance.`;
    return {
      ticketId: null,
      runId: state.runId,
      title: null,
      description: null,
      allowedPaths: [],
      verificationCommands: [],
      category: null,
      instructions: message,
      message,
    };
  }
  const { ticket } = current;
  return {
    ticketId: ticket.id,
    runId: state.runId,
    title: ticket.title,
    description: ticket.description,
    allowedPaths: [...ticketPolicy(state, current).allowed_paths],
    verificationCommands: [...ticket.verificationCommands],
    category: ticket.category,
    instructions: `The ticket is in ${state.phase}; call promptwheel_advance for the prompt, or promptwheel_complete_ticket when it is done.`,
  };
};

export const failTicket = async (
  project: Project,
  { ticketId, runId, reason, event_id }: ToolInput<"failTicket">,
): Promise<ToolOutput<"failTicket">> => {
  const draft = (ticket_id: TicketId): EventDraft<"TICKET_ABANDONED"> => ({
    type: "TICKET_ABANDONED",
    payload: { ticket_id, reason },
    id: event_id,
  });
  const named = requireTicketId(ticketId);
  if (project.findRepeat(draft(named)) === undefined) {
    const state = project.requireSession();
    requireRun(state, runId);
    requireWork(state, named);
  }
  const { answer } = await recordEvent(project, draft(named));
  return { ticketId: named, status: "blocked", reason, message: answer.message };
};

export const gitSetup = async (
  project: Project,
  { ticketId, baseBranch }: ToolInput<"gitSetup">,
): Promise<ToolOutput<"gitSetup">> => {
  const state = project.requireSession();
  const work = requireWork(state, ticketId);
  const { git, root, lockGuard } = project;
  const { ticket } = work;
  if (git === undefined) throw declaredError("git_refused", `project ${project.name} is not a git repository`);
  const { ownTree, direct, startBranch } = state.settings;
  const ownWorktree = state.workers.some((worker) => worker.ticket.id === ticket.id) || (ownTree && !direct);
  const base = baseBranch ?? (await findTakenCommit(project, state, ticket.id));
  const setup = await lockGuard.run(await listBranchLocks(git, ticket), () =>
    setUpBranch(git, root, { ticket, baseBranch: base, ownWorktree }),
  );
  await moveBaseline(project, work, setup.baseBranch);
  if (ownWorktree) await noteWorktree(project, work, setup.branchName);
  return { ...setup, baseBranch: baseBranch ?? startBranch ?? setup.baseBranch, ticketId: work.ticket.id };
};

/**
 * Where a session owns its tree, a branch begins at the commit of the session's branch that was there when the ticket was taken: what
 * other tickets have done since then is not this one's change.
 */
const findTakenCommit = async (project: Project, { settings }: RunState, id: TicketId): Promise<string | undefined> => {
  const start = parseRevision(settings.startBranch ?? "");
  const taken = parseRevision(readBaseline(project, id)?.head ?? "");
  if (start === undefined || project.git === undefined) return undefined;
  const isThere = taken !== undefined && (await project.git(gitArguments.isAncestor(taken, start))).code === 0;
  return isThere ? taken : start;
};
