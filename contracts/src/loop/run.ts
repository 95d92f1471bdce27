/**
 * Procedures of the loop contract that are about whole runs: listing, showing, at any moment of them with what they left, and replaying;
 * and the shapes of how tickets and sessions end. Not on MCP: they are for people.
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
  ticketId,
  verificationFields,
} from "./session.ts";

export const work = z
  .array(
    z.object({
      ticket_id: ticketId,
      title: z.string().describe("Its title."),
      outcome: z.enum(["done", "blocked", "aborted"]).describe("How it ended."),
      tree: z
        .enum(["commit", "branch", "parked", "unchanged"])
        .describe("Where its work is: on the session's branch, on a branch of its own, parked, or nowhere."),
      commit: z.string().nullable().describe("The commit that holds it."),
      branch: z.string().nullable().describe("The branch of its own, or the one that it is parked on."),
      files: z.array(z.string()).describe("What it changed."),
      unattributed: z
        .array(z.string())
        .describe("Files that changed meanwhile and are not its alone: left as they are."),
      before: z
        .string()
        .nullable()
        .describe(
          "The ref that holds edits which were there before the ticket, where one of them is not as it was any more.",
        ),
      conflicts: z.array(z.string()).describe("Files in which its branch is in conflict with the session's."),
      note: z.string().nullable().describe("Why its branch was not merged, or its worktree is kept."),
      verification: verificationFields.describe("Who ran its commands."),
    }),
  )
  .describe("Where the work of each ticket is; empty without own_tree.");

export const pullRequests = z
  .array(
    z.object({
      ticket_id: ticketId,
      url: z.string().describe("As the client reported it."),
      branch: z.string().describe("The branch that it comes from."),
      pr: z
        .enum(["verified", "local", "unverified"])
        .describe(
          "`verified`: the remote, or GitHub, has the branch as it is here (`pullRequestCheck` in the server's configuration). `local`: the branch has commits here. `unverified`: the client's word is all there is.",
        ),
      reason: z.string().describe("Why."),
    }),
  )
  .describe("The pull requests that were reported.");

export const parkedBranches = z
  .array(
    z.object({
      branch: z.string().describe("Its name."),
      commit: z.string().describe("The commit that it is at."),
      title: z.string().describe("First line of that commit's message: the ticket's title."),
      merged: z.boolean().describe("HEAD has its content, and it is checked out nowhere."),
      removed: z.boolean().describe("It was removed by this call."),
    }),
  )
  .describe("The branches that hold parked work, those of earlier sessions too.");

export const ticketsVerified = z
  .object({
    server: z.int().describe("The server ran every command."),
    client: z.int().describe("The client reported one of them."),
    none: z.int().describe("There was no command."),
  })
  .describe("Done tickets by who has verified them.");

const totals = {
  runs: z.int().describe("Runs."),
  prompts: z.int().describe("Prompts handed out."),
  tickets_done: z.int().describe("Tickets done."),
  tickets_verified: z.int().describe("Of these, by the server's own run of every command."),
  tickets_failed: z.int().describe("Tickets that failed."),
  tickets_blocked: z.int().describe("Tickets that met a limit."),
  tickets_aborted: z.int().describe("Tickets that were open at the end."),
  cost_usd: z.number().describe("US dollars, as events reported it."),
  tokens: z.int().describe("Tokens read and written, likewise."),
  duration_ms: z.number().describe("Milliseconds from the first line of each log to its last."),
};

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
  runMetrics: query({
    summary:
      "Sums up the project's last runs: tickets, who has verified them, cost and time, by formula, and its verification commands.",
    input: z.object({ project, last: z.int().min(1).max(200).default(50).describe("So many runs, the newest.") }),
    output: z.object({
      total: z.object(totals).describe("Over all of them."),
      formulas: z
        .array(z.object({ formula: z.string().nullable().describe("Its name; null for runs without one."), ...totals }))
        .describe("By formula."),
      commands: z
        .array(
          z.object({
            command: z.string().describe("The command."),
            runs: z.int().describe("Times that the server ran it."),
            failed: z.int().describe("Times that it failed."),
            mean_ms: z.number().describe("Milliseconds it took, on average."),
          }),
        )
        .describe("Verification commands that the server ran, those that failed most first; at most 20."),
    }),
    errors: found,
    examples: [{ summary: "The last fifty", input: {} }],
    policy: { deadlineMs: 120_000, concurrency: 2 },
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
