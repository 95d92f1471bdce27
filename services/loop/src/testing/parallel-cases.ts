/** The cells of PARALLEL_EXECUTE as examples. Data. */
import { initialWork } from "../state/run-state.ts";
import { advanceEvent, plainEvent, type TableCase, verifiedWork, withState } from "./case.ts";
import { sampleEvent, samplePayloads, sampleStateIn, sampleTicket, ticketId } from "./sample.ts";

const lastPhase = {
  PLAN_SUBMITTED: "PLAN",
  TICKET_RESULT: "EXECUTE",
  QA_COMMAND_RESULT: "QA",
  QA_PASSED: "QA",
  QA_FAILED: "QA",
  PR_CREATED: "PR",
} as const;

function canEnd(type: keyof typeof lastPhase): boolean {
  return type !== "QA_COMMAND_RESULT";
}

/** What makes an event of that type the last of a ticket. */
function ending(type: keyof typeof lastPhase): object {
  if (type === "PLAN_SUBMITTED") return { risk_level: "high" };
  return type === "TICKET_RESULT" ? { status: "failed" } : {};
}

export const parallelCases: readonly TableCase[] = [
  {
    name: "prompts for all",
    state: sampleStateIn("PARALLEL_EXECUTE"),
    event: advanceEvent(),
    next: "PARALLEL_EXECUTE",
  },
  {
    name: "no steps left for them",
    state: withState(sampleStateIn("PARALLEL_EXECUTE"), { stepCount: 200 }),
    event: advanceEvent(),
    next: "FAILED_BUDGET",
  },
  {
    name: "all silent",
    state: withState(sampleStateIn("PARALLEL_EXECUTE"), { stepCount: 50 }),
    event: advanceEvent(),
    next: "DONE",
  },
  ...(
    ["PLAN_SUBMITTED", "TICKET_RESULT", "QA_COMMAND_RESULT", "QA_PASSED", "QA_FAILED", "PR_CREATED"] as const
  ).flatMap((type) => [
    {
      name: "names none",
      state: sampleStateIn("PARALLEL_EXECUTE"),
      event: plainEvent(type),
      next: "PARALLEL_EXECUTE" as const,
    },
    {
      name: "names one",
      state: sampleStateIn("PARALLEL_EXECUTE"),
      event: sampleEvent(type, { ...samplePayloads[type], ticket_id: ticketId(1) }),
      next: "PARALLEL_EXECUTE" as const,
    },
    {
      name: "ends the last one",
      state: withState(sampleStateIn("PARALLEL_EXECUTE"), {
        workers: [
          { ...initialWork(sampleTicket(1)), phase: lastPhase[type], lastEventStep: 0, qaRetries: 9, ...verifiedWork },
        ],
      }),
      event: sampleEvent(type, { ...samplePayloads[type], ...ending(type), ticket_id: ticketId(1) }),
      next: canEnd(type) ? ("NEXT_TICKET" as const) : ("PARALLEL_EXECUTE" as const),
    },
  ]),
  {
    name: "one of two given up",
    state: sampleStateIn("PARALLEL_EXECUTE"),
    event: plainEvent("TICKET_ABANDONED"),
    next: "PARALLEL_EXECUTE",
  },
  {
    name: "the last one given up",
    state: withState(sampleStateIn("PARALLEL_EXECUTE"), {
      workers: [{ ...initialWork(sampleTicket(1)), phase: "PLAN", lastEventStep: 0 }],
    }),
    event: plainEvent("TICKET_ABANDONED"),
    next: "NEXT_TICKET",
  },
  {
    name: "one that is none of them",
    state: sampleStateIn("PARALLEL_EXECUTE"),
    event: sampleEvent("TICKET_ABANDONED", { ticket_id: ticketId(9), reason: "x" }),
    next: "PARALLEL_EXECUTE",
  },
];
