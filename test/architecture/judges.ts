/**
 * What others say of a regular expression: recheck, which looks for a hostile text, and eslint-plugin-regexp, which reads it for
 * slowness and for mistakes. Nothing is matched.
 */
import { Linter } from "eslint";
import * as regexp from "eslint-plugin-regexp";
import { check } from "recheck";
import type { Expression } from "./expressions.ts";

/** Steps are counted, not milliseconds, so that a busy machine changes no verdict. */
const untimed = { incubationTimeout: null, seedingTimeout: null } as const;

/** Why a hostile text could make it slow, or that it is not known; `undefined` for one that is safe. */
export const danger = async ({ source, flags }: Expression): Promise<string | undefined> => {
  const exact = await check(source, flags, { ...untimed, timeout: 120_000 });
  // Where the exact analysis takes too long, texts are tried out instead.
  const said =
    exact.status === "unknown" ? await check(source, flags, { ...untimed, checker: "fuzz", timeout: 120_000 }) : exact;
  if (said.status === "safe") return undefined;
  return said.status === "vulnerable" ? said.complexity.summary : `unknown: ${said.error.kind}`;
};

const linter = new Linter();
const plugins = { regexp };
const slowness: Linter.RulesRecord = {
  "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
  "regexp/no-super-linear-move": "error",
};
/** Sets of letters are spelled out here, and small ones are alternatives. */
const taste: Linter.RulesRecord = {
  "regexp/no-obscure-range": "off",
  "regexp/prefer-character-class": "off",
  "regexp/prefer-d": "off",
  "regexp/prefer-w": "off",
  "regexp/use-ignore-case": "off",
};

const faults = (expression: Expression, rules: Linter.RulesRecord): readonly string[] =>
  linter
    .verify(`export default ${new RegExp(expression.source, expression.flags)};\n`, [{ plugins, rules }])
    .map(({ ruleId, message }) => `${ruleId ?? "syntax"}: ${message}`);

/** What is wrong with one that a person wrote. */
export const mistakes = (expression: Expression): readonly string[] =>
  faults(expression, { ...regexp.configs["flat/recommended"].rules, ...taste, ...slowness });

/** What is slow in one that a machine wrote. */
export const slowParts = (expression: Expression): readonly string[] => faults(expression, slowness);
