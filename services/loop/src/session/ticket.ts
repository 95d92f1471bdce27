/** Tools that work on one ticket: `next_ticket`, `complete_ticket`, `fail_ticket`, `git_setup`. */
import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import { setUpBranch } from "../git/branch.ts";
import { cutStart, limits } from "../limits.ts";
import { policyOf } from "../machine/document.ts";
import type { Phase } from "../machine/phase.ts";
import type { RunState, Work } from "../machine/state.ts";
import { runCommand } from "../qa/run-command.ts";
import { failure } from "./failure.ts";
import { type Receipt, receiptOf, record } from "./ingest.ts";
import { ensureBaselines, moveBaseline, placeOf } from "./measure.ts";
import type { Draft, Project } from "./project.ts";
import { requireWork } from "./status.ts";

type In<N extends keyof typeof loop.procedures> = HandlerInput<(typeof loop.procedures)[N]>;
type Out<N extends keyof typeof loop.procedures> = HandlerOutput<(typeof loop.procedures)[N]>;

export const nextTicket = async (project: Project): Promise<Out<"nextTicket">> => {
  const before = project.session();
  const state =
    before.current === null
      ? (await project.drive(() => project.apply({ type: "TICKET_TAKEN", payload: {} }, receiptOf))).state
      : before;
  await ensureBaselines(project, state);
  const { current } = state;
  if (current === null)
    return {
      ticketId: null,
      runId: state.runId,
      title: null,
      description: null,
      allowedPaths: [],
      verificationCommands: [],
      category: null,
      instructions:
        state.workers.length > 0
          ? "Tickets are worked on in parallel; call promptwheel_advance for their prompts."
          : "No ticket is ready; call promptwheel_advance.",
    };
  const { ticket } = current;
  return {
    ticketId: ticket.id,
    runId: state.runId,
    title: ticket.title,
    description: ticket.description,
    allowedPaths: [...policyOf(state, current).allowed_paths],
    verificationCommands: [...ticket.verificationCommands],
    category: ticket.category,
    instructions: `The ticket is in ${state.phase}; call promptwheel_advance for the prompt, or promptwheel_complete_ticket when it is done.`,
  };
};

const requireRun = (state: RunState, runId: string): void => {
  if (state.runId !== runId) throw failure("unknown_run", `${runId} is not the active run; ${state.runId} is`);
};

const phaseOf = (state: RunState, { ticket }: Work): Phase =>
  state.workers.find((worker) => worker.ticket.id === ticket.id)?.phase ?? state.phase;

type QaResults = Out<"completeTicket">["qaResults"];

export const completeTicket = async (
  project: Project,
  input: In<"completeTicket">,
  signal?: AbortSignal,
): Promise<Out<"completeTicket">> => {
  const state = project.session();
  requireRun(state, input.runId);
  const work = requireWork(state, input.ticketId);
  const qaResults: QaResults = [];
  const reply = (success: boolean, message: string): Out<"completeTicket"> => ({
    success,
    ticketId: work.ticket.id,
    qaResults,
    message,
    phase: project.peek()?.phase ?? state.phase,
  });
  const phase = phaseOf(state, work);
  if (phase !== "EXECUTE" && phase !== "QA")
    return reply(false, `the ticket is in ${phase}; it is completed from EXECUTE or QA`);
  if (phase === "EXECUTE") {
    const result = await reportResult(project, work, input.summary ?? "");
    if (!result.processed) return reply(false, result.message);
  }
  const failed = await runCommands(project, state, work, { qaResults, ...(signal !== undefined && { signal }) });
  if (failed !== undefined) return reply(false, `${failed} failed; mend it and call again, or report QA_FAILED`);
  const passed = await report(project, {
    type: "QA_PASSED",
    payload: { ticket_id: work.ticket.id, summary: input.summary ?? "", unmet_criteria: [] },
  });
  return reply(passed.processed, passed.message);
};

const report = async (project: Project, draft: Draft): Promise<Receipt> => (await record(project, draft)).answer;

/** The working tree is the result; outside git the plan's files stand for it. */
const reportResult = async (project: Project, work: Work, summary: string): Promise<Receipt> =>
  report(project, {
    type: "TICKET_RESULT",
    payload: {
      ticket_id: work.ticket.id,
      status: "done",
      changed_files: project.git === undefined ? (work.plannedFiles ?? []) : [],
      lines_added: 0,
      lines_removed: 0,
      summary,
    },
  });

/** Runs the commands in order; gives the first that failed. Each result is an event of its own. */
const runCommands = async (
  project: Project,
  state: RunState,
  work: Work,
  run: { readonly qaResults: QaResults; readonly signal?: AbortSignal },
): Promise<string | undefined> => {
  const folder = placeOf(project, state, work)?.folder ?? project.root;
  for (const command of work.ticket.verificationCommands) {
    const { success, output, durationMs } = await runCommand(command, {
      folder,
      timeLimitMs: project.world.qaTimeLimitMs,
      environment: project.world.qaEnvironment,
      clock: project.world.clock,
      ...(run.signal !== undefined && { signal: run.signal }),
    });
    run.qaResults.push({ command, success, output: cutStart(output, limits.outputTail), duration_ms: durationMs });
    await report(project, {
      type: "QA_COMMAND_RESULT",
      payload: { ticket_id: work.ticket.id, command, success, output },
    });
    if (!success) return command;
  }
  return undefined;
};

export const failTicket = async (
  project: Project,
  { ticketId, runId, reason }: In<"failTicket">,
): Promise<Out<"failTicket">> => {
  const state = project.session();
  requireRun(state, runId);
  const { ticket } = requireWork(state, ticketId);
  const { message } = await report(project, { type: "TICKET_ABANDONED", payload: { ticket_id: ticket.id, reason } });
  return { ticketId: ticket.id, status: "blocked", reason, message };
};

export const gitSetup = async (
  project: Project,
  { ticketId, baseBranch }: In<"gitSetup">,
): Promise<Out<"gitSetup">> => {
  const state = project.session();
  const work = requireWork(state, ticketId);
  if (project.git === undefined) throw failure("git_refused", `project ${project.name} is no git repository`);
  const apart = state.workers.some(({ ticket }) => ticket.id === work.ticket.id);
  const setup = await setUpBranch(project.git, project.root, { ticket: work.ticket, baseBranch, apart });
  await moveBaseline(project, work, setup.baseBranch);
  return { ...setup, ticketId: work.ticket.id };
};
