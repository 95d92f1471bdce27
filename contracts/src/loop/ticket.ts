/** Procedures of the loop contract that are about one ticket: its scope, taking it, closing it, its branch. */
import * as z from "zod";
import { mutation, query } from "../core/index.ts";
import * as errors from "./error.ts";
import { driven, eventId, found, onlyProject, phase, policy, project, qaResult, runId, ticketId } from "./session.ts";

const record = z.record(z.string(), z.unknown());

const inSnakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * An input whose fields are understood in camel case, as the spec writes them, and in snake case, as some models write all names. The
 * spec's spelling wins; the schema shows it alone.
 */
const inEitherSpelling = <S extends z.ZodObject>(input: S) => {
  const names = Object.keys(input.shape).filter((name) => inSnakeCase(name) !== name);
  return z.preprocess((given: z.input<S>): unknown => {
    const read = record.safeParse(given);
    if (!read.success) return given;
    const other = names.filter(
      (name) => !Object.hasOwn(read.data, name) && Object.hasOwn(read.data, inSnakeCase(name)),
    );
    return { ...read.data, ...Object.fromEntries(other.map((name) => [name, read.data[inSnakeCase(name)]])) };
  }, input);
};

const ticketRun = { project, ticketId, runId, event_id: eventId };

/** Whose plan is meant. */
const heldTicket = {
  project,
  event_id: eventId,
  ticket_id: ticketId.optional().describe("The ticket whose plan is meant; needed where several wait."),
};

const decided = z.object({
  ticket_id: ticketId,
  processed: z.boolean().describe("False when an edited plan leaves the ticket's scope: the first one still waits."),
  phase,
  message: z.string().describe("What happened."),
});

