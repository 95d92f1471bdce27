/**
 * `complete_ticket`: takes the working tree as the result, runs the verification commands and passes the ticket. Each part is an
 * event under an id made from the call's own, so that a call that was cut off by a crash goes on where it was when it is sent
 * again: nothing that was recorded is run or applied twice.
 */

import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import { runCommand } from "../qa/run-command.ts";
import { placeOf } from "../session/measure.ts";
import type { Draft, Project } from "../session/project.ts";
import type { PayloadOf } from "../state/event.ts";
import type { Phase } from "../state/phase.ts";
import type { RunState, Work } from "../state/run-state.ts";
import { placeOfRow, readStored } from "../store/stored-event.ts";
import { payloadShapes } from "../store/stored-shape.ts";
import { eventIdFrom } from "../value/id.ts";
import { limits } from "../value/limits.ts";
import { cutStart } from "../value/text.ts";
import { type Receipt, record } from "./ingest-event.ts";
import { requireRun, requireTicketId, requireWork } from "./status.ts";

type Input = HandlerInput<typeof loop.procedures.completeTicket>;
type Output = HandlerOutput<typeof loop.procedures.completeTicket>;
type Commanded = PayloadOf<"QA_COMMAND_RESULT">;

export const completeTicket = async (project: Project, input: Input, signal?: AbortSignal): Promise<Output> => {
  const ticketId = requireTicketId(input.ticketId);
  const qaResults: Output["qaResults"] = [];
  const reply = (success: boolean, message: string, phase: Phase): Output => ({
    success,
    ticketId,
    qaResults,
    message,
    phase,
  });
  const closing = ({ processed, message, current_phase }: Receipt): Output =>
    reply(processed, processed ? message : `${message}; ${writtenText}`, current_phase);
  const passing: Draft<"QA_PASSED"> = {
    type: "QA_PASSED",
    payload: { ticket_id: ticketId, summary: input.summary ?? "", unmet_criteria: [] },
    id: input.event_id,
  };
  const passed = project.repeat<Receipt>(passing);
  if (passed !== undefined) {
    qaResults.push(...recordedCommands(project, input).map(qaResultOf));
    return closing(passed.answer);
  }

  const state = project.session();
  requireRun(state, input.runId);
  const work = requireWork(state, ticketId);
  const phase = phaseOf(state, work);
  if (phase !== "EXECUTE" && phase !== "QA")
    return reply(false, `the ticket is in ${phase}; it is completed from EXECUTE or QA`, state.phase);
  if (phase === "EXECUTE") {
    const { answer } = await record(project, resultOf(project, work, input));
    if (!answer.processed) return reply(false, answer.message, answer.current_phase);
  }
  for (const [index, command] of work.ticket.verificationCommands.entries()) {
    const id = partId(input, `command ${index}`);
    const outcome = recordedCommand(project, id) ?? (await runAndRecord(project, work, { command, id, signal }));
    qaResults.push(qaResultOf(outcome));
    if (!outcome.success) return reply(false, failureText(command, input), project.session().phase);
  }
  return closing((await record(project, passing)).answer);
};

const writtenText = "what a verification command writes counts too, unless git ignores it";

const phaseOf = (state: RunState, { ticket }: Work): Phase =>
  state.workers.find((worker) => worker.ticket.id === ticket.id)?.phase ?? state.phase;

const failureText = (command: string, { event_id }: Input): string =>
  `${command} failed; mend it and call again${event_id === undefined ? "" : " with another event_id"}, or report QA_FAILED`;

/** The id of a part of the call; drawn anew when the call has none. */
const partId = ({ event_id }: Input, part: string): string | undefined =>
  event_id === undefined ? undefined : eventIdFrom(`${event_id} ${part}`);

/** The working tree is the result; outside git the plan's files stand for it. */
const resultOf = ({ git }: Project, { ticket, plannedFiles }: Work, input: Input): Draft<"TICKET_RESULT"> => ({
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

const qaResultOf = ({ command, success, output, duration_ms }: Commanded): Output["qaResults"][number] => ({
  command,
  success,
  output: cutStart(output, limits.outputTail),
  duration_ms: duration_ms ?? 0,
});

const recordedCommand = (project: Project, id: string | undefined): Commanded | undefined => {
  const row = project.recorded("QA_COMMAND_RESULT", id);
  return row && readStored(payloadShapes.QA_COMMAND_RESULT, row.payload, placeOfRow(row));
};

/** Every command that the call has recorded, in order. */
const recordedCommands = (project: Project, input: Input): readonly Commanded[] => {
  const found: Commanded[] = [];
  for (;;) {
    const next = recordedCommand(project, partId(input, `command ${found.length}`));
    if (next === undefined) return found;
    found.push(next);
  }
};

interface Run {
  readonly command: string;
  readonly id: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const runAndRecord = async (project: Project, work: Work, { command, id, signal }: Run): Promise<Commanded> => {
  const { success, output, durationMs } = await runCommand(command, {
    folder: placeOf(project, project.session(), work)?.folder ?? project.root,
    timeLimitMs: project.world.qaTimeLimitMs,
    environment: project.world.qaEnvironment,
    clock: project.world.clock,
    ...(signal !== undefined && { signal }),
  });
  const payload = { ticket_id: work.ticket.id, command, success, output, duration_ms: durationMs };
  await record(project, { type: "QA_COMMAND_RESULT", payload, id });
  return payload;
};
