/** The categories of work, as the contract lists them, and which of them a session looks for. */
import { categories } from "@fairlead/contracts/loop";

export { categories };
export type Category = (typeof categories)[number];

/** What a session looks for unless it says otherwise: tests are opt-in. */
export const defaultCategories: readonly Category[] = [
  "refactor",
  "docs",
  "perf",
  "security",
  "fix",
  "cleanup",
  "types",
];

/** What a careful session may look for. */
export const safeCategories: readonly Category[] = ["refactor", "docs", "types", "perf"];
