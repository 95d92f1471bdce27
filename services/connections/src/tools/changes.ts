/**
 * What differs between two definitions of a tool, for a person who is to approve it. Pure. Texts are cleaned and cut; the list is
 * short.
 */
import { cleanText } from "@fairlead/contracts";
import { deepest } from "./clean-schema.ts";

export interface ToolChange {
  /** Where, like `inputSchema.properties.path.description`. */
  readonly path: string;
  /** What was there, as JSON; empty when there was nothing. */
  readonly was: string;
  /** What is there now; empty when there is nothing. */
  readonly now: string;
}

const most = 20;
const longest = 300;

export const findChanges = (was: unknown, now: unknown): readonly ToolChange[] => {
  const found: ToolChange[] = [];
  compare([], was, now);
  return found;

  function compare(path: readonly string[], before: unknown, after: unknown): void {
    if (found.length >= most || before === after) return;
    if (isBranch(before) && isBranch(after) && path.length < deepest) {
      const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
      for (const key of [...keys].toSorted()) compare([...path, key], own(before, key), own(after, key));
    } else if (JSON.stringify(before) !== JSON.stringify(after)) {
      found.push({ path: cleanText(path.join("."), longest), was: shown(before), now: shown(after) });
    }
  }
};

type Branch = Readonly<Record<string, unknown>> | readonly unknown[];

const isBranch = (value: unknown): value is Branch => typeof value === "object" && value !== null;

const own = (branch: Branch, key: string): unknown =>
  Object.hasOwn(branch, key) ? (branch as Readonly<Record<string, unknown>>)[key] : undefined;

const shown = (value: unknown): string => (value === undefined ? "" : cleanText(JSON.stringify(value) ?? "", longest));
