/** Cells of the table about plans: submitted, held for a person, decided by one. Data. */
import { plainEvent, type TableCase } from "./case.ts";
import { sampleEvent, samplePayloads, sampleStateIn, ticketId } from "./sample.ts";

const heldWork = { heldPlan: { ...samplePayloads.PLAN_SUBMITTED, risk_level: "high" as const } };

export const planCases: readonly TableCase[] = [
  { name: "low risk", state: sampleStateIn("PLAN"), event: plainEvent("PLAN_SUBMITTED"), next: "EXECUTE" },
  {
    name: "medium risk",
    state: sampleStateIn("PLAN"),
    event: sampleEvent("PLAN_SUBMITTED", { ...samplePayloads.PLAN_SUBMITTED, risk_level: "medium" }),
    next: "EXECUTE",
  },
  {
    name: "high risk",
    state: sampleStateIn("PLAN"),
    event: sampleEvent("PLAN_SUBMITTED", { ...samplePayloads.PLAN_SUBMITTED, risk_level: "high" }),
    next: "BLOCKED_NEEDS_HUMAN",
  },
  {
    name: "high risk, held for a person",
    state: sampleStateIn("PLAN", {}, { planApproval: "hold" }),
    event: sampleEvent("PLAN_SUBMITTED", { ...samplePayloads.PLAN_SUBMITTED, risk_level: "high" }),
    next: "PLAN",
  },
  { name: "a plan waits", state: sampleStateIn("PLAN", heldWork), event: plainEvent("ADVANCE_CALLED"), next: "PLAN" },
  {
    name: "three plans were rejected, and the ticket ends alone",
    state: sampleStateIn("PLAN", { planRejections: 3 }, { scopeBreach: "ticket", maxCycles: 1 }),
    event: plainEvent("ADVANCE_CALLED"),
    next: "DONE",
  },
  {
    name: "of another ticket",
    state: sampleStateIn("PLAN", heldWork),
    event: sampleEvent("PLAN_DECIDED", { ...samplePayloads.PLAN_DECIDED, ticket_id: ticketId(9) }),
    next: "PLAN",
  },
  { name: "no plan waits", state: sampleStateIn("PLAN"), event: plainEvent("PLAN_DECIDED"), next: "PLAN" },
  {
    name: "rejected by a person",
    state: sampleStateIn("PLAN", heldWork),
    event: sampleEvent("PLAN_DECIDED", { ...samplePayloads.PLAN_DECIDED, decision: "reject", reason: "too wide" }),
    next: "PLAN",
  },
  {
    name: "edited, and outside the scope",
    state: sampleStateIn("PLAN", heldWork),
    event: sampleEvent("PLAN_DECIDED", {
      ...samplePayloads.PLAN_DECIDED,
      plan: { ...samplePayloads.PLAN_SUBMITTED, files_to_touch: [{ path: ".env", reason: "", action: "modify" }] },
    }),
    next: "PLAN",
  },
  {
    name: "approved by a person",
    state: sampleStateIn("PLAN", heldWork),
    event: plainEvent("PLAN_DECIDED"),
    next: "EXECUTE",
  },
  {
    name: "a parallel ticket's plan",
    state: sampleStateIn("PARALLEL_EXECUTE"),
    event: plainEvent("PLAN_DECIDED"),
    next: "PARALLEL_EXECUTE",
  },
];
