/**
 * Finds the regular expressions of a source by its syntax tree, and the patterns of a JSON document. Runs nothing.
 */
import { parseAst } from "vitest/node";

export interface Expression {
  readonly path: string;
  readonly source: string;
  readonly flags: string;
}

/** What a file holds: its literals, and how many expressions it puts together while it runs. */
export interface Found {
  readonly literals: readonly Expression[];
  readonly computed: number;
}

/** Reads TypeScript or JavaScript. Throws for what is neither. */
export const expressionsIn = (path: string, text: string): Found => {
  const literals: Expression[] = [];
  let computed = 0;
  for (const node of nodes(parseAst(text, { lang: path.endsWith(".ts") ? "ts" : "js" }))) {
    if (node.type === "Literal" && isRecord(node.regex)) {
      literals.push({ path, source: String(node.regex.pattern), flags: String(node.regex.flags) });
    }
    if (isMakingOne(node)) computed += 1;
  }
  return { literals, computed };
};

/** The patterns of all JSON Schemas in a document. */
export const patternsIn = (path: string, text: string): readonly Expression[] =>
  [...nodes(JSON.parse(text))].flatMap(({ pattern, patternProperties }) => [
    ...(typeof pattern === "string" ? [{ path, source: pattern, flags: "" }] : []),
    ...(isRecord(patternProperties) ? Object.keys(patternProperties) : []).map((source) => ({
      path,
      source,
      flags: "",
    })),
  ]);

const isMakingOne = ({ type, callee }: Readonly<Record<string, unknown>>): boolean =>
  (type === "NewExpression" || type === "CallExpression") && isRecord(callee) && callee.name === "RegExp";

/** All objects in a tree. */
function* nodes(root: unknown): Iterable<Readonly<Record<string, unknown>>> {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const node = pending.pop();
    if (!Array.isArray(node) && isRecord(node)) yield node;
    if (typeof node === "object" && node !== null) pending.push(...Object.values(node));
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
