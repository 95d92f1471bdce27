/** The scope policy of a ticket, derived from the ticket and from how earlier work in the same folders went. Pure. */
import { isGlob } from "../scope/glob.ts";
import { parentFolder } from "../scope/path.ts";
import { deniedNames, deniedPaths, type ScopePolicy } from "../scope/policy.ts";
import type { ClosedTicket, Ticket } from "./ticket.ts";

const autoApprovePatterns: readonly string[] = ["**/*.md", "**/*.mdx", "**/*.test.*", "**/*.spec.*", "**/__tests__/**"];

/** The percentage of failed tickets among the closed ones in the same folders; undefined without any. */
export const historyRisk = (paths: readonly string[], recent: readonly ClosedTicket[]): number | undefined => {
  const folders = new Set(paths.map(parentFolder));
  const related = recent.filter(
    ({ files, outcome }) => outcome !== "aborted" && files.some((file) => folders.has(parentFolder(file))),
  );
  if (related.length === 0) return undefined;
  return Math.round((100 * related.filter(({ outcome }) => outcome === "blocked").length) / related.length);
};

interface Allowance {
  readonly files: number;
  readonly lineFactor: number;
}

/** How much a ticket may touch, by the risk of its folders. Unknown folders get the normal amount. */
const allowance = (risk: number | undefined): Allowance => {
  if (risk === undefined) return { files: 10, lineFactor: 1 };
  if (risk < 10) return { files: 15, lineFactor: 1.5 };
  if (risk < 30) return { files: 10, lineFactor: 1 };
  if (risk < 60) return { files: 7, lineFactor: 1 };
  return { files: 5, lineFactor: 0.5 };
};

const maxLines = 500;

const commonBounds = {
  denied_paths: deniedPaths,
  denied_patterns: deniedNames.map(({ source }) => source),
  auto_approve_patterns: autoApprovePatterns,
};

/** The bounds of a ticket whose category and folders are not known yet: what a scout may propose. */
export const deriveSessionBounds = (scope: string): Omit<ScopePolicy, "category" | "named_files"> => ({
  ...commonBounds,
  allowed_paths: [scope],
  max_files: allowance(undefined).files,
  max_lines: maxLines,
  plan_required: true,
});

export const derivePolicy = (ticket: Ticket, recent: readonly ClosedTicket[]): ScopePolicy => {
  const allowed = ticket.allowedPaths.length > 0 ? ticket.allowedPaths : ticket.files;
  const { files, lineFactor } = allowance(historyRisk([...ticket.files, ...allowed], recent));
  return {
    ...commonBounds,
    allowed_paths: allowed,
    max_files: files,
    max_lines: Math.round((ticket.category === "test" ? 1_000 : maxLines) * lineFactor),
    plan_required: ticket.category !== "docs",
    category: ticket.category,
    named_files: [...new Set([...ticket.files, ...ticket.allowedPaths.filter((path) => !isGlob(path))])],
  };
};
