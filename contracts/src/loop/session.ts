/** Shapes of the loop contract that several procedures share: ids, phases, event types, the digest, constraints, and how a session is started. */
import * as z from "zod";
import { damaged, noSession, projectBusy, unknownProject } from "./error.ts";

export const workPhases = ["SCOUT", "NEXT_TICKET", "PLAN", "EXECUTE", "QA", "PR", "PARALLEL_EXECUTE"] as const;

export const terminalPhases = [
  "DONE",
  "BLOCKED_NEEDS_HUMAN",
  "FAILED_BUDGET",
  "FAILED_VALIDATION",
  "FAILED_SPINDLE",
] as const;

export const phases = [...workPhases, ...terminalPhases] as const;

/** Events a client may report: the spec's eight, then the two of the review pass. */
export const clientEventTypes = [
  "SCOUT_OUTPUT",
  "PLAN_SUBMITTED",
  "TICKET_RESULT",
  "QA_COMMAND_RESULT",
  "QA_PASSED",
  "QA_FAILED",
  "PR_CREATED",
  "USER_OVERRIDE",
  "PROPOSALS_REVIEWED",
  "PROPOSALS_FILTERED",
] as const;

export const categories = ["refactor", "docs", "test", "perf", "security", "fix", "cleanup", "types"] as const;

export const project = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    "a name of 1 to 64 letters, digits, `.`, `_` and `-`, a letter or digit first",
  )
  .optional()
  .describe("Name of a project in the server's configuration; the default project when left out. Never a path.");

export const runId = z
  .string()
  .regex(/^run_[0-9a-z]{12}$/, "run_ and twelve letters or digits, like run_0a1b2c3d4e5f")
  .describe("Id of a run: run_ and twelve letters or digits.");

export const ticketId = z
  .string()
  .regex(/^tkt_[0-9a-z]{12}$/, "tkt_ and twelve letters or digits, like tkt_0a1b2c3d4e5f")
  .describe("Id of a ticket: tkt_ and twelve letters or digits.");

export const eventId = z
  .string()
  .regex(/^evt_[0-9a-z]{12}$/, "evt_ and twelve letters or digits, like evt_0a1b2c3d4e5f")
  .optional()
  .describe(
    "The caller's own id for this event: evt_ and twelve letters or digits. The same id again, also after a crash, is applied once and answered the same.",
  );

export const phase = z.enum(phases).describe("Phase of the session.");

const threshold = (what: string) => z.int().min(0).max(100).optional().describe(`${what}; 0 switches it off.`);

