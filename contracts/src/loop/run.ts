/**
 * Procedures of the loop contract that are about whole runs: listing, showing, at any moment of them and with what they left, replaying, and
 * driving an agent through one. Not on MCP: they are for people.
 */
import * as z from "zod";
import { mutation, query, subscription } from "../core/index.ts";
import * as errors from "./error.ts";
import {
  categories,
  driven,
  eventId,
  found,
  logLine,
  phase,
  policy,
  project,
  runId,
  startInput,
  ticketId,
  ticketsVerified,
  work,
} from "./session.ts";

export const runProcedures = {
  listRuns: query({
    summary: "Lists the project's runs, newest first.",
    input: z.object({ project, limit: z.int().min(1).max(200).default(20).describe("At most so many.") }),
    output: z.object({
      runs: z
        .array(
          z.object({
            run_id: runId,
            started_at: z.string().describe("UTC."),
            ended_at: z.string().nullable().describe("UTC; null while active."),
            phase,
            events: z.int().describe("Lines of its log."),
          }),
        )
        .describe("Runs."),
    }),
    errors: found,
    examples: [{ summary: "The last twenty", input: {} }],
    tool: false,
  }),
  showRun: query({
    summary: "Shows a run: its state and its log.",
    input: z.object({
      project,
      run_id: runId,
      after: z.int().min(0).default(0).describe("Only lines after this position."),
      limit: z.int().min(1).max(500).default(200).describe("At most so many lines."),
    }),
    output: z.object({
      run_id: runId,
      state: z.record(z.string(), z.unknown()).describe("The content of state.json, from the log."),
      events: z.array(logLine).describe("The log."),
      next: z.int().nullable().describe("Send as `after` for more; null at the end."),
    }),
    errors: { ...found, unknown_run: errors.unknownRun },
    examples: [{ summary: "A run", input: { run_id: "run_000000000001" } }],
    tool: false,
  }),
  sessionReport: query({
    summary: "Reports what a session did, ticket by ticket, as Markdown for a pull request.",
    input: z.object({ project, run_id: runId.optional() }),
    output: z.object({ run_id: runId, markdown: z.string().describe("Without markup of an agent's.") }),
    errors: { ...found, unknown_run: errors.unknownRun },
    examples: [{ summary: "The last session", input: {} }],
    tool: false,
  }),
  replayRun: query({
    summary: "Computes a run's state again from its event log and compares it with what is stored.",
    input: z.object({ project, run_id: runId }),
    output: z.object({
      run_id: runId,
      events: z.int().describe("Events applied."),
      derived: z.int().describe("Lines the machine had added, compared one by one."),
      equal: z.boolean().describe("True when everything agrees."),
      differences: z.array(z.string()).describe("What does not; at most 20."),
      phase,
    }),
    errors: { ...found, unknown_run: errors.unknownRun },
    examples: [{ summary: "A run", input: { run_id: "run_000000000001" } }],
    policy: { deadlineMs: 120_000, concurrency: 2 },
    tool: false,
  }),
};

const ofRun = { project, run_id: runId };
const ofRunErrors = { ...found, unknown_run: errors.unknownRun };

const shownTicket = z.object({
  ticket_id: ticketId,
  title: z.string().describe("Its title."),
  description: z.string().describe("What is to be done."),
  category: z.enum(categories).describe("Its category."),
  status: z.enum(["ready", "in_progress", "done", "blocked", "aborted"]).describe("Where it is."),
  phase: phase.nullable().describe("Its phase, while it is worked on; null otherwise."),
  priority: z.int().describe("The highest is taken first."),
  risk: z.enum(["low", "medium", "high"]).describe("Its risk, as the scout said."),
  rationale: z.string().describe("Why it is worth doing; may be empty."),
  acceptance_criteria: z.array(z.string()).describe("What has to hold at its end."),
  verification_commands: z.array(z.string()).describe("What must pass."),
  steps: z.int().nullable().describe("Prompts it has used, while it is worked on; null otherwise."),
  note: z.string().nullable().describe("How it ended; null while it has not, or where nothing was said."),
  plan: z
    .object({
      state: z.enum(["approved", "held"]).describe("`held`: it waits for a person."),
      risk_level: z.enum(["low", "medium", "high"]).describe("Its risk, as its agent says."),
      files: z
        .array(
          z.object({
            path: z.string().describe("The file."),
            action: z.string().describe("What is done to it."),
            reason: z.string().describe("Why; may be empty."),
          }),
        )
        .describe("Files it touches."),
      estimated_lines: z.int().describe("Lines it adds and removes, as estimated."),
    })
    .nullable()
    .describe("Its plan, while it is worked on; null without one."),
  policy: policy.nullable().describe("What it may touch; null once it is closed."),
});

