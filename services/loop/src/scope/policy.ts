/**
 * The scope policy of a ticket: what it may touch and how much. Derived from the ticket and from how earlier work in the same
 * place went; enforced on the plan, on the result and by `validate_scope`, and written to a file that a client's hook can read.
 */
import type { Category } from "../proposal/proposal.ts";
import type { ClosedTicket, Ticket } from "../proposal/ticket.ts";

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
  /** Files that the ticket names. A docs ticket may touch these whatever their kind: documentation also stands in sources. */
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

const autoApproved: readonly string[] = ["**/*.md", "**/*.mdx", "**/*.test.*", "**/*.spec.*", "**/__tests__/**"];

/** Of how many closed tickets in the same place how many failed, as 0..100; undefined when there were none. */
export const historyRisk = (paths: readonly string[], recent: readonly ClosedTicket[]): number | undefined => {
  const folders = new Set(paths.map(folderOf));
  const related = recent.filter(
    ({ files, outcome }) => outcome !== "aborted" && files.some((file) => folders.has(folderOf(file))),
  );
  if (related.length === 0) return undefined;
  return Math.round((100 * related.filter(({ outcome }) => outcome === "blocked").length) / related.length);
};

interface Allowance {
  readonly files: number;
  readonly lineFactor: number;
}

/** How much a ticket may touch, by the risk of the place. Unknown places get the normal measure. */
const allowance = (risk: number | undefined): Allowance => {
  if (risk === undefined) return { files: 10, lineFactor: 1 };
  if (risk < 10) return { files: 15, lineFactor: 1.5 };
  if (risk < 30) return { files: 10, lineFactor: 1 };
  if (risk < 60) return { files: 7, lineFactor: 1 };
  return { files: 5, lineFactor: 0.5 };
};

export const derivePolicy = (ticket: Ticket, recent: readonly ClosedTicket[]): ScopePolicy => {
  const allowed = ticket.allowedPaths.length > 0 ? ticket.allowedPaths : ticket.files;
  const { files, lineFactor } = allowance(historyRisk([...ticket.files, ...allowed], recent));
  return {
    allowed_paths: allowed,
    denied_paths: deniedPaths,
    denied_patterns: deniedNames.map(({ source }) => source),
    max_files: files,
    max_lines: Math.round((ticket.category === "test" ? 1_000 : 500) * lineFactor),
    plan_required: ticket.category !== "docs",
    auto_approve_patterns: autoApproved,
    category: ticket.category,
    named_files: ticket.files,
  };
};

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");
