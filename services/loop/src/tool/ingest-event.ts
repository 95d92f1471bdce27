/** `ingest_event` and `nudge`: what a client reports. The payload is read before anything is stored; a result is measured first. */

import type { SessionStepResult } from "../machine/machine.ts";
import { invalidArgument } from "../session/declared-error.ts";
import type { EventDraft } from "../session/event-draft.ts";
import { attributeChange, findWork, measureTicket, type TicketMeasurement } from "../session/measure.ts";
import type { AppliedEvent, Project } from "../session/project.ts";
import { trySettleTrees } from "../session/settle-tree.ts";
import type { EventType } from "../state/event.ts";
import type { SessionPhase } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { readPayload } from "./payload.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";

type IngestEventInput = ToolInput<"ingestEvent">;
type IngestEventOutput = ToolOutput<"ingestEvent">;

/** What is stored with an event and answered again to the same id. */
export interface Receipt {
  readonly processed: boolean;
  readonly phase_changed: boolean;
  readonly new_phase?: SessionPhase;
  readonly message: string;
  readonly step: number;
  readonly current_phase: SessionPhase;
}

export const createReceipt = ({ state, processed, message }: SessionStepResult, before: RunState): Receipt => ({
  processed,
  phase_changed: state.phase !== before.phase,
  ...(state.phase !== before.phase && { new_phase: state.phase }),
  message,
  step: state.stepCount,
  current_phase: state.phase,
});

export const ingestEvent = async (
  project: Project,
  { type, payload, event_id }: IngestEventInput,
): Promise<IngestEventOutput> => {
  const verdict = readPayload(type, payload);
  if (!verdict.ok) throw invalidArgument(verdict.issues);
  const { payload: read, usage } = verdict;
  const { answer, id } = await recordEvent(project, { type, payload: read, id: event_id, usage });
  return { ...answer, event_id: id };
};

/**
 * Records an event. A report about a ticket's work is recorded with what the server measures in the working tree, and that counts as
 * this ticket's change.
 */
export const recordEvent = async (project: Project, draft: EventDraft): Promise<AppliedEvent<Receipt>> => {
  const known = project.findRepeat<Receipt>(draft);
  if (known !== undefined) return known;
  const before = project.requireSession();
  const measurement = await measureDraft(project, before, draft);
  const { diff } = hasType(draft, "TICKET_RESULT") ? draft.payload : { diff: undefined };
  const seen =
    measurement === undefined || hasType(draft, "TICKET_ABANDONED") ? {} : { measured: measurement.change.measured };
  const recorded = await project.commit(() => {
    const applied = project.apply({ ...draft, ...seen, patch: measurement?.change.patch ?? diff }, createReceipt);
    if (measurement !== undefined && applied.answer.processed && !applied.repeated)
      attributeChange(project, before, measurement);
    return applied;
  });
  await trySettleTrees(project);
  return recorded;
};

const hasType = <T extends EventType>(draft: EventDraft, type: T): draft is EventDraft<T> => draft.type === type;

/** Measures the tree when a ticket's work is reported, passed, published or given up. */
const measureDraft = async (
  project: Project,
  state: RunState,
  draft: EventDraft,
): Promise<TicketMeasurement | undefined> => {
  const published = hasType(draft, "PR_CREATED");
  if (
    !published &&
    !hasType(draft, "TICKET_RESULT") &&
    !hasType(draft, "QA_PASSED") &&
    !hasType(draft, "TICKET_ABANDONED")
  )
    return undefined;
  const work = findWork(state, draft.payload.ticket_id);
  if (work === undefined) return undefined;
  const change = await measureTicket(project, state, { work, ...(published && { branch: draft.payload.branch }) });
  return change && { work, change };
};

type NudgeOutput = ToolOutput<"nudge">;

export const nudge = async (project: Project, { hint, event_id }: ToolInput<"nudge">): Promise<NudgeOutput> => {
  const { answer, state } = await project.send(
    { type: "USER_OVERRIDE", payload: { hint }, id: event_id },
    createReceipt,
  );
  return { hint, pending_hints: [...state.hints], message: answer.message };
};