export const viewProcedures = {
  listProjects: query({
    summary: "Lists the projects of the server's configuration, each with its open session.",
    input: z.object({}),
    output: z.object({
      projects: z
        .array(
          z.object({
            name: z.string().describe("Its name."),
            is_default: z.boolean().describe("True for the one that is meant when none is named."),
            run_id: runId.nullable().describe("Its open session's run; null without one."),
            phase: phase.nullable().describe("That session's phase."),
            problem: z.string().nullable().describe("Why its state cannot be read; null where it can."),
          }),
        )
        .describe("By name."),
    }),
    examples: [{ summary: "All", input: {} }],
    tool: false,
  }),
  viewRun: query({
    summary: "Shows a run as it is, or as it was after a line of its log: its state and its tickets.",
    input: z.object({
      ...ofRun,
      at: z.int().min(1).optional().describe("Position in its log. Default: its end."),
    }),
    output: z.object({
      run_id: runId,
      at: z.int().describe("The position that is shown: the last line of the event that it belongs to."),
      last: z.int().describe("Position of the last line there is."),
      phase,
      ended_at: z.string().nullable().describe("When it ended; UTC; null while it is open."),
      state: z.record(z.string(), z.unknown()).describe("The content of state.json at that position."),
      tickets: z.array(shownTicket).describe("Tickets that there are at that position, in the order they were found."),
    }),
    errors: ofRunErrors,
    examples: [{ summary: "After the third line", input: { run_id: "run_000000000001", at: 3 } }],
    policy: { deadlineMs: 120_000, concurrency: 4 },
    tool: false,
  }),
  listRunFiles: query({
    summary: "Lists what a run has left: diffs, prompts as they were handed out, and artifacts.",
    input: z.object(ofRun),
    output: z.object({
      files: z
        .array(
          z.object({
            path: z.string().describe("In the run's folder, like `diffs/4-tkt_000000000001.patch`."),
            kind: z.enum(["diff", "prompt", "artifact"]).describe("What it is."),
            step: z.int().describe("Prompts that were handed out when it was kept."),
            ticket_id: ticketId.nullable().describe("The ticket that its name says; null where it says none."),
            bytes: z.int().describe("Its size."),
          }),
        )
        .describe("In the order they were kept."),
    }),
    errors: ofRunErrors,
    examples: [{ summary: "A run", input: { run_id: "run_000000000001" } }],
    tool: false,
  }),
  readRunFile: query({
    summary: "Reads one file that a run has left.",
    input: z.object({ ...ofRun, path: z.string().min(1).max(300).describe("As listRunFiles has it.") }),
    output: z.object({ path: z.string().describe("The file."), text: z.string().describe("Its content.") }),
    errors: { ...ofRunErrors, unknown_file: errors.unknownRunFile },
    examples: [{ summary: "A prompt", input: { run_id: "run_000000000001", path: "prompts/1-scout.md" } }],
    tool: false,
  }),
};

const personInput = { project, event_id: eventId };

const person = z.object({
  phase,
  message: z.string().describe("What happened."),
});

/** What a person does beside the agent that drives the session. */
export const personProcedures = {
  pauseSession: mutation({
    summary: "Pauses the session: advance answers WAIT until it is resumed. What is being done is not interrupted.",
    retry: "keyed",
    input: z.object({ ...personInput, reason: z.string().max(8_192).trim().default("").describe("Why.") }),
    output: person,
    errors: driven,
    examples: [{ summary: "For a look at its work", input: { reason: "I look at the last commit" } }],
    tool: false,
  }),
  resumeSession: mutation({
    summary: "Resumes a paused session, or answers the question of its agent.",
    retry: "keyed",
    input: z.object({
      ...personInput,
      answer: z.string().max(8_192).trim().default("").describe("The answer; the next prompts have it."),
    }),
    output: person,
    errors: { ...driven, not_paused: errors.notPaused },
    examples: [{ summary: "An answer", input: { answer: "keep the old name as an alias" } }],
    tool: false,
  }),
  followSession: subscription({
    summary: "The lines of the log of the last session, from a position on, as they are added, until it has ended.",
    description: "Sees what is recorded by this server; one that attaches to it records here.",
    input: z.object({
      project,
      after: z.int().min(0).optional().describe("Only lines after this position. Default: only new ones."),
    }),
    output: logLine.extend({ run_id: runId }),
    errors: driven,
    examples: [{ summary: "From its beginning", input: { after: 0 } }],
    tool: false,
  }),
};

