/** A proposal: one improvement that could be made, as a scout reported it and the schema corrected it. */
import type { Category } from "../value/category.ts";

export const complexities = ["trivial", "simple", "moderate", "complex"] as const;
export const risks = ["low", "medium", "high"] as const;
export const severities = ["blocking", "degrading", "polish", "speculative"] as const;

export type Complexity = (typeof complexities)[number];
export type RiskLevel = (typeof risks)[number];
export type ProposalSeverity = (typeof severities)[number];

export interface Proposal {
  readonly category: Category;
  readonly title: string;
  readonly description: string;
  readonly acceptance_criteria: readonly string[];
  readonly verification_commands: readonly string[];
  /** Normalised paths or globs. */
  readonly allowed_paths: readonly string[];
  /** Normalised paths. */
  readonly files: readonly string[];
  /** 0..100. */
  readonly confidence: number;
  /** 1..10. */
  readonly impact_score: number;
  readonly rationale: string;
  readonly estimated_complexity: Complexity;
  readonly risk: RiskLevel;
  readonly touched_files_estimate: number;
  readonly rollback_note: string;
  readonly target_symbols: readonly string[];
  readonly severity: ProposalSeverity | null;
  readonly review_note: string | null;
}
