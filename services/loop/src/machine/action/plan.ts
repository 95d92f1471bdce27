/** Actions of PLAN: a plan is approved, rejected by the scope policy, or held for a person, who then decides. */
import type { PlanSubmission } from "../../plan/submission.ts";
import { formatViolations } from "../../scope/check.ts";
import { ask } from "./scout.ts";
import { payloadIf, type Transition, withEffects, withMessage, withWork } from "./transition.ts";

export const askPlan = (transition: Transition): Transition => ask(transition, "plan");

export const approvePlan = (transition: Transition): Transition => {
  const plan = payloadIf(transition, "PLAN_SUBMITTED");
  return plan === undefined ? transition : approve(transition, plan, "the plan is approved");
};

const approve = (transition: Transition, plan: PlanSubmission, message: string): Transition => {
  const files = transition.facts.plan?.files ?? [];
  return withMessage(
    withEffects(withWork(transition, { plan, plannedFiles: files, heldPlan: null, lastPlanRejection: null }), {
      kind: "log",
      type: "PLAN_APPROVED",
      payload: { ticket_id: transition.state.current?.ticket.id, risk_level: plan.risk_level, files },
    }),
    message,
  );
};

export const rejectPlan = (transition: Transition): Transition =>
  reject(transition, formatViolations(transition.facts.plan?.violations ?? []));

const reject = (transition: Transition, reason: string): Transition => {
  const planRejections = (transition.state.current?.planRejections ?? 0) + 1;
  return withMessage(
    withEffects(withWork(transition, { heldPlan: null, planRejections, lastPlanRejection: reason }), {
      kind: "log",
      type: "PLAN_REJECTED",
      payload: { ticket_id: transition.state.current?.ticket.id, rejections: planRejections, reason },
    }),
    `the plan is rejected (${planRejections}): ${reason}`,
  );
};

const waitText = "the plan has a high risk and waits for a person: fairlead session approve, or reject";

const explain = (risks: readonly string[]): string => (risks.length === 0 ? "" : ` (${risks.slice(0, 3).join("; ")})`);

export const holdPlan = (transition: Transition): Transition => {
  const plan = payloadIf(transition, "PLAN_SUBMITTED");
  if (plan === undefined) return transition;
  const fileRisks = transition.facts.plan?.fileRisks ?? [];
  return withMessage(
    withEffects(withWork(transition, { heldPlan: plan, lastPlanRejection: null }), {
      kind: "log",
      type: "PLAN_HELD",
      payload: {
        ticket_id: transition.state.current?.ticket.id,
        risk_level: plan.risk_level,
        files: transition.facts.plan?.files ?? [],
        ...(fileRisks.length > 0 && { file_risks: fileRisks }),
      },
    }),
    `${waitText}${explain(fileRisks)}`,
  );
};

/** No prompt, and no step of a budget. */
export const waitForPerson = (transition: Transition): Transition => withMessage(transition, waitText);

/** The plan that waited, or what the person has made of it. */
export const approveWaitingPlan = (transition: Transition): Transition => {
  const held = transition.state.current?.heldPlan ?? null;
  const plan = payloadIf(transition, "PLAN_DECIDED")?.plan ?? held;
  return plan === null ? transition : approve(transition, plan, "the plan is approved by a person");
};

export const rejectWaitingPlan = (transition: Transition): Transition =>
  reject(transition, payloadIf(transition, "PLAN_DECIDED")?.reason ?? "");

/** An edited plan that the scope policy does not allow changes nothing: the other one still waits. */
export const refuseDecision = (transition: Transition): Transition =>
  withMessage(
    { ...transition, processed: false },
    `the plan is not approved, it still waits: ${formatViolations(transition.facts.plan?.violations ?? [])}`,
  );
