/**
 * Runs a ticket's verification commands, one after the other until one fails. Each is recorded under an id made from the call's own: what
 * was recorded is not run again when the call is repeated.
 */

import { type CommandResult, runCommand } from "../qa/run-command.ts";
import type { Project } from "../session/project.ts";
import { signFailure } from "../spindle/signature.ts";
import type { EventPayload } from "../state/event.ts";
import type { TicketWork } from "../state/run-state.ts";
import { hookCommand, hookNames } from "../state/verification.ts";
import { decodeStored, describeRow } from "../store/stored-event.ts";
import { payloadShapes } from "../store/stored-shape.ts";
import { deriveEventId, type TicketId } from "../value/id.ts";
import { runOnBase } from "../working-tree/base-run.ts";
import { listCommitHooks } from "../working-tree/commit-hooks.ts";
import { findWork, findWorkingTree } from "../working-tree/measure.ts";
import { duringRun } from "../working-tree/tool-log.ts";
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
  call: VerificationRun,
): Promise<CommandPayload | undefined> => {
  for (const [index, command] of work.ticket.verificationCommands.entries()) {
    const { folder = project.root } = findWorkingTree(project, project.requireSession(), work) ?? {};
    const run = async (signal: AbortSignal | undefined) => {
      const runIn = createRunner(project, command, signal);
      const own = await runIn(folder);
      return own.success || signal?.aborted === true
        ? own
        : { ...own, base: await findBase(project, work, { command, runIn }) };
    };
    const result = await recordOnce(project, work, { command, part: commandPart(index), call, run });
    if (!result.success) return result;
  }
  return undefined;
};

/** The hook of the ticket's commit that failed; `undefined` when all passed, and where no hook runs. */
export const runHooks = async (
  project: Project,
  id: TicketId,
  call: VerificationRun,
): Promise<CommandPayload | undefined> => {
  const state = project.requireSession();
  const work = findWork(state, id);
  if (work === undefined) return undefined;
  for (const { command, run } of listCommitHooks(project, state, work)) {
    const result = await recordOnce(project, work, { command, part: command, call, run });
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

const commandPart = (index: number): string => `command ${index}`;

/** Every command and hook that the call has recorded, in order. */
export const recordedCommands = (project: Project, input: CommandCall): readonly CommandPayload[] => {
  const found: CommandPayload[] = [];
  for (;;) {
    const next = recordedCommand(project, partId(input, commandPart(found.length)));
    if (next === undefined) break;
    found.push(next);
  }
  return [...found, ...hookNames.flatMap((name) => recordedCommand(project, partId(input, hookCommand(name))) ?? [])];
};

type RecordedResult = Omit<CommandResult, "command"> & Pick<CommandPayload, "base">;

interface RecordedRun {
  readonly command: string;
  /** Its place in the call. */
  readonly part: string;
  readonly call: VerificationRun;
  readonly run: (signal: AbortSignal | undefined) => Promise<RecordedResult>;
}

/** Runs it and records its result, unless the call has done so before. */
const recordOnce = async (
  project: Project,
  work: TicketWork,
  { command, part, call, run }: RecordedRun,
): Promise<CommandPayload> => {
  const id = partId(call, part);
  const known = recordedCommand(project, id);
  const result = known ?? (await runAndRecord(project, work, { command, id, call, run }));
  call.onEnd?.(result);
  return result;
};

const runAndRecord = async (
  project: Project,
  work: TicketWork,
  { command, id, call, run }: Omit<RecordedRun, "part"> & { readonly id: string | undefined },
): Promise<CommandPayload> => {
  const { success, output, durationMs, base } = await duringRun(project, command, () => run(call.signal));
  // A command that its caller has cancelled says nothing about the ticket.
  call.signal?.throwIfAborted();
  const payload = {
    ticket_id: work.ticket.id,
    command,
    success,
    output,
    duration_ms: durationMs,
    ...(base !== undefined && { base }),
  };
  await recordEvent(project, { type: "QA_COMMAND_RESULT", payload, id });
  return payload;
};

const createRunner =
  ({ options }: Project, command: string, signal: AbortSignal | undefined) =>
  (folder: string): Promise<CommandResult> =>
    runCommand(command, {
      folder,
      timeLimitMs: options.qaTimeLimitMs,
      environment: options.qaEnvironment,
      network: options.qaNetwork,
      clock: options.clock,
      ...(signal !== undefined && { signal }),
    });

interface BaseQuestion {
  readonly command: string;
  readonly runIn: (folder: string) => Promise<CommandResult>;
}

/** What a failed command did before the ticket: once for a ticket. */
const findBase = async (
  project: Project,
  work: TicketWork,
  { command, runIn }: BaseQuestion,
): Promise<CommandPayload["base"]> => {
  const now = findWork(project.requireSession(), work.ticket.id) ?? work;
  const known = now.baseResults.find((one) => one.command === command);
  if (known !== undefined) return { success: known.success, signature: known.signature };
  const before = await runOnBase(project, work, runIn);
  return before && { success: before.success, signature: signFailure(command, before.output) };
};
