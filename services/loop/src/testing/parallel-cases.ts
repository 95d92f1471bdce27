/** The cells of PARALLEL_EXECUTE as examples. Data. */
import { freshWork } from "../state/run-state.ts";
import { advance, type Case, plain, verified, with_ } from "./case.ts";
import { payloads, sampleEvent, sampleTicket, stateIn, ticketId } from "./sample.ts";

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

export const parallelCases: readonly Case[] = [
  { name: "prompts for all", state: stateIn("PARALLEL_EXECUTE"), event: advance(), next: "PARALLEL_EXECUTE" },
  {
    name: "no steps left for them",
    state: with_(stateIn("PARALLEL_EXECUTE"), { stepCount: 200 }),
    event: advance(),
    next: "FAILED_BUDGET",
  },
  {
    name: "all silent",
    state: with_(stateIn("PARALLEL_EXECUTE"), { stepCount: 50 }),
    event: advance(),
    next: "DONE",
  },
  ...(
    ["PLAN_SUBMITTED", "TICKET_RESULT", "QA_COMMAND_RESULT", "QA_PASSED", "QA_FAILED", "PR_CREATED"] as const
  ).flatMap((type) => [
    { name: "names none", state: stateIn("PARALLEL_EXECUTE"), event: plain(type), next: "PARALLEL_EXECUTE" as const },
    {
      name: "names one",
      state: stateIn("PARALLEL_EXECUTE"),
      event: sampleEvent(type, { ...payloads[type], ticket_id: ticketId(1) }),
      next: "PARALLEL_EXECUTE" as const,
    },
    {
      name: "ends the last one",
      state: with_(stateIn("PARALLEL_EXECUTE"), {
        workers: [{ ...freshWork(sampleTicket(1)), phase: lastPhase[type], heardAt: 0, qaRetries: 9, ...verified }],
      }),
      event: sampleEvent(type, { ...payloads[type], ...ending(type), ticket_id: ticketId(1) }),
      next: canEnd(type) ? ("NEXT_TICKET" as const) : ("PARALLEL_EXECUTE" as const),
    },
  ]),
  {
    name: "one of two given up",
    state: stateIn("PARALLEL_EXECUTE"),
    event: plain("TICKET_ABANDONED"),
    next: "PARALLEL_EXECUTE",
  },
  {
    name: "the last one given up",
    state: with_(stateIn("PARALLEL_EXECUTE"), {
      workers: [{ ...freshWork(sampleTicket(1)), phase: "PLAN", heardAt: 0 }],
    }),
    event: plain("TICKET_ABANDONED"),
    next: "NEXT_TICKET",
  },
  {
    name: "one that is none of them",
    state: stateIn("PARALLEL_EXECUTE"),
    event: sampleEvent("TICKET_ABANDONED", { ticket_id: ticketId(9), reason: "x" }),
    next: "PARALLEL_EXECUTE",
  },
];