export const ticketProcedures = {
  getScopePolicy: query({
    summary: "Shows what the current ticket may touch, and checks one file.",
    input: inEitherSpelling(
      z.object({
        project,
        file_path: z.string().min(1).max(4_096).optional().describe("A path relative to the project, to be checked."),
        ticketId: ticketId.optional().describe("One of several parallel tickets; the current one when left out."),
      }),
    ),
    output: z.object({
      ticket_id: ticketId,
      policy,
      file_check: z
        .object({
          path: z.string().describe("The path."),
          allowed: z.boolean().describe("Whether the ticket may touch it."),
          reason: z.string().nullable().describe("Why not."),
        })
        .optional()
        .describe("Only with file_path."),
    }),
    errors: { ...found, no_session: errors.noSession, no_ticket: errors.noTicket, other_ticket: errors.otherTicket },
    examples: [{ summary: "May it touch the parser?", input: { file_path: "src/parser.ts" } }],
    tool: {
      name: "promptwheel_get_scope_policy",
      title: "Scope policy of a ticket",
      description: "What the current ticket may touch",
      fields: { project: "", file_path: "Checked, too", ticketId: "" },
    },
  }),
  nextTicket: mutation({
    summary: "Takes the next ticket, or shows the current one.",
    retry: "idempotent",
    input: onlyProject,
    output: z.object({
      ticketId: ticketId.nullable().describe("The ticket; null when there is none."),
      runId,
      title: z.string().nullable().describe("Its title."),
      description: z.string().nullable().describe("What is to be done."),
      allowedPaths: z.array(z.string()).describe("What it may touch."),
      verificationCommands: z.array(z.string()).describe("What must pass."),
      category: z.string().nullable().describe("Its category."),
      instructions: z.string().describe("What to do now."),
      message: z.string().optional().describe("Why there is no ticket; only when there is none."),
    }),
    errors: { ...driven, git_refused: errors.gitRefused },
    examples: [{ summary: "The default project", input: {} }],
    tool: {
      name: "promptwheel_next_ticket",
      description: "Takes or shows the next ticket of the session",
      fields: { project: "" },
    },
  }),
  validateScope: query({
    summary: "Checks changed files against the current ticket's scope.",
    input: inEitherSpelling(
      z.object({
        project,
        ticketId,
        changedFiles: z.array(z.string().max(4_096)).max(1_000).describe("Paths relative to the project."),
      }),
    ),
    output: z.object({
      valid: z.boolean().describe("True when all may be touched."),
      message: z.string().describe("In words."),
      violations: z
        .array(z.object({ file: z.string().describe("The path."), reason: z.string().describe("Why not.") }))
        .optional()
        .describe("Files that may not be touched."),
      categoryViolations: z
        .array(z.object({ file: z.string().describe("The path."), reason: z.string().describe("Why not.") }))
        .optional()
        .describe("Files that do not fit the ticket's category."),
      allowedPaths: z.array(z.string()).optional().describe("What may be touched."),
    }),
    errors: { ...found, no_session: errors.noSession, no_ticket: errors.noTicket, other_ticket: errors.otherTicket },
    examples: [{ summary: "One file", input: { ticketId: "tkt_000000000001", changedFiles: ["src/parser.ts"] } }],
    tool: {
      name: "promptwheel_validate_scope",
      title: "Validate scope of changes",
      description: "Checks changed files against the ticket's scope",
      fields: { project: "", ticketId: "", changedFiles: "" },
    },
  }),
  completeTicket: mutation({
    summary: "Runs the ticket's verification commands and, when all pass, marks it done.",
    description:
      "Works in PLAN, EXECUTE and QA. From PLAN the changes in the working tree are the plan, from PLAN and EXECUTE the result; both are checked against the scope first, and at the end what the tree holds by then is. Each command has 120 s; the first failure stops. A failure here uses no QA attempt.",
    retry: "keyed",
    hints: { openWorld: true },
    run: {},
    input: inEitherSpelling(
      z.object({ ...ticketRun, summary: z.string().max(32_768).optional().describe("What was done.") }),
    ),
    output: z.object({
      success: z.boolean().describe("True when every command passed."),
      ticketId,
      qaResults: z.array(qaResult).describe("Commands that ran, in order."),
      message: z.string().describe("What happened."),
      phase,
    }),
    errors: {
      ...driven,
      no_ticket: errors.noTicket,
      other_ticket: errors.otherTicket,
      unknown_run: errors.unknownRun,
    },
    examples: [{ summary: "A ticket", input: { ticketId: "tkt_000000000001", runId: "run_000000000001" } }],
    policy: { deadlineMs: 900_000, concurrency: 8 },
    tool: {
      name: "promptwheel_complete_ticket",
      description: "Runs the ticket's checks; done when all pass",
      fields: { project: "", ticketId: "", runId: "", summary: "" },
    },
  }),
  approvePlan: mutation({
    summary: "Approves the plan of high risk that waits for a person, as it is or as edited.",
    description: "For people: it is not a tool of MCP.",
    retry: "keyed",
    input: z.object({
      ...heldTicket,
      plan: z
        .record(z.string(), z.json())
        .optional()
        .describe(
          "The plan in its place, as PLAN_SUBMITTED has it: `files_to_touch`, `risk_level`, `estimated_lines`.",
        ),
    }),
    output: decided,
    errors: { ...driven, no_plan: errors.noPlan },
    examples: [{ summary: "As it is", input: {} }],
    tool: false,
  }),
  rejectPlan: mutation({
    summary: "Rejects the plan of high risk that waits for a person.",
    description: "For people: it is not a tool of MCP. The agent gets the reason and plans again.",
    retry: "keyed",
    input: z.object({ ...heldTicket, reason: z.string().max(8_192).trim().min(1).describe("Why.") }),
    output: decided,
    errors: { ...driven, no_plan: errors.noPlan },
    examples: [{ summary: "Not so", input: { reason: "leave the public types as they are" } }],
    tool: false,
  }),
  failTicket: mutation({
    summary: "Gives the current ticket up, with the reason.",
    retry: "keyed",
    input: inEitherSpelling(z.object({ ...ticketRun, reason: z.string().max(8_192).trim().min(1).describe("Why.") })),
    output: z.object({
      ticketId,
      status: z.literal("blocked").describe("Its status now."),
      reason: z.string().describe("Why."),
      message: z.string().describe("What happened."),
    }),
    errors: {
      ...driven,
      no_ticket: errors.noTicket,
      other_ticket: errors.otherTicket,
      unknown_run: errors.unknownRun,
    },
    examples: [
      {
        summary: "Too large",
        input: { ticketId: "tkt_000000000001", runId: "run_000000000001", reason: "too large for one ticket" },
      },
    ],
    tool: {
      name: "promptwheel_fail_ticket",
      description: "Gives the ticket up",
      fields: { project: "", ticketId: "", runId: "", reason: "" },
    },
  }),
  gitSetup: mutation({
    summary: "Creates or checks out the ticket's branch; a worktree of its own for parallel tickets.",
    retry: "idempotent",
    input: inEitherSpelling(
      z.object({
        project,
        ticketId,
        baseBranch: z
          .string()
          .regex(/^[A-Za-z0-9][\w./-]{0,199}$/, "a branch like main or release/2")
          .optional()
          .describe("Branch to start from. Default `main`, or the current branch when there is no main."),
      }),
    ),
    output: z.object({
      branchName: z.string().describe("promptwheel/<ticket>/<title>."),
      baseBranch: z.string().describe("Where it starts."),
      ticketId,
      worktree: z
        .string()
        .nullable()
        .describe("Folder to work in, relative to the project; null for the project itself."),
      message: z.string().describe("What was done."),
    }),
    errors: {
      ...driven,
      no_ticket: errors.noTicket,
      other_ticket: errors.otherTicket,
      git_refused: errors.gitRefused,
    },
    examples: [{ summary: "From main", input: { ticketId: "tkt_000000000001", baseBranch: "main" } }],
    tool: {
      name: "promptwheel_git_setup",
      title: "Check out ticket branch",
      description: "Checks out the ticket's branch",
      fields: { project: "", ticketId: "", baseBranch: "" },
    },
  }),
};
