/**
 * A formula: named instructions for a scout, as YAML. Built-in ones and the user's own are read by the same strict reader: known keys
 * only, no anchors, no tags, bounded size and depth. What a formula says is data for a prompt; it can run nothing.
 */

import { createRequire } from "node:module";
import type * as Yaml from "yaml";
import * as z from "zod";
import { type Category, categories } from "../value/category.ts";
import { text, texts } from "../value/coercion.ts";
import { errorMessage } from "../value/error.ts";
import { limits } from "../value/limits.ts";

const load = createRequire(import.meta.url);

/** Loaded with the first custom formula: seventy modules that nothing else needs. */
const yaml = (): typeof Yaml => load("yaml");

export interface Formula {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly scope: string | null;
  readonly categories: readonly Category[];
  /** A hint in the prompt; filters nothing. */
  readonly min_confidence: number | null;
  readonly max_prs: number | null;
  /** A hint for the client. */
  readonly model: string | null;
  readonly risk_tolerance: "low" | "medium" | "high";
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
  readonly prompt: string;
}

export type FormulaVerdict =
  | { readonly ok: true; readonly formula: Formula }
  | { readonly ok: false; readonly why: string };

/** Bytes of a formula's file. */
export const maxFormulaBytes = 65_536;

const maxDepth = 8;

export const isFormulaName = (name: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(name);

const schema = z.strictObject({
  description: text(limits.smallText).default(""),
  scope: z.string().min(1).max(limits.path).nullable().default(null),
  categories: z.array(z.enum(categories)).max(categories.length).default([]),
  min_confidence: z.number().min(0).max(100).nullable().default(null),
  max_prs: z.int().min(0).max(999).nullable().default(null),
  model: z.string().max(100).nullable().default(null),
  risk_tolerance: z.enum(["low", "medium", "high"]).default("medium"),
  exclude: texts(limits.path),
  tags: texts(100),
  prompt: text(limits.mediumText).default(""),
  version: z.int().min(1).default(1),
});

const refuse = (why: string): FormulaVerdict => ({ ok: false, why });

/** Reads a formula's YAML. Never throws; the reason of a refusal is one sentence. */
export const readFormula = (name: string, source: string): FormulaVerdict => {
  if (!isFormulaName(name)) return refuse("a formula's name is made of letters, digits, dash and underscore");
  if (Buffer.byteLength(source) > maxFormulaBytes) return refuse(`the file is larger than ${maxFormulaBytes} bytes`);
  if (isTooDeep(source)) return refuse(`the file is nested deeper than ${maxDepth} levels`);
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const result = schema.safeParse(parsed.value ?? {});
  if (result.success) return { ok: true, formula: { name, ...result.data } };
  const [issue] = result.error.issues;
  return refuse(`${issue?.path.join(".") || "the file"}: ${issue?.message ?? "does not fit"}`);
};

const parseYaml = (source: string): { ok: true; value: unknown } | { ok: false; why: string } => {
  try {
    const document = yaml().parseDocument(source, {
      version: "1.2",
      schema: "core",
      strict: true,
      uniqueKeys: true,
      stringKeys: true,
      merge: false,
      resolveKnownTags: false,
      logLevel: "error",
      prettyErrors: false,
    });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) return { ok: false, why: `not valid YAML: ${problem.message.slice(0, 200)}` };
    return { ok: true, value: document.toJS({ maxAliasCount: 0 }) };
  } catch (failure) {
    return {
      ok: false,
      why: `not valid YAML: ${errorMessage(failure).slice(0, 200)}`,
    };
  }
};

/** Checked on the text before parsing, so that nesting cannot exhaust the parser: open brackets, and list marks in a row. */
const isTooDeep = (source: string): boolean => {
  let open = 0;
  for (const character of source) {
    if (character === "[" || character === "{") open += 1;
    else if (character === "]" || character === "}") open = Math.max(0, open - 1);
    if (open > 64) return true;
  }
  return source.split("\n").some((line) => /^\s*(?:[-?:]\s+){9,}/.test(line) || /^\s{200,}\S/.test(line));
};
