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

export const remaining: Partial<Record<Rule, Readonly<Record<string, number>>>> = {
  "border constructs": {
    kernel: 24,
  },
  "async functions": {
    kernel: 51,
  },
  "runners of Effect": {
    kernel: 11,
    "services/pob": 3,
  },
  "retired words": {
    contracts: 1,
    kernel: 20,
    "services/connections": 2,
    "services/loop": 5,
    "services/pob": 2,
    "services/rules": 6,
  },
  "names that end in Of": {
    codegen: 3,
    kernel: 36,
    "services/connections": 3,
    "services/loop": 62,
    "services/pob": 39,
    "services/rules": 51,
  },
  "bare participles": {
    contracts: 2,
    kernel: 16,
    "services/connections": 1,
    "services/loop": 9,
    "services/pob": 4,
    "services/rules": 23,
  },
  "names of services": {
    codegen: 3,
    kernel: 2,
  },
  "files named after a service": {},
};

/** Fails with the whole list when there are more offences than the table accepts. */
export const expectFew = (rule: Rule, room: string, found: readonly string[]): void => {
  const accepted = remaining[rule]?.[room] ?? 0;
  if (found.length > accepted) expect(found, `${rule} in ${room}: at most ${accepted}`).toEqual([]);
};
