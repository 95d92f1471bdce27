/**
 * The shapes of what the database keeps as JSON, strict, without corrections: what is read back must be what was written, or the
 * reader gets an error. Not here: what clients send (`tool/payload.ts`), which is read more leniently.
 */

import * as z from "zod";
import type { Lesson } from "../memory/lesson.ts";
import type { SeenTitle } from "../memory/title.ts";
import { complexities, type Proposal, risks, severities } from "../proposal/proposal.ts";
import type { Sector } from "../state/coverage.ts";
import type { EventPayload, EventType, Measurement } from "../state/event.ts";
import type { SessionStart } from "../state/run-state.ts";
import type { SessionSettings } from "../state/settings.ts";
import { categories } from "../value/category.ts";
import { parseRunId, parseSessionId, parseTicketId } from "../value/id.ts";

const createIdShape = <T extends string>(parse: (text: string) => T | undefined, expected: string) =>
  z.string().transform((text, context): T => {
    const id = parse(text);
    if (id !== undefined) return id;
    context.addIssue({ code: "custom", message: `expected ${expected}` });
    return z.NEVER;
  });

const ticketIdShape = createIdShape(parseTicketId, "a ticket id");
const ticket_id = ticketIdShape.optional();
const texts = z.array(z.string());
const number = z.number();

export const lesson = z.strictObject({
  id: z.string(),
  text: z.string(),
  category: z.enum(["gotcha", "pattern", "warning", "context"]),
  source: z.enum(["ticket_failure", "qa_failure", "plan_rejection", "review_downgrade", "ticket_success"]),
  weight: number,
  tags: texts,
  paths: texts,
  lastUsedAt: number,
}) satisfies z.ZodType<Lesson>;

export const seenTitle = z.strictObject({
  title: z.string(),
  weight: number,
  completed: z.boolean(),
  seenAt: number,
}) satisfies z.ZodType<SeenTitle>;

export const proposal = z.strictObject({
  category: z.enum(categories),
  title: z.string(),
  description: z.string(),
  acceptance_criteria: texts,
  verification_commands: texts,
  allowed_paths: texts,
  files: texts,
  confidence: number,
  impact_score: number,
  rationale: z.string(),
  estimated_complexity: z.enum(complexities),
  risk: z.enum(risks),
  touched_files_estimate: number,
  rollback_note: z.string(),
  target_symbols: texts,
  severity: z.enum(severities).nullable(),
  review_note: z.string().nullable(),
}) satisfies z.ZodType<Proposal>;

const sector = z.strictObject({
  path: z.string(),
  files: number,
  scanned: z.boolean(),
  importers: number.exactOptional(),
}) satisfies z.ZodType<Sector>;

const settings = z.strictObject({
  scope: z.string(),
  categories: z.array(z.enum(categories)),
  minConfidence: number,
  minImpact: number,
  maxProposals: number,
  stepBudget: number,
  ticketStepBudget: number.nullable(),
  maxCostUsd: number.nullable().default(null),
  maxTokens: number.nullable().default(null),
  maxPrs: number,
  maxCycles: number,
  expiresAt: number.nullable(),
  createPrs: z.boolean(),
  draftPrs: z.boolean(),
  parallel: number,
  direct: z.boolean(),
  ownTree: z.boolean().default(false),
  mergeBranches: z.boolean().default(false),
  startBranch: z.string().nullable().default(null),
  review: z.boolean(),
  learnings: z.boolean(),
  learningsBudget: number,
  qa: z.enum(["client", "server"]).default("client"),
  planApproval: z.enum(["stop", "hold"]).default("stop"),
  fileRisk: z.boolean().default(false),
  scopeBreach: z.enum(["session", "ticket"]).default("session"),
  backlog: z.enum(["drop", "carry"]).default("drop"),
  qaCommands: texts,
  excludeDirs: texts,
  customTools: z.boolean().default(false),
  formula: z
    .strictObject({
      name: z.string(),
      description: z.string(),
      prompt: z.string(),
      riskTolerance: z.enum(["low", "medium", "high"]),
      tags: texts,
    })
    .nullable(),
  client: z.enum(["claude", "codex"]),
  guidelines: z.union([z.string(), z.literal(false), z.null()]),
  spindle: z.strictObject({
    stall: number,
    oscillation: number,
    repetition: number,
    ping_pong: number,
    repeated_failure: number,
  }),
}) satisfies z.ZodType<SessionSettings>;

