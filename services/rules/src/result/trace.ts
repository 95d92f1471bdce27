/**
 * The list of rules behind a result, in the order in which they were applied.
 * A `Cause` is a rule and why it applies; `Trace` ties causes to the numbers they act on.
 */
import type { RuleUse } from "@fairlead/contracts/rules";
import { citeRule, type RuleId } from "../data/catalogue.ts";
import type { Edition } from "../data/weapons.ts";

export interface Cause {
  readonly rule: RuleId;
  /** In a few words. */
  readonly why: string;
}

export interface Trace {
  /** Notes that a rule acted on a field of the result (`number`), and what it did there. */
  add(number: string, effect: string, cause: Cause): void;
  list(): RuleUse[];
}

export const createTrace = (edition: Edition): Trace => {
  const uses: RuleUse[] = [];
  return {
    add(number, effect, { rule, why }) {
      uses.push({ number, effect, rule, source: citeRule(rule, edition), why });
    },
    list: () => uses,
  };
};

/** +3, -1, +0. */
export const signed = (amount: number): string => (amount < 0 ? String(amount) : `+${amount}`);
