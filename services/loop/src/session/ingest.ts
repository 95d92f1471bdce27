/** `ingest_event` and `nudge`: what a client reports. The payload is read before anything is stored; a result is measured first. */
import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";
import type { ClientEventType, PayloadOf } from "../machine/event.ts";
import type { Outcome } from "../machine/machine.ts";
import { readPayload } from "../machine/payload.ts";
import type { Phase } from "../machine/phase.ts";
import type { RunState } from "../machine/state.ts";
import { badArgument } from "./failure.ts";
import { measure, workOn } from "./measure.ts";
import type { Draft, Project } from "./project.ts";

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
  const draft = await measured(project, { type, payload: verdict.payload, id: event_id });
  const { answer, id } = await project.drive(() => project.apply(draft, receiptOf));
  return { ...answer, event_id: id };
};

/** A result gets what the server sees in the working tree. */
export const measured = async (project: Project, draft: Draft<ClientEventType>): Promise<Draft<ClientEventType>> => {
  if (draft.type !== "TICKET_RESULT") return draft;
  const payload = draft.payload as PayloadOf<"TICKET_RESULT">;
  const state = project.session();
  const work = workOn(state, payload.ticket_id);
  const change = work === undefined ? undefined : await measure(project, state, work);
  return change === undefined
    ? { ...draft, patch: payload.diff }
    : { ...draft, measured: change.measured, patch: change.patch };
};

type NudgeOutput = HandlerOutput<typeof loop.procedures.nudge>;

export const nudge = async (
  project: Project,
  { hint }: HandlerInput<typeof loop.procedures.nudge>,
): Promise<NudgeOutput> => {
  const { answer, state } = await project.drive(() =>
    project.apply({ type: "USER_OVERRIDE", payload: { hint } }, receiptOf),
  );
  return { hint, pending_hints: [...state.hints], message: answer.message };
};
