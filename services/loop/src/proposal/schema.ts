/**
 * The schema a scout's proposal must meet: category, title, description and where it happens are required; synonyms and
 * numbers written as text are accepted; the rest has defaults. Fields it does not know are dropped.
 */

import * as z from "zod";
import { parsePath } from "../scope/path.ts";
import { categories } from "../value/category.ts";
import { clamped, count, requiredText, text, texts, word } from "../value/coercion.ts";
import { limits } from "../value/limits.ts";
import { complexities, type Proposal, risks, severities } from "./proposal.ts";

const category = word(categories, {
  tests: "test",
  testing: "test",
  "test-coverage": "test",
  documentation: "docs",
  doc: "docs",
  performance: "perf",
  optimization: "perf",
  optimisation: "perf",
  sec: "security",
  vulnerability: "security",
  bug: "fix",
  bugfix: "fix",
  "bug-fix": "fix",
  refactoring: "refactor",
  "dead-code": "cleanup",
  "clean-up": "cleanup",
  type: "types",
  typing: "types",
  "type-safety": "types",
});

const complexity = word(complexities, {
  easy: "simple",
  low: "simple",
  small: "simple",
  medium: "moderate",
  normal: "moderate",
  hard: "complex",
  high: "complex",
  large: "complex",
});

/** Also read by the plan's schema. */
export const riskWord = word(risks, {
  none: "low",
  minimal: "low",
  moderate: "medium",
  critical: "high",
  severe: "high",
});

const severity = word(severities, {
  critical: "blocking",
  blocker: "blocking",
  major: "degrading",
  minor: "polish",
  cosmetic: "polish",
  trivial: "polish",
});

/** A share between 0 and 1 is read as a percentage. */
const confidence = clamped(0, 100).transform((value) => (value > 0 && value < 1 ? value * 100 : value));

/** Invalid paths are dropped here: the scope filter checks the rest. */
const paths = texts(limits.path).transform((items) => [
  ...new Set(
    items.flatMap((item) => {
      const parsed = parsePath(item);
      return parsed.ok ? [parsed.path] : [];
    }),
  ),
]);

const schema = z
  .object({
    category,
    title: requiredText(300),
    description: requiredText(limits.mediumText),
    acceptance_criteria: texts(limits.smallText),
    verification_commands: texts(limits.command),
    allowed_paths: paths,
    files: paths,
    confidence: confidence.default(50),
    impact_score: clamped(1, 10).default(5),
    rationale: text(limits.smallText).default(""),
    estimated_complexity: complexity.catch("moderate"),
    risk: riskWord.catch("medium"),
    touched_files_estimate: count.optional(),
    rollback_note: text(limits.smallText).default("git revert"),
    target_symbols: texts(300),
    severity: severity.nullable().catch(null),
    review_note: text(limits.smallText).nullable().default(null),
  })
  .refine(({ allowed_paths, files }) => allowed_paths.length + files.length > 0, {
    path: ["files"],
    message: "give `allowed_paths` or `files` inside the project",
  })
  .transform(
    (fields): Proposal => ({
      ...fields,
      touched_files_estimate: fields.touched_files_estimate ?? Math.max(1, fields.files.length),
    }),
  );

type ProposalVerdict =
  | { readonly ok: true; readonly proposal: Proposal }
  | { readonly ok: false; readonly title: string; readonly why: string };

/** Reads one proposal; a refusal names the field. */
export const readProposal = (value: unknown): ProposalVerdict => {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, proposal: result.data };
  const [issue] = result.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? "the proposal" : issue.path.join(".");
  return { ok: false, title: readTitle(value), why: `${field}: ${issue?.message ?? "does not fit"}` };
};

/** The title of a value that may not be a proposal, for messages. */
const readTitle = (value: unknown): string =>
  typeof value === "object" && value !== null && "title" in value && typeof value.title === "string"
    ? value.title.slice(0, 120)
    : "(no title)";