export const startInput = z.strictObject({
  project,
  event_id: eventId,
  hours: z
    .number()
    .positive()
    .max(168)
    .optional()
    .describe("Hours until the session expires; makes it continuous: many cycles and PRs, no limit a ticket."),
  formula: z.string().max(64).optional().describe("Name of a formula; see promptwheel_list_formulas."),
  deep: z.boolean().optional().describe("The same as formula `deep`; `formula` wins."),
  scope: z.string().min(1).max(2_048).optional().describe("Glob of the files to improve. Default `**`."),
  categories: z.array(z.enum(categories)).max(8).optional().describe("What to look for. Default: all but test."),
  min_confidence: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("0 to 100; a hint for the scout, filters nothing. Default 55."),
  min_impact_score: z.number().min(1).max(10).optional().describe("1 to 10; proposals below are dropped. Default 5."),
  max_proposals: z.int().min(1).max(50).optional().describe("Tickets a scout may yield. Default 5."),
  step_budget: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("Prompts the session may hand out; N means N. Default 200."),
  ticket_step_budget: z
    .int()
    .min(1)
    .max(100_000)
    .optional()
    .describe("Prompts one ticket may use; N means N. Default 12, none when continuous."),
  max_prs: z
    .int()
    .min(0)
    .max(999)
    .optional()
    .describe("Pull requests the session may open. Default 5, 999 when continuous. Without effect while PRs are off."),
  max_cycles: z.int().min(1).max(999).optional().describe("Scout cycles. Default 1, 999 when continuous."),
  max_cost_usd: z
    .number()
    .positive()
    .max(1e6)
    .optional()
    .describe(
      "US dollars that the session may cost, as events report it in `usage`; then it stops. Default: no limit.",
    ),
  max_tokens: z
    .int()
    .positive()
    .optional()
    .describe("Tokens that it may read and write together, as events report it; then it stops. Default: no limit."),
  create_prs: z.boolean().optional().describe("Open a pull request for each ticket. Default false."),
  draft: z.boolean().optional().describe("Open them as drafts. Default false."),
  draft_prs: z.boolean().optional().describe("The same as create_prs and draft together."),
  parallel: z.int().min(1).optional().describe("Tickets worked on at once, at most 5. Default 1."),
  direct: z
    .boolean()
    .optional()
    .describe("Edit in place, without a branch a ticket. Default: true without PRs and parallel work."),
  own_tree: z
    .boolean()
    .optional()
    .describe(
      "End each ticket as a commit of the server's, on a branch of its own, as a parked branch with its files given back, or as no change. In direct work files that neither a plan nor a result names are left alone; otherwise each ticket has a worktree. Default false.",
    ),
  merge_branches: z
    .boolean()
    .optional()
    .describe(
      "With own_tree, worktrees and no pull requests: merge the branch of each done ticket into the one that the session began on; a conflict becomes a ticket. Default true.",
    ),
  review: z.boolean().optional().describe("Hold proposals for a review pass (PROPOSALS_REVIEWED). Default false."),
  learnings: z.boolean().optional().describe("Keep and show lessons across sessions. Default true."),
  learnings_budget: z.int().min(0).max(20_000).optional().describe("Characters of lessons in a prompt. Default 2000."),
  learnings_decay_rate: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("Weight a lesson loses each session, of 100. Default 3."),
  qa: z
    .enum(["client", "server"])
    .optional()
    .describe(
      "Who runs the commands that decide whether a ticket has passed. `server`: QA_PASSED starts them, and a failure counts as QA_FAILED. Default client.",
    ),
  plan_approval: z
    .enum(["stop", "hold"])
    .optional()
    .describe(
      "What becomes of a plan of high risk: it stops the session (BLOCKED_NEEDS_HUMAN), or waits in PLAN until a person approves or rejects it. With `hold` the server counts a plan as one of high risk, too, whose files decide what is verified, installed, built or released, or lead agents. Default stop.",
    ),
  scope_breach: z
    .enum(["session", "ticket"])
    .optional()
    .describe("What ends when a ticket has left its scope three times. Default session."),
  backlog: z
    .enum(["drop", "carry"])
    .optional()
    .describe(
      "What becomes of tickets that are not done when the session is ended: `carry` has a later session that says so, too, begin with those of them that are in its scope and categories. Default drop.",
    ),
  qa_commands: z
    .array(z.string().max(4_096))
    .max(50)
    .optional()
    .describe("Commands added to every ticket; from the allow-list, no shell."),
  safe: z.boolean().optional().describe("Only refactor, docs, types and perf. Default false."),
  enable_custom_tools: z
    .boolean()
    .optional()
    .describe("Name the project's own tools, from .promptwheel/tools/*.json, in the prompts. Default false."),
  exclude_dirs: z
    .array(z.string().max(2_048))
    .max(100)
    .optional()
    .describe("Folders to leave out, relative to the project."),
  client: z
    .enum(["claude", "codex"])
    .optional()
    .describe("Whose guidelines file comes first: CLAUDE.md or AGENTS.md. Default: codex for Codex, else claude."),
  guidelines: z
    .union([z.string().max(2_048), z.literal(false)])
    .optional()
    .describe("A guidelines file inside the project, or false for none."),
  spindle: z
    .object({
      stall: threshold("Iterations in a row without a change, default 5"),
      oscillation: threshold("Length of an A-B-A alternation of diffs, default 3"),
      repetition: threshold("Equal outputs in a row, default 3"),
      ping_pong: threshold("Times two failures alternate, default 3"),
      repeated_failure: threshold("Times one command fails in the same way, default 3"),
    })
    .optional()
    .describe("When a ticket counts as going in circles."),
});

const coverage = z.object({
  sectors_scanned: z.int().describe("Folders looked at."),
  sectors_total: z.int().describe("Folders there are."),
  files_scanned: z.int().describe("Files in folders looked at."),
  files_total: z.int().describe("Files there are."),
  percent: z.int().describe("Of the files, 0 to 100."),
});

/** Who ran the commands of a ticket. */
export const verificationFields = z.enum(["server", "client", "none"]);

export const commandResults = z
  .array(
    z.object({
      command: z.string().describe("The command."),
      success: z.boolean().describe("Whether it passed."),
      by: z.enum(["server", "client"]).describe("Who ran it."),
      before: z
        .enum(["passed", "same", "failed"])
        .nullable()
        .describe(
          "What it did on the files as they were before the ticket, where it fails now and the server ran it: passed, failed in the same way, or failed in another. Otherwise null.",
        ),
    }),
  )
  .describe("The last result of each command of the current ticket.");

