/** Records an event of a client's: with what the server measures in the working tree, and what is stored and answered again to the same id. */

import { checkPublished } from "../git/published.ts";
import type { SessionStepResult } from "../machine/machine.ts";
import type { EventDraft } from "../session/event-draft.ts";
import type { AppliedEvent, Project } from "../session/project.ts";
import type { EventPayload, EventType } from "../state/event.ts";
import type { SessionPhase } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import {
  attributeChange,
  findWork,
  measureTicket,
  readBaseline,
  type TicketMeasurement,
} from "../working-tree/measure.ts";
import { trySettleTrees } from "../working-tree/settle-tree.ts";

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

/**
 * Records an event. A report about a ticket's work is recorded with what the server measures in the working tree, and that counts as
 * this ticket's change.
 */
export const recordEvent = async (project: Project, draft: EventDraft): Promise<AppliedEvent<Receipt>> => {
  const known = project.findRepeat<Receipt>(draft);
  if (known !== undefined) return known;
  const before = project.requireSession();
  const measurement = await measureDraft(project, before, draft);
  const { diff } = hasDraftType(draft, "TICKET_RESULT") ? draft.payload : { diff: undefined };
  const seen =
    measurement === undefined || hasDraftType(draft, "TICKET_ABANDONED")
      ? {}
      : { measured: measurement.change.measured };
  const recorded = await project.commit(() => {
    const applied = project.apply({ ...draft, ...seen, patch: measurement?.change.patch ?? diff }, createReceipt);
    if (measurement !== undefined && applied.answer.processed && !applied.repeated)
      attributeChange(project, before, measurement);
    return applied;
  });
  await trySettleTrees(project);
  return recorded;
};

export const hasDraftType = <T extends EventType>(draft: EventDraft, type: T): draft is EventDraft<T> =>
  draft.type === type;

/** Measures the tree when a ticket's work is reported, passed, published or given up. */
const measureDraft = async (
  project: Project,
  state: RunState,
  draft: EventDraft,
): Promise<TicketMeasurement | undefined> => {
  const published = hasDraftType(draft, "PR_CREATED");
  if (
    !published &&
    !hasDraftType(draft, "TICKET_RESULT") &&
    !hasDraftType(draft, "QA_PASSED") &&
    !hasDraftType(draft, "TICKET_ABANDONED")
  )
    return undefined;
  const work = findWork(state, draft.payload.ticket_id);
  if (work === undefined) return undefined;
  const change = await measureTicket(project, state, { work, ...(published && { branch: draft.payload.branch }) });
  if (change === undefined) return undefined;
  return { work, change: published ? await addPublished(project, draft.payload, { work, change }) : change };
};

const addPublished = async (
  project: Project,
  { url, branch }: EventPayload<"PR_CREATED">,
  { work, change }: TicketMeasurement,
): Promise<TicketMeasurement["change"]> => {
  const baseline = readBaseline(project, work.ticket.id);
  if (project.git === undefined || baseline === undefined) return change;
  const { top, options } = project;
  const reported = { url, branch, base: baseline.head };
  const published = await checkPublished(project.git, reported, { ask: options.pullRequestCheck ?? "local", top });
  return { ...change, measured: { ...change.measured, published } };
};
