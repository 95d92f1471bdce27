/** `ingest_event` and `nudge`: what a client reports. The payload is read before anything is stored. */

import { invalidArgument } from "../session/declared-error.ts";
import type { EventDraft } from "../session/event-draft.ts";
import type { Project } from "../session/project.ts";
import { findPhase, findWork } from "../working-tree/measure.ts";
import { readPayload } from "./payload.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { createReceipt, hasDraftType, recordEvent } from "./record-event.ts";
import { runCommands, runHooks } from "./run-commands.ts";

type IngestEventInput = ToolInput<"ingestEvent">;
type IngestEventOutput = ToolOutput<"ingestEvent">;

export const ingestEvent = async (
  project: Project,
  { type, payload, event_id }: IngestEventInput,
  signal?: AbortSignal,
): Promise<IngestEventOutput> => {
  const verdict = readPayload(type, payload);
  if (!verdict.ok) throw invalidArgument(verdict.issues);
  const { payload: read, usage } = verdict;
  const draft: EventDraft = { type, payload: read, id: event_id, usage };
  if (hasDraftType(draft, "QA_PASSED")) await verify(project, draft, signal);
  const { answer, id } = await recordEvent(project, draft);
  return { ...answer, event_id: id };
};

/**
 * In a session in which the server verifies, its own run comes before the client's word; the hooks of the ticket's commit run in every one.
 * What was recorded is not run again.
 */
const verify = async (
  project: Project,
  draft: EventDraft<"QA_PASSED">,
  signal: AbortSignal | undefined,
): Promise<void> => {
  if (project.findRepeat(draft) !== undefined) return;
  const state = project.requireSession();
  const work = findWork(state, draft.payload.ticket_id);
  if (work === undefined || findPhase(state, work) !== "QA") return;
  const call = { event_id: draft.id, signal };
  if (state.settings.qa === "server" && (await runCommands(project, work, call)) !== undefined) return;
  await runHooks(project, work.ticket.id, call);
};

type NudgeOutput = ToolOutput<"nudge">;

export const nudge = async (project: Project, { hint, event_id }: ToolInput<"nudge">): Promise<NudgeOutput> => {
  const { answer, state } = await project.send(
    { type: "USER_OVERRIDE", payload: { hint }, id: event_id },
    createReceipt,
  );
  return { hint, pending_hints: [...state.hints], message: answer.message };
};
