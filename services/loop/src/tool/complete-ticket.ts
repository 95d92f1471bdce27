/**
 * `complete_ticket`: takes the working tree as the plan and as the result, runs the verification commands and passes the ticket. Each part is an
 * event under an id made from the call's own, so that a call that was cut off by a crash continues where it was when it is sent
 * again: nothing that was recorded is run or applied twice.
 */

import type { EventDraft } from "../session/event-draft.ts";
import type { Project } from "../session/project.ts";
import type { SessionPhase } from "../state/phase.ts";
import type { TicketWork } from "../state/run-state.ts";
import { compareWithBase, describeBefore } from "../state/verification.ts";
import { limits } from "../value/limits.ts";
import { cutStart } from "../value/text.ts";
import { findPhase, measureTicket } from "../working-tree/measure.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { type Receipt, recordEvent } from "./record-event.ts";
import { type CommandPayload, partId, recordedCommands, runCommands, runHooks } from "./run-commands.ts";
import { requireRun, requireTicketId, requireWork } from "./status.ts";

type CompleteTicketInput = ToolInput<"completeTicket">;
type CompleteTicketOutput = ToolOutput<"completeTicket">;

export const completeTicket = async (
  project: Project,
  input: CompleteTicketInput,
  signal?: AbortSignal,
): Promise<CompleteTicketOutput> => {
  const ticketId = requireTicketId(input.ticketId);
  const qaResults: CompleteTicketOutput["qaResults"] = [];
  const reply = (success: boolean, message: string, phase: SessionPhase): CompleteTicketOutput => ({
    success,
    ticketId,
    qaResults,
    message,
    phase,
  });
  const closing = ({ processed, message, current_phase }: Receipt): CompleteTicketOutput =>
    reply(processed, processed ? message : `${message}; ${writtenText}`, current_phase);
  const passing: EventDraft<"QA_PASSED"> = {
    type: "QA_PASSED",
    payload: { ticket_id: ticketId, summary: input.summary ?? "", unmet_criteria: [] },
    id: input.event_id,
  };
  const passed = project.findRepeat<Receipt>(passing);
  if (passed !== undefined) {
    qaResults.push(...recordedCommands(project, input).map(toQaResult));
    return closing(passed.answer);
  }

  const state = project.requireSession();
  requireRun(state, input.runId);
  const work = requireWork(state, ticketId);
  const phase = findPhase(state, work);
  if (phase !== "PLAN" && phase !== "EXECUTE" && phase !== "QA")
    return reply(false, `the ticket is in ${phase}; it is completed from PLAN, EXECUTE or QA`, state.phase);
  if (phase === "PLAN") {
    const plan = await createPlanDraft(project, work, input);
    if (plan === undefined) return reply(false, nothingChangedText, state.phase);
    const { answer } = await recordEvent(project, plan);
    if (answer.new_phase !== "EXECUTE") return reply(false, answer.message, answer.current_phase);
  }
  if (phase !== "QA") {
    const { answer } = await recordEvent(project, createResultDraft(project, work, input));
    if (!answer.processed) return reply(false, answer.message, answer.current_phase);
  }
  const call = {
    event_id: input.event_id,
    signal,
    onEnd: (one: CommandPayload) => {
      qaResults.push(toQaResult(one));
    },
  };
  const failed = (await runCommands(project, work, call)) ?? (await runHooks(project, ticketId, call));
  if (failed !== undefined) return reply(false, failureText(failed, input), project.requireSession().phase);
  return closing((await recordEvent(project, passing)).answer);
};

const writtenText = "what a verification command writes counts too, unless git ignores it";

const failureText = (failed: CommandPayload, { event_id }: CompleteTicketInput): string =>
  `${failed.command} failed${describeBefore(compareWithBase(failed))}; fix it and call again${event_id === undefined ? "" : " with another event_id"}, or report QA_FAILED`;

const nothingChangedText =
  "nothing was changed that could be the plan: do the ticket first, or report PLAN_SUBMITTED (outside git always)";

/** What was changed is the plan; `undefined` where nothing was, or nothing can be seen. */
const createPlanDraft = async (
  project: Project,
  work: TicketWork,
  input: CompleteTicketInput,
): Promise<EventDraft<"PLAN_SUBMITTED"> | undefined> => {
  const change = await measureTicket(project, project.requireSession(), { work });
  if (change === undefined || change.measured.files.length === 0) return undefined;
  const { files, linesAdded, linesRemoved } = change.measured;
  return {
    type: "PLAN_SUBMITTED",
    payload: {
      ticket_id: work.ticket.id,
      files_to_touch: files.map((path) => ({ path, reason: "it was changed", action: "modify" as const })),
      expected_tests: [],
      risk_level: work.ticket.risk,
      estimated_lines: linesAdded + linesRemoved,
    },
    id: partId(input, "plan"),
  };
};

/** The working tree is the result; outside git the plan's files take its place. */
const createResultDraft = (
  { git }: Project,
  { ticket, plannedFiles }: TicketWork,
  input: CompleteTicketInput,
): EventDraft<"TICKET_RESULT"> => ({
  type: "TICKET_RESULT",
  payload: {
    ticket_id: ticket.id,
    status: "done",
    changed_files: git === undefined ? (plannedFiles ?? []) : [],
    lines_added: 0,
    lines_removed: 0,
    summary: input.summary ?? "",
  },
  id: partId(input, "result"),
});

const toQaResult = ({
  command,
  success,
  output,
  duration_ms,
}: CommandPayload): CompleteTicketOutput["qaResults"][number] => ({
  command,
  success,
  output: cutStart(output, limits.outputTail),
  duration_ms: duration_ms ?? 0,
});
