/**
 * A scope policy: what a ticket may touch and how much, and what no ticket may touch. Enforced on the plan, on the result and by
 * `validate_scope`, and written to a file that a client's hook can read. Not here: how a ticket gets its policy (`ticket/policy.ts`).
 */
import type { Category } from "../value/category.ts";

export interface ScopePolicy {
  /** Paths, folders or globs; empty allows whatever is not denied. */
  readonly allowed_paths: readonly string[];
  /** Denied whatever is allowed; globs, compared without case. */
  readonly denied_paths: readonly string[];
  /** Regular expressions on the file's name, without case. For hooks; the server uses the same list. */
  readonly denied_patterns: readonly string[];
  readonly max_files: number;
  readonly max_lines: number;
  readonly plan_required: boolean;
  /** Globs; a plan that touches only such files needs no further approval, whatever its risk. */
  readonly auto_approve_patterns: readonly string[];
  readonly category: Category;
  /** Files that the ticket names. A docs ticket may touch these whatever their kind: documentation is also in sources. */
  readonly named_files: readonly string[];
}

export const deniedPaths: readonly string[] = [
  "**/.env",
  "**/.env.*",
  "**/.env*/**",
  "**/node_modules/**",
  "**/.git",
  "**/.git/**",
  "**/.promptwheel/**",
  "**/dist/**",
  "**/build/**",
  "**/coverage/**",
  "**/package-lock.json",
];

export const deniedNames: readonly RegExp[] = [/^\.env/i, /\.(?:pem|key)$/i, /credentials/i, /secret/i];