export const sessionStartShape = z.strictObject({
  runId: createIdShape(parseRunId, "a run id"),
  sessionId: createIdShape(parseSessionId, "a session id"),
  project: z.string(),
  settings,
  memory: z.strictObject({ learnings: z.array(lesson), remembered: z.array(seenTitle) }),
  carried: z.array(proposal),
  backlog: z.array(z.strictObject({ id: ticketIdShape, proposal })).exactOptional(),
  sectors: z.array(sector),
}) satisfies z.ZodType<SessionStart>;

const measurement = z.strictObject({
  files: texts,
  linesAdded: number,
  linesRemoved: number,
  diffHash: z.string().nullable(),
  credentials: texts.exactOptional(),
  published: z.strictObject({ pr: z.enum(["verified", "local", "unverified"]), reason: z.string() }).exactOptional(),
}) satisfies z.ZodType<Measurement>;

export const contextShape = z.strictObject({
  ticketIds: z.array(ticketIdShape).optional(),
  measured: measurement.optional(),
  usage: z.strictObject({ costUsd: number, inputTokens: number, outputTokens: number }).optional(),
});

export const baselineShape = z.strictObject({
  head: z.string(),
  dirty: z.record(z.string(), z.string()),
  worktreeBranch: z.string().optional(),
});

const storedPlan = z.strictObject({
  ticket_id,
  files_to_touch: z.array(
    z.strictObject({ path: z.string(), reason: z.string(), action: z.enum(["create", "modify", "delete"]) }),
  ),
  expected_tests: texts,
  risk_level: z.enum(risks),
  estimated_lines: number,
});

export const payloadShapes = {
  SCOUT_OUTPUT: z.strictObject({
    proposals: z.array(z.unknown()),
    explored_dirs: texts,
    exploration_summary: z.string(),
  }),
  PROPOSALS_REVIEWED: z.strictObject({
    reviewed_proposals: z.array(
      z.strictObject({
        title: z.string(),
        confidence: number.optional(),
        impact_score: number.optional(),
        review_note: z.string().optional(),
      }),
    ),
  }),
  PROPOSALS_FILTERED: z.record(z.string(), z.unknown()),
  PLAN_SUBMITTED: storedPlan,
  TICKET_RESULT: z.strictObject({
    ticket_id,
    status: z.enum(["done", "failed"]),
    changed_files: texts,
    lines_added: number,
    lines_removed: number,
    summary: z.string(),
    diff: z.string().optional(),
    reason: z.string().optional(),
  }),
  QA_COMMAND_RESULT: z.strictObject({
    ticket_id,
    command: z.string(),
    success: z.boolean(),
    output: z.string(),
    duration_ms: number.optional(),
    base: z.strictObject({ success: z.boolean(), signature: z.string() }).optional(),
  }),
  QA_PASSED: z.strictObject({ ticket_id, summary: z.string(), unmet_criteria: texts }),
  QA_FAILED: z.strictObject({ ticket_id, error: z.string() }),
  PR_CREATED: z.strictObject({ ticket_id, url: z.string(), branch: z.string() }),
  USER_OVERRIDE: z.union([z.strictObject({ cancel: z.literal(true) }), z.strictObject({ hint: z.string() })]),
  ADVANCE_CALLED: z.strictObject({}),
  TICKET_TAKEN: z.strictObject({}),
  TICKET_ABANDONED: z.strictObject({ ticket_id: ticketIdShape, reason: z.string() }),
  SESSION_END: z.strictObject({}),
  PLAN_DECIDED: z.strictObject({
    ticket_id: ticketIdShape,
    decision: z.enum(["approve", "reject"]),
    reason: z.string(),
    plan: storedPlan.optional(),
  }),
  SESSION_PAUSED: z.strictObject({ by: z.enum(["person", "agent"]), text: z.string() }),
  SESSION_RESUMED: z.strictObject({ answer: z.string() }),
  ANSWER_REFUSED: z.strictObject({ ticket_id: ticketIdShape.optional(), reason: z.string() }),
  TREE_SETTLED: z.strictObject({
    ticket_id: ticketIdShape,
    title: z.string(),
    outcome: z.enum(["done", "blocked", "aborted"]),
    tree: z.enum(["commit", "branch", "parked", "unchanged"]),
    commit: z.string().nullable(),
    branch: z.string().nullable(),
    files: texts,
    unattributed: texts,
    before: z.string().nullable(),
    conflicts: texts.default([]),
    note: z.string().nullable().default(null),
    verification: z.enum(["server", "client", "none"]).default("none"),
  }),
  SCOPE_CHECKED: z.strictObject({ ticket_id: ticketIdShape, files: texts, reason: z.string() }),
} as const satisfies { readonly [T in EventType]: z.ZodType<EventPayload<T>> };
