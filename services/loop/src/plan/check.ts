/** Checks a plan against the ticket's scope policy: its violations, and whether a person has to approve it. */
import { checkFiles, checkLines, type ScopeViolation } from "../scope/check.ts";
import { matchesGlob } from "../scope/glob.ts";
import { parsePath } from "../scope/path.ts";
import type { ScopePolicy } from "../scope/policy.ts";
import { listFileRisks } from "./file-risk.ts";
import type { PlanSubmission } from "./submission.ts";

/** How many rejected plans of one ticket end in asking a person. */
export const maxRejections = 3;

export interface PlanCheck {
  readonly violations: readonly ScopeViolation[];
  /** A high-risk plan that touches more than files which are approved automatically, or one whose files make it one of high risk. */
  readonly needsApproval: boolean;
  /** Why its files make it one of high risk, a line a file; empty where they do not, or do not count. */
  readonly fileRisks: readonly string[];
  /** The files, normalised; results are compared with them. */
  readonly files: readonly string[];
}

interface PlanRules {
  readonly policy: ScopePolicy;
  /** Whether its files count, whatever its agent calls its risk. */
  readonly fileRisk: boolean;
}

export const checkPlan = ({ policy, fileRisk }: PlanRules, plan: PlanSubmission): PlanCheck => {
  const named = plan.files_to_touch.map(({ path }) => path);
  const lines = checkLines(policy, plan.estimated_lines);
  const empty: readonly ScopeViolation[] =
    named.length === 0 ? [{ file: "", rule: "count", why: "the plan names no file" }] : [];
  const files = named.flatMap((path) => {
    const parsed = parsePath(path);
    return parsed.ok ? [parsed.path] : [];
  });
  const harmless = files.every((file) => policy.auto_approve_patterns.some((pattern) => matchesGlob(pattern, file)));
  const fileRisks = fileRisk ? listFileRisks(files) : [];
  return {
    violations: [...empty, ...checkFiles(policy, named), ...(lines === undefined ? [] : [lines])],
    needsApproval: fileRisks.length > 0 || (plan.risk_level === "high" && !harmless),
    fileRisks,
    files,
  };
};
