/**
 * What is left of the old shape: for each rule and package, how many offences the tests still accept. A number only goes down, a line
 * goes when it reaches zero, and in the end the table is empty.
 */
import { expect } from "vitest";

export type Rule =
  | "folders that import each other"
  | "folders of more than 20 files"
  | "test doubles outside of testing/"
  | "names of services"
  | "files named after a service"
  | "retired words"
  | "names that end in Of"
  | "bare participles"
  | "border constructs"
  | "async functions"
  | "runners of Effect"
  | "barrel imports of Effect";

export const remaining: Partial<Record<Rule, Readonly<Record<string, number>>>> = {};

/** Fails with the whole list when there are more offences than the table accepts. */
export const expectFew = (rule: Rule, room: string, found: readonly string[]): void => {
  const accepted = remaining[rule]?.[room] ?? 0;
  if (found.length > accepted) expect(found, `${rule} in ${room}: at most ${accepted}`).toEqual([]);
};
