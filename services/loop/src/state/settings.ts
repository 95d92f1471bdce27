/** What a session was started with, every default filled in. Never changes during the session. */

import type { SpindleThresholds } from "../spindle/threshold.ts";
import type { Category } from "../value/category.ts";

/** The formula as a session carries it. */
interface ActiveFormula {
  readonly name: string;
  readonly description: string;
  readonly prompt: string;
  readonly riskTolerance: "low" | "medium" | "high";
  readonly tags: readonly string[];
}

export interface SessionSettings {
  /** Glob of the files proposals may touch. */
  readonly scope: string;
  readonly categories: readonly Category[];
  /** 0..100; a hint in the prompt, filters nothing. */
  readonly minConfidence: number;
  /** 1..10; proposals below are dropped. */
  readonly minImpact: number;
  /** Tickets a scout may yield. */
  readonly maxProposals: number;
  /** Prompts the session may hand out. */
  readonly stepBudget: number;
  /** Prompts one ticket may use; null for no limit. */
  readonly ticketStepBudget: number | null;
  /** US dollars that the session may cost, as events report it; null for no limit. */
  readonly maxCostUsd: number | null;
  /** Tokens that it may read and write together; null for no limit. */
  readonly maxTokens: number | null;
  readonly maxPrs: number;
  /** Scout cycles. */
  readonly maxCycles: number;
  /** Milliseconds since the epoch; null for no limit. */
  readonly expiresAt: number | null;
  readonly createPrs: boolean;
  readonly draftPrs: boolean;
  /** Tickets worked on at once, 1..5. */
  readonly parallel: number;
  /** Work in place, without a branch a ticket. */
  readonly direct: boolean;
  /** Each ticket ends as a commit, on a branch, parked, or unchanged. */
  readonly ownTree: boolean;
  /** The branches of done tickets are merged into `startBranch`; else they are left. Without PRs only. */
  readonly mergeBranches: boolean;
  /** The branch that was checked out at the start; null without one, and where the session does not own its tree. */
  readonly startBranch: string | null;
  /** Hold proposals for a review pass of their own. */
  readonly review: boolean;
  readonly learnings: boolean;
  /** Characters of lessons in a prompt. */
  readonly learningsBudget: number;
  /** Who runs the commands that decide whether a ticket has passed. */
  readonly qa: "client" | "server";
  /** What becomes of a plan of high risk: it stops the session, or waits in PLAN for a person. */
  readonly planApproval: "stop" | "hold";
  /** A plan is of high risk where its files are, whatever its agent calls it (`plan/file-risk.ts`). */
  readonly fileRisk: boolean;
  /** What a ticket ends whose plans or results left its scope three times: the session with it, or itself alone. */
  readonly scopeBreach: "session" | "ticket";
  /** What becomes of the tickets that are not done at its end. */
  readonly backlog: "drop" | "carry";
  /** Commands added to every ticket. */
  readonly qaCommands: readonly string[];
  readonly excludeDirs: readonly string[];
  /** Name the project's own tools in the prompts. */
  readonly customTools: boolean;
  readonly formula: ActiveFormula | null;
  /** Which guidelines file comes first. */
  readonly client: "claude" | "codex";
  /** A guidelines file of the caller's choice; false for none; null for the client's usual ones. */
  readonly guidelines: string | false | null;
  readonly spindle: SpindleThresholds;
}
