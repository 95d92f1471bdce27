/** A person approves or rejects the plan that waits for them. Not for agents: it is not a tool of MCP. */
import { planSubmission } from "../plan/submission.ts";
import { declaredError, invalidArgument } from "../session/declared-error.ts";
import type { EventDraft } from "../session/event-draft.ts";
import type { Project } from "../session/project.ts";
import type { RunState, TicketWork } from "../state/run-state.ts";
import type { StoredEvent } from "../store/event-table.ts";
import { decodeStored, describeRow } from "../store/stored-event.ts";
import { payloadShapes } from "../store/stored-shape.ts";
import type { TicketId } from "../value/id.ts";
import { findPhase } from "../working-tree/measure.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { createReceipt, type Receipt } from "./record-event.ts";

type PlanDecision = EventDraft<"PLAN_DECIDED">["payload"];

export const approvePlan = (
  project: Project,
  { plan, ...named }: ToolInput<"approvePlan">,
): Promise<ToolOutput<"approvePlan">> =>
  decide(project, named, { decision: "approve", reason: "", ...(plan !== undefined && { plan: readPlan(plan) }) });

export const rejectPlan = (
  project: Project,
  { reason, ...named }: ToolInput<"rejectPlan">,
): Promise<ToolOutput<"rejectPlan">> => decide(project, named, { decision: "reject", reason });

interface NamedPlan {
  readonly event_id?: string | undefined;
  readonly ticket_id?: string | undefined;
}

const decide = async (
  project: Project,
  { event_id, ticket_id }: NamedPlan,
  decision: Omit<PlanDecision, "ticket_id">,
): Promise<ToolOutput<"approvePlan">> => {
  const known = project.findRecorded("PLAN_DECIDED", event_id);
  const id = known === undefined ? findWaitingPlan(project.requireSession(), ticket_id).ticket.id : readTicketId(known);
  const payload = { ticket_id: id, ...decision };
  const { answer } = await project.send<"PLAN_DECIDED", Receipt>(
    { type: "PLAN_DECIDED", payload, id: event_id },
    createReceipt,
  );
  return { ticket_id: id, processed: answer.processed, phase: answer.current_phase, message: answer.message };
};

const readTicketId = (row: StoredEvent): TicketId =>
  decodeStored(payloadShapes.PLAN_DECIDED, row.payload, describeRow(row)).ticket_id;

/** The ticket whose plan waits: the one that is named, or the only one. */
const findWaitingPlan = (state: RunState, named: string | undefined): TicketWork => {
  const open = [...(state.current === null ? [] : [state.current]), ...state.workers];
  const held = open.filter((work) => work.heldPlan !== null && findPhase(state, work) === "PLAN");
  const work = named === undefined ? held[0] : held.find(({ ticket }) => ticket.id === named);
  if (work === undefined)
    throw declaredError(
      "no_plan",
      named === undefined ? "no plan waits for a person" : `no plan of ${named} waits for a person`,
      { waiting: held.map(({ ticket }) => ticket.id) },
    );
  if (named === undefined && held.length > 1)
    throw declaredError("no_plan", "several plans wait for a person: name the ticket", {
      waiting: held.map(({ ticket }) => ticket.id),
    });
  return work;
};

/** An edited plan is read as an agent's is. */
const readPlan = (plan: Readonly<Record<string, unknown>>): NonNullable<PlanDecision["plan"]> => {
  const verdict = planSubmission.safeParse(plan);
  if (verdict.success) return verdict.data;
  throw invalidArgument(
    verdict.error.issues.slice(0, 20).map(({ path, message }) => ({
      path: ["plan", ...path].map(String).join("."),
      expected: message,
      fix: "correct it",
    })),
  );
};