const agent = z
  .string()
  .max(8_192)
  .trim()
  .min(1)
  .describe(
    "The agent's command line: a program and its arguments, in quotes where they hold spaces. No shell reads it. It gets each prompt on its standard input.",
  );

/** How a session that was driven to its end went. */
const summary = z
  .object({
    run_id: runId,
    final_phase: phase,
    tickets_completed: z.int().describe("Tickets done."),
    tickets_verified: ticketsVerified,
    tickets_failed: z.int().describe("Tickets that failed or were given up."),
    agent_calls: z.int().describe("Calls of the agent in this run of the command."),
    reason: z.string().describe("Why it ended."),
    work,
  })
  .describe("How the session went.");

export const agentProcedures = {
  openAgentSession: mutation({
    summary: "Starts a session for an agent that works alone, or finds the one to go on with.",
    description:
      "Where they are not given: `qa` is `server`, `plan_approval` is `hold`, `scope_breach` is `ticket`, `backlog` is `carry`, `own_tree` is true and `direct` is false, so that each ticket has a worktree. An open session goes on as it was started, with a warning for each of these that differs; one in the working tree (`direct`) is refused, unless `direct` is true in the call.",
    retry: "idempotent",
    access: "admin",
    input: startInput.omit({ event_id: true }).extend({ agent }),
    output: z.object({
      run_id: runId,
      continued: z.boolean().describe("True for a session that was open."),
      phase,
      warnings: z.array(z.string()).describe("What was changed or left out, and why."),
      message: z.string().describe("Which session it is."),
    }),
    errors: {
      ...driven,
      session_active: errors.sessionActive,
      unknown_formula: errors.unknownFormula,
      bad_formula: errors.badFormula,
      git_refused: errors.gitRefused,
    },
    examples: [{ summary: "Claude Code, on the sources", input: { agent: "claude -p", scope: "src/**" } }],
    tool: false,
  }),
  driveAgent: subscription({
    summary:
      "Drives an agent through the open session, prompt by prompt, and says what happens, until the session has ended.",
    description:
      "Ending it early, or a kill, stops the agent and leaves the session open: the same call goes on with it. A session that did not end in DONE ends with an error.",
    access: "admin",
    input: z.object({
      project,
      agent,
      call_minutes: z
        .number()
        .positive()
        .max(1_440)
        .default(30)
        .describe("Minutes one call of the agent may take; then it is ended."),
      pass: z
        .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of a variable, like OPENAI_API_KEY"))
        .max(100)
        .default([])
        .describe(
          "Names of environment variables that the agent gets beside PATH, HOME, LANG, LC_ALL, TZ, TMPDIR and USER.",
        ),
    }),
    output: z.object({
      at: z.string().describe("When; UTC."),
      kind: z
        .enum(["prompt", "reply", "event", "problem", "wait", "end"])
        .describe(
          "`prompt`: the agent is called. `reply`: it has ended. `event`: what was reported for it. `problem`: what went wrong. `wait`: a person has to decide. `end`: the session is over.",
        ),
      phase,
      ticket_id: ticketId.nullable().describe("The ticket that it is about."),
      text: z.string().describe("What happened, in a line."),
      summary: summary.nullable().describe("At the end; null before."),
    }),
    errors: {
      ...driven,
      git_refused: errors.gitRefused,
      agent_busy: errors.agentBusy,
      agent_unusable: errors.agentUnusable,
      not_done: errors.notDone,
    },
    examples: [{ summary: "Claude Code", input: { agent: "claude -p" } }],
    tool: false,
  }),
};
