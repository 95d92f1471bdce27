/** Errors the loop contract declares. */
import * as z from "zod";
import { error } from "../core/index.ts";

const known = z.object({ known: z.array(z.string()).describe("Names there are.") });

export const unknownProject = error({
  code: "not_found",
  when: "the server's configuration has no project of that name",
  data: known,
  hint: "use one of the names in the data, or leave `project` out for the default one",
});

export const noSession = error({
  code: "failed_precondition",
  when: "the project has no active session",
  hint: "start one with promptwheel_start_session",
});

export const sessionActive = error({
  code: "failed_precondition",
  when: "the project has an active session already",
  data: z.object({
    run_id: z.string().describe("Its run."),
    phase: z.string().describe("Its phase."),
  }),
  hint: "go on with promptwheel_advance, or finish it with promptwheel_end_session",
});

export const projectBusy = error({
  code: "unavailable",
  when: "another process drives this project's session",
  data: z.object({ pid: z.int().nullable().describe("Id of that process, when known.") }),
  hint: "use that process, or stop it; its session is kept",
});

export const unknownFormula = error({
  code: "not_found",
  when: "there is no formula of that name",
  data: known,
  hint: "see promptwheel_list_formulas for the names",
});

export const badFormula = error({
  code: "failed_precondition",
  when: "the formula's file cannot be read",
  hint: "fix the file as the message says",
});

export const unknownRun = error({ code: "not_found", when: "the project has no run of that id" });

export const unknownRunFile = error({
  code: "not_found",
  when: "the run has left no file of that name",
  hint: "use one of those that listRunFiles lists",
});

export const noTicket = error({
  code: "failed_precondition",
  when: "no ticket is being worked on",
  hint: "call promptwheel_advance or promptwheel_next_ticket",
});

export const otherTicket = error({
  code: "failed_precondition",
  when: "the ticket is not the one being worked on",
  data: z.object({ current: z.array(z.string()).describe("Tickets being worked on.") }),
  hint: "use the id of the current ticket",
});

export const noPlan = error({
  code: "failed_precondition",
  when: "no plan waits for a person, or several do and none is named",
  data: z.object({ waiting: z.array(z.string()).describe("Tickets whose plans wait.") }),
  hint: "see `held_plan` of promptwheel_session_status",
});

export const notPaused = error({
  code: "failed_precondition",
  when: "the session is not paused, and no question waits",
  hint: "see promptwheel_session_status",
});

export const gitRefused = error({
  code: "failed_precondition",
  when: "git cannot do it: no repository, no such base, or changes in the way",
  hint: "fix what the message names, or go on in direct mode",
});

export const notInstallable = error({
  code: "failed_precondition",
  when: "a file of the client's cannot take the loop's entry",
  hint: "do what the message says, then install again",
});

export const agentBusy = error({
  code: "failed_precondition",
  when: "an agent is driven through this project's session already",
  hint: "wait for it, or end that command",
});

export const agentUnusable = error({
  code: "failed_precondition",
  when: "the agent cannot be started, or failed several times in a row",
  hint: "try the agent's command by itself; the session is kept, and the same command goes on with it",
});

export const noSandbox = error({
  code: "failed_precondition",
  when: "the agent is to be held in a sandbox, and this system cannot do it",
  hint: "see `fairlead doctor` for what the system lacks, or trust the agent with `--sandbox off`; the session is kept",
});

export const notDone = error({
  code: "failed_precondition",
  when: "the session has ended in another phase than DONE, or the agent has reported on none of its tickets",
  data: z.object({ run_id: z.string().describe("Its run."), final_phase: z.string().describe("Its phase.") }),
  hint: "see `fairlead run show` for its log",
});

export const damaged = error({
  code: "data_loss",
  when: "the project's stored state cannot be read",
  hint: "move .promptwheel/state.sqlite away to start again; the run folders stay readable",
});
