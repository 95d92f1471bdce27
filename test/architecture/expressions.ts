/**
 * Finds the regular expressions of a source by its syntax tree, and the patterns of a JSON document. Runs nothing.
 */
import { isNode, nodes, parse } from "./syntax.ts";

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
  for (const node of nodes(parse(path, text))) {
    if (node.type === "Literal" && isNode(node.regex)) {
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
    ...(isNode(patternProperties) ? Object.keys(patternProperties) : []).map((source) => ({
      path,
      source,
      flags: "",
    })),
  ]);

const isMakingOne = ({ type, callee }: Readonly<Record<string, unknown>>): boolean =>
  (type === "NewExpression" || type === "CallExpression") && isNode(callee) && callee.name === "RegExp";
