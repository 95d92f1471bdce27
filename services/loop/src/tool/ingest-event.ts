/** `ingest_event` and `nudge`: what a client reports. The payload is read before anything is stored; a result is measured first. */
import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import type { Outcome } from "../machine/machine.ts";
import { badArgument } from "../session/declared-error.ts";
import { attribute, measure, type Sight, workOn } from "../session/measure.ts";
import type { Applied, Draft, Project } from "../session/project.ts";
import type { EventType } from "../state/event.ts";
import type { Phase } from "../state/phase.ts";
import type { RunState } from "../state/run-state.ts";
import { readPayload } from "./payload.ts";

type Input = HandlerInput<typeof loop.procedures.ingestEvent>;
type Output = HandlerOutput<typeof loop.procedures.ingestEvent>;

/** What is stored with an event and answered again to the same id. */
export interface Receipt {
  readonly processed: boolean;
  readonly phase_changed: boolean;
  readonly new_phase?: Phase;
  readonly message: string;
  readonly step: number;
  readonly current_phase: Phase;
}

export const receiptOf = ({ state, processed, message }: Outcome, before: RunState): Receipt => ({
  processed,
  phase_changed: state.phase !== before.phase,
  ...(state.phase !== before.phase && { new_phase: state.phase }),
  message,
  step: state.stepCount,
  current_phase: state.phase,
});

export const ingestEvent = async (project: Project, { type, payload, event_id }: Input): Promise<Output> => {
  const verdict = readPayload(type, payload);
  if (!verdict.ok) throw badArgument(verdict.issues);
  const { payload: read, usage } = verdict;
  const { answer, id } = await record(project, { type, payload: read, id: event_id, usage });
  return { ...answer, event_id: id };
};

/**
 * Records an event. A report about a ticket's work goes with what the server sees in the working tree, and that is noted as this
 * ticket's doing.
 */
export const record = async (project: Project, draft: Draft): Promise<Applied<Receipt>> => {
  const known = project.repeat<Receipt>(draft);
  if (known !== undefined) return known;
  const before = project.session();
  const sight = await sightFor(project, before, draft);
  const { diff } = is(draft, "TICKET_RESULT") ? draft.payload : { diff: undefined };
  const seen = sight === undefined || is(draft, "TICKET_ABANDONED") ? {} : { measured: sight.change.measured };
  return project.drive(() => {
    const applied = project.apply({ ...draft, ...seen, patch: sight?.change.patch ?? diff }, receiptOf);
    if (sight !== undefined && applied.answer.processed && !applied.repeated) attribute(project, before, sight);
    return applied;
  });
};

const is = <T extends EventType>(draft: Draft, type: T): draft is Draft<T> => draft.type === type;

/** Looks at the tree when a ticket's work is reported, passed, published or given up. */
const sightFor = async (project: Project, state: RunState, draft: Draft): Promise<Sight | undefined> => {
  const published = is(draft, "PR_CREATED");
  if (!published && !is(draft, "TICKET_RESULT") && !is(draft, "QA_PASSED") && !is(draft, "TICKET_ABANDONED"))
    return undefined;
  const work = workOn(state, draft.payload.ticket_id);
  if (work === undefined) return undefined;
  const change = await measure(project, state, { work, ...(published && { branch: draft.payload.branch }) });
  return change && { work, change };
};

type NudgeOutput = HandlerOutput<typeof loop.procedures.nudge>;

export const nudge = async (
  project: Project,
  { hint, event_id }: HandlerInput<typeof loop.procedures.nudge>,
): Promise<NudgeOutput> => {
  const { answer, state } = await project.send({ type: "USER_OVERRIDE", payload: { hint }, id: event_id }, receiptOf);
  return { hint, pending_hints: [...state.hints], message: answer.message };
};
