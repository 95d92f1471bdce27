/**
 * The loop contract: an improvement session over a git repository, driven by any agent. `advance` says what to do next,
 * `ingestEvent` reports what was done, until `advance` says STOP. Tool names are those of the spec.
 *
 * The shapes are in `loop/`. A caller never supplies a path of a project: projects are named in the server's configuration.
 */
import * as z from "zod";
import { defineContract, mutation, query } from "./core/index.ts";
import { agentProcedures, installProcedures } from "./loop/agent.ts";
import * as errors from "./loop/error.ts";
import {
  parkedBranches,
  personProcedures,
  pullRequests,
  runProcedures,
  ticketsVerified,
  viewProcedures,
  work,
} from "./loop/run.ts";
import { resources } from "./loop/run-verbs.ts";
import {
  clientEventTypes,
  commandResults,
  constraints,
  cost,
  digest,
  driven,
  eventId,
  forecast,
  found,
  heldPlan,
  onlyProject,
  parallelTicket,
  pause,
  phase,
  project,
  runId,
  startInput,
  ticketId,
} from "./loop/session.ts";
import { ticketProcedures } from "./loop/ticket.ts";
import { prompts, verbs } from "./loop/verbs.ts";

export { categories, clientEventTypes, phases, terminalPhases, workPhases } from "./loop/session.ts";

/** Room for an event's payload of 512 KiB and what is around it. */
const payloadLimits = { bytes: 1_048_576 };

