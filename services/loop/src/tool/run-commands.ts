/**
 * Runs a ticket's verification commands, one after the other until one fails. Each is recorded under an id made from the call's own: what
 * was recorded is not run again when the call is repeated.
 */

import { runCommand } from "../qa/run-command.ts";
import { findWorkingTree } from "../session/measure.ts";
import type { Project } from "../session/project.ts";
import type { EventPayload } from "../state/event.ts";
import type { TicketWork } from "../state/run-state.ts";
import { decodeStored, describeRow } from "../store/stored-event.ts";
import { payloadShapes } from "../store/stored-shape.ts";
import { deriveEventId } from "../value/id.ts";
import { recordEvent } from "./record-event.ts";

export type CommandPayload = EventPayload<"QA_COMMAND_RESULT">;

/** The call that the commands are run for. */
interface CommandCall {
  readonly event_id?: string | undefined;
}

interface VerificationRun extends CommandCall {
  readonly signal: AbortSignal | undefined;
  readonly onEnd?: (result: CommandPayload) => void;
}

/** The command that failed; `undefined` when all passed. */
export const runCommands = async (
  project: Project,
  work: TicketWork,
  { event_id, signal, onEnd }: VerificationRun,
): Promise<CommandPayload | undefined> => {
  for (const [index, command] of work.ticket.verificationCommands.entries()) {
    const id = partId({ event_id }, `command ${index}`);
    const result = recordedCommand(project, id) ?? (await runAndRecord(project, work, { command, id, signal }));
    onEnd?.(result);
    if (!result.success) return result;
  }
  return undefined;
};

/** The id of a part of the call; a new one when the call has none. */
export const partId = ({ event_id }: CommandCall, part: string): string | undefined =>
  event_id === undefined ? undefined : deriveEventId(`${event_id} ${part}`);

const recordedCommand = (project: Project, id: string | undefined): CommandPayload | undefined => {
  const row = project.findRecorded("QA_COMMAND_RESULT", id);
  return row && decodeStored(payloadShapes.QA_COMMAND_RESULT, row.payload, describeRow(row));
};

/** Every command that the call has recorded, in order. */
export const recordedCommands = (project: Project, input: CommandCall): readonly CommandPayload[] => {
  const found: CommandPayload[] = [];
  for (;;) {
    const next = recordedCommand(project, partId(input, `command ${found.length}`));
    if (next === undefined) return found;
    found.push(next);
  }
};

interface CommandRun {
  readonly command: string;
  readonly id: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const runAndRecord = async (
  project: Project,
  work: TicketWork,
  { command, id, signal }: CommandRun,
): Promise<CommandPayload> => {
  const { success, output, durationMs } = await runCommand(command, {
    folder: findWorkingTree(project, project.requireSession(), work)?.folder ?? project.root,
    timeLimitMs: project.options.qaTimeLimitMs,
    environment: project.options.qaEnvironment,
    clock: project.options.clock,
    ...(signal !== undefined && { signal }),
  });
  // A command that its caller has cancelled says nothing about the ticket.
  signal?.throwIfAborted();
  const payload = { ticket_id: work.ticket.id, command, success, output, duration_ms: durationMs };
  await recordEvent(project, { type: "QA_COMMAND_RESULT", payload, id });
  return payload;
};