export const heldPlan = z
  .object({
    ticket_id: ticketId,
    risk_level: z.enum(["low", "medium", "high"]).describe("Its risk, as its agent says."),
    files: z.array(z.string()).describe("Files that it would touch."),
    file_risks: z
      .array(z.string())
      .describe("Which of them make it one of high risk whatever its agent says, and why; empty where none does."),
  })
  .nullable()
  .describe("A plan that waits for a person; null when none does.");

export const pause = z
  .object({
    by: z.enum(["person", "agent"]).describe("`agent`: it is a question that a person has to answer."),
    text: z.string().describe("The reason, or the question."),
  })
  .nullable()
  .describe("Why no prompt is handed out for now; null while they are.");

export const forecast = z
  .object({
    cost_per_ticket_usd: z.number().describe("US dollars for each ticket that is closed, on average."),
    tokens_per_ticket: z.int().describe("Tokens for each ticket that is closed, on average."),
    tickets_left: z.int().describe("Tickets that are ready or being worked on."),
    total_cost_usd: z
      .number()
      .describe("US dollars at the end, if those cost as much; nothing is counted for tickets not proposed yet."),
    total_tokens: z.int().describe("Tokens at the end, likewise."),
  })
  .nullable()
  .describe("What the session will have cost; null until a ticket is closed and some event has said what it cost.");

const digestFields = z.object({
  step: z.int().describe("Prompts handed out."),
  phase,
  tickets_completed: z.int().describe("Tickets done."),
  tickets_failed: z
    .int()
    .describe(
      "Tickets that failed: reported as failed, given up, out of QA attempts, or open with a failed complete_ticket.",
    ),
  verification: verificationFields.describe("Who has run the current ticket's commands; none until all have passed."),
  budget_remaining: z.int().describe("Prompts left."),
  ticket_budget_remaining: z.int().describe("Prompts left for the current ticket; -1 without a limit."),
  spindle_risk: z.enum(["none", "low", "medium", "high"]).describe("How near the ticket is to going in circles."),
  spindle_reasons: z.array(z.string()).describe("What was seen, and the threshold it is near."),
  time_remaining_ms: z.number().nullable().describe("Milliseconds left; null without a limit."),
  coverage: coverage.describe("How much of the project was scouted."),
});

export const digest = digestFields.describe("The state of the session.");

export const cost = z
  .object({
    total_cost_usd: z.number().describe("US dollars."),
    total_input_tokens: z.int().describe("Tokens read."),
    total_output_tokens: z.int().describe("Tokens written."),
  })
  .describe("What the work has cost, as the events' payloads said in `usage`.");

const policyFields = z.object({
  allowed_paths: z.array(z.string()).describe("Paths, folders or globs; empty allows what is not denied."),
  denied_paths: z.array(z.string()).describe("Globs that are always denied."),
  denied_patterns: z.array(z.string()).describe("Regular expressions on file names that are always denied."),
  max_files: z.int().describe("Files the ticket may touch."),
  max_lines: z.int().describe("Lines it may add and remove together."),
  plan_required: z.boolean().describe("False for documentation."),
  auto_approve_patterns: z.array(z.string()).describe("Globs; a plan with only such files needs no approval."),
  category: z.enum(categories).describe("Category of the ticket."),
  named_files: z
    .array(z.string())
    .describe("Files that the ticket names; a docs ticket may touch these whatever their kind."),
});

export const policy = policyFields.describe("What the ticket may touch.");

export const constraints = policyFields
  .omit({ category: true, named_files: true })
  .extend({ required_commands: z.array(z.string()).describe("Commands that must pass.") })
  .describe("Bounds of the ticket.");

export const parallelTicket = z.object({
  ticket_id: ticketId,
  title: z.string().describe("Its title."),
  phase,
  prompt: z.string().describe("What to do for it now."),
  constraints,
});

export const qaResult = z.object({
  command: z.string().describe("The command."),
  success: z.boolean().describe("Whether it exited with 0."),
  output: z.string().describe("The last 2,000 characters it printed."),
  duration_ms: z.int().describe("How long it ran, in milliseconds."),
});

export const logLine = z.object({
  seq: z.int().describe("Position in the run's log, from 1."),
  ts: z.string().describe("When; UTC."),
  step: z.int().describe("Prompts handed out at that moment."),
  id: z.string().nullable().describe("Id of the event; null for lines the machine added."),
  type: z.string().describe("Type of the event."),
  payload: z.json().describe("What it said; large payloads are shown as a preview."),
});

export const onlyProject = z.object({ project });

/** Errors of everything that finds a project. */
export const found = { unknown_project: unknownProject, damaged };

/** Errors of everything that drives a session. */
export const driven = { ...found, no_session: noSession, project_busy: projectBusy };