export const loop = defineContract({
  id: "loop",
  version: "0.1.0",
  summary: "Drives improvement sessions: scout, plan, execute, verify, with exact budgets and a replayable log.",
  description:
    "Call `startSession` once. Then in turn: call `advance`, do what its prompt says, and report it with `ingestEvent`, with the type and payload that the prompt names: first SCOUT_OUTPUT with proposals, then for each ticket PLAN_SUBMITTED, TICKET_RESULT and QA_PASSED. At STOP call `endSession`. At WAIT a person has to decide: stop until they have. A session survives a crash: start the server again and call `advance`.",
  procedures: {
    startSession: mutation({
      summary: "Starts an improvement session in a project.",
      description: "Explicit parameters win over those of the formula. A project has at most one active session.",
      retry: "keyed",
      input: startInput,
      output: z.object({
        run_id: runId,
        session_id: z.string().describe("Id of the session."),
        project_id: z.string().describe("Name of the project."),
        phase,
        step_budget: z.int().describe("Prompts the session may hand out."),
        expires_at: z.string().nullable().describe("When it expires; UTC; null without a limit."),
        run_dir: z.string().describe("The run's folder, relative to the project."),
        warnings: z.array(z.string()).describe("What was changed or left out, and why."),
        detected: z
          .object({
            languages: z.array(z.string()).describe("Languages by number of files."),
            test_runner: z.string().nullable().describe("Test runner, when recognised."),
            framework: z.string().nullable().describe("Framework, when recognised."),
            linter: z.string().nullable().describe("Linter, when recognised."),
          })
          .describe("What the project is made with."),
        formula: z
          .object({
            name: z.string().describe("Its name."),
            description: z.string().describe("What it looks for."),
            model: z.string().nullable().describe("Model it suggests."),
          })
          .nullable()
          .describe("The formula in use."),
        message: z.string().describe("What to do next."),
      }),
      errors: {
        ...found,
        project_busy: errors.projectBusy,
        session_active: errors.sessionActive,
        unknown_formula: errors.unknownFormula,
        bad_formula: errors.badFormula,
        git_refused: errors.gitRefused,
      },
      examples: [
        { summary: "A security audit of the sources", input: { scope: "src/**", formula: "security-audit" } },
        { summary: "Twenty prompts at most, with draft pull requests", input: { step_budget: 20, draft_prs: true } },
      ],
      tool: {
        name: "promptwheel_start_session",
        description:
          "Starts a session improving a code repository: scouting, tickets, checks. Defaults: all files, 200 steps, no PRs; `kernel_describe` has more.",
        fields: {
          project: "",
          formula: "",
          scope: "Glob of files",
          categories: "",
          hours: "Runs for that long",
          step_budget: "",
          max_prs: "",
        },
        listed: "core",
      },
    }),
    advance: mutation({
      summary: "Says what to do next: a prompt, parallel tickets, or STOP.",
      description:
        "Do what the prompt says, report it with promptwheel_ingest_event, call this again. Each prompt is one step of the budget. Send an `event_id` to make a repeat harmless.",
      retry: "keyed",
      input: z.object({ project, event_id: eventId }),
      output: z.object({
        next_action: z
          .enum(["PROMPT", "STOP", "PARALLEL_EXECUTE", "WAIT"])
          .describe(
            "What to do. WAIT: nothing, until a person has decided on a plan (plan_approval: hold), resumed the session, or answered.",
          ),
        phase,
        prompt: z.string().nullable().describe("What to do, in full; null with STOP, WAIT and PARALLEL_EXECUTE."),
        reason: z.string().describe("Why this is next, or why the session stopped."),
        constraints: constraints
          .nullable()
          .describe(
            "Bounds of the current ticket, in SCOUT those of the session; null with STOP and PARALLEL_EXECUTE.",
          ),
        digest,
        parallel_tickets: z
          .array(parallelTicket)
          .optional()
          .describe("Tickets to work on at the same time, each with its prompt."),
      }),
      errors: { ...driven, git_refused: errors.gitRefused },
      examples: [{ summary: "The next thing to do", input: {} }],
      tool: {
        name: "promptwheel_advance",
        title: "Advance session",
        description: "What to do next in the session: a prompt, or STOP. Do it, report it, call again.",
        fields: { project: "", event_id: "" },
        listed: "core",
      },
    }),
    ingestEvent: mutation({
      summary: "Reports an event, like SCOUT_OUTPUT or TICKET_RESULT, and moves the session on.",
      description:
        "Payloads: SCOUT_OUTPUT {proposals}; PLAN_SUBMITTED {ticket_id, files_to_touch, estimated_lines, risk_level}; TICKET_RESULT {status, changed_files, lines_added, lines_removed}; QA_COMMAND_RESULT {command, success, output}; QA_PASSED {summary}; QA_FAILED {error}; PR_CREATED {url, branch}; USER_OVERRIDE {hint} or {cancel: true}; PROPOSALS_REVIEWED {reviewed_proposals}; PROPOSALS_FILTERED {}. Any of them may say what it took: usage {cost_usd, input_tokens, output_tokens}. QA_PASSED is refused while a verification command of the ticket was not reported as passed, or something outside its scope was changed. An event that means nothing in the phase is noted. A payload holds at most 512 KiB.",
      retry: "keyed",
      input: z.object({
        project,
        type: z.enum(clientEventTypes).describe("Type of the event."),
        payload: z.record(z.string(), z.unknown()).describe("What happened; its fields depend on the type."),
        event_id: eventId,
      }),
      output: z.object({
        processed: z.boolean().describe("False when the event was understood and refused."),
        phase_changed: z.boolean().describe("True when the session is in another phase now."),
        new_phase: phase.optional().describe("That phase."),
        message: z.string().describe("What happened."),
        step: z.int().describe("Prompts handed out so far."),
        current_phase: phase,
        event_id: z.string().describe("Id under which the event is recorded."),
      }),
      errors: driven,
      examples: [
        { summary: "Nothing was found", input: { type: "SCOUT_OUTPUT", payload: { proposals: [] } } },
        {
          summary: "A command passed",
          input: { type: "QA_COMMAND_RESULT", payload: { command: "npm test", success: true, output: "ok" } },
        },
      ],
      // With qa: server QA_PASSED runs the ticket's commands.
      policy: { limits: payloadLimits, deadlineMs: 900_000 },
      tool: {
        name: "promptwheel_ingest_event",
        title: "Ingest session event",
        description:
          "Reports what was done in the session. Payload: SCOUT_OUTPUT {proposals}; PLAN_SUBMITTED {ticket_id, files_to_touch, estimated_lines, risk_level}; TICKET_RESULT {status, changed_files}; QA_COMMAND_RESULT {command, success, output}; QA_PASSED {summary}; QA_FAILED {error}; PR_CREATED {url, branch}; USER_OVERRIDE {hint} or {cancel}; PROPOSALS_REVIEWED {reviewed_proposals}",
        fields: { project: "", type: true, payload: "", event_id: "" },
        listed: "core",
      },
    }),
    sessionStatus: query({
      summary: "Shows the state of the session.",
      input: onlyProject,
      output: z.object({
        sessionId: z.string().describe("Id of the session."),
        runId,
        phase,
        stepCount: z.int().describe("Prompts handed out."),
        budgetRemaining: z.int().describe("Prompts left."),
        ticketsCompleted: z.int().describe("Tickets done."),
        ticketsFailed: z
          .int()
          .describe(
            "Tickets that failed: reported as failed, given up, out of QA attempts, or open with a failed complete_ticket.",
          ),
        ticketsBlocked: z.int().describe("Tickets blocked."),
        ticketsReady: z.int().describe("Tickets waiting."),
        currentTicketId: ticketId.nullable().describe("The ticket being worked on."),
        timeRemainingMs: z.number().nullable().describe("Milliseconds left; null without a limit."),
        cost: cost.nullable().describe("What the work has cost; null when no event said."),
        digest,
        verification: commandResults,
        scope: z.string().describe("Glob of the session."),
        categories: z.array(z.string()).describe("What it looks for."),
        budget_warnings: z.array(z.string()).describe("Budgets of which 80 % are used."),
        pending_hints: z.array(z.string()).describe("Hints that wait for the next scout prompt."),
        last_ticket_summary: z.string().nullable().describe("How the last ticket ended."),
        last_qa_failure: z.string().nullable().describe("The current ticket's last QA failure."),
        held_plan: heldPlan,
        paused: pause,
        forecast,
        last_plan_rejection: z.string().nullable().describe("Why its last plan was rejected."),
        stop_reason: z.string().nullable().describe("Why the session stopped; null while it runs."),
      }),
      errors: { ...found, no_session: errors.noSession },
      examples: [{ summary: "The default project", input: {} }],
      tool: {
        name: "promptwheel_session_status",
        description: "State and budget of the session",
        fields: { project: "" },
      },
    }),
    endSession: mutation({
      summary: "Ends the session and sums it up; open and blocked tickets are aborted.",
      retry: "keyed",
      hints: { destructive: false },
      input: z.object({
        project,
        event_id: eventId,
        remove_merged: z
          .boolean()
          .optional()
          .describe("Remove parked branches whose content HEAD has; others are never removed. Default false."),
      }),
      output: z.object({
        run_id: runId,
        session_id: z.string().describe("Id of the session."),
        duration_ms: z.number().describe("Milliseconds from start to end."),
        step_count: z.int().describe("Prompts handed out."),
        tickets_completed: z.int().describe("Tickets done."),
        tickets_failed: z.int().describe("Tickets that failed: reported as failed, given up, or out of QA attempts."),
        tickets_verified: ticketsVerified,
        tickets_blocked: z.int().describe("Tickets blocked."),
        tickets_aborted: z.int().describe("Tickets that were open or blocked."),
        prs_created: z.int().describe("Pull requests opened."),
        prs: pullRequests,
        scout_cycles: z.int().describe("Scout cycles."),
        final_phase: phase,
        coverage_percent: z.int().describe("Of the files, 0 to 100."),
        work,
        parked_branches: parkedBranches,
        began_on_branch: z.string().nullable().describe("The branch that it began on; null without own_tree."),
        ended_on_branch: z.string().nullable().describe("The branch that is checked out now."),
        worktrees_removed: z.int().describe("Worktrees of parallel tickets that were removed."),
        message: z.string().describe("Why it ended."),
      }),
      errors: { ...driven, git_refused: errors.gitRefused },
      examples: [{ summary: "The default project", input: {} }],
      tool: {
        name: "promptwheel_end_session",
        description: "Ends the session and sums it up",
        fields: { project: "" },
      },
    }),
    nudge: mutation({
      summary: "Adds a hint for the next scout cycle.",
      retry: "keyed",
      input: z.object({
        project,
        event_id: eventId,
        hint: z.string().max(32_768).trim().min(1).describe("What to look at."),
      }),
      output: z.object({
        hint: z.string().describe("The hint."),
        pending_hints: z.array(z.string()).describe("All that wait."),
        message: z.string().describe("When it will be shown."),
      }),
      errors: driven,
      examples: [{ summary: "Look at the parser", input: { hint: "look at error handling in the parser" } }],
      tool: {
        name: "promptwheel_nudge",
        title: "Nudge session",
        description: "A hint for the session's next scouting",
        fields: { project: "", hint: "" },
      },
    }),
    listFormulas: query({
      summary: "Lists the formulas: built-in ones and those of the project.",
      input: onlyProject,
      output: z.object({
        formulas: z
          .array(
            z.object({
              name: z.string().describe("Its name."),
              version: z.int().describe("Its version."),
              description: z.string().describe("What it looks for."),
              categories: z.array(z.string()).describe("Categories it asks for; empty leaves the session's."),
              risk_tolerance: z.enum(["low", "medium", "high"]).describe("Risk it may propose."),
              tags: z.array(z.string()).describe("Its tags."),
              builtin: z.boolean().describe("False for the project's own."),
            }),
          )
          .describe("By name; one of the project's own replaces a built-in one of the same name."),
        unreadable: z
          .array(
            z.object({ name: z.string().describe("Its name."), why: z.string().describe("What is wrong with it.") }),
          )
          .describe("Files that are no formula."),
      }),
      errors: found,
      examples: [{ summary: "The default project", input: {} }],
      tool: {
        name: "promptwheel_list_formulas",
        description: "Kinds of improvement sessions",
        fields: { project: "" },
      },
    }),
    ...ticketProcedures,
    ...runProcedures,
    ...installProcedures,
    ...agentProcedures,
    ...personProcedures,
    ...viewProcedures,
  },
  verbs,
  prompts,
  resources,
});
