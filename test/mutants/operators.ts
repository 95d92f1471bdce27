/**
 * The small faults that the mutation run puts into a source, one at a time: a comparison off by one, a condition turned round, a branch
 * that is never taken. Pure.
 *
 * Our own and not StrykerJS: that knows no vitest 5, and a dozen operators over three folders need no framework.
 */
import { isNode, type Node, nodes, parse } from "../architecture/syntax.ts";

export interface Mutant {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** `path:line: before -> after`. */
  readonly title: string;
}

const operators: Readonly<Record<string, string>> = {
  "&&": "||",
  "||": "&&",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "-": "+",
  "*": "/",
};

interface Change {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

interface Placed extends Node {
  readonly start: number;
  readonly end: number;
}

const isPlaced = (value: unknown): value is Placed =>
  isNode(value) && typeof value.start === "number" && typeof value.end === "number";

/** What an operator between two operands becomes. */
const swapped = (text: string, { operator, left, right }: Node): readonly Change[] => {
  const replacement = operators[String(operator)];
  if (replacement === undefined || !isPlaced(left) || !isPlaced(right)) return [];
  const start = text.indexOf(String(operator), left.end);
  return start < right.start ? [{ start, end: start + String(operator).length, replacement }] : [];
};

const negated = (text: string, test: unknown): readonly Change[] =>
  isPlaced(test) ? [{ start: test.start, end: test.end, replacement: `!(${text.slice(test.start, test.end)})` }] : [];

const changes = (text: string, node: Node): readonly Change[] => {
  switch (node.type) {
    case "LogicalExpression":
    case "BinaryExpression":
      return swapped(text, node);
    case "ConditionalExpression":
      return negated(text, node.test);
    case "IfStatement":
      return isPlaced(node.test) ? [{ start: node.test.start, end: node.test.end, replacement: "false" }] : [];
    case "UnaryExpression":
      return node.operator === "!" && isPlaced(node)
        ? [{ start: node.start, end: node.start + 1, replacement: "" }]
        : [];
    case "Literal":
      return typeof node.value === "boolean" && isPlaced(node)
        ? [{ start: node.start, end: node.end, replacement: String(!node.value) }]
        : [];
    default:
      return [];
  }
};

/** All mutants of a source, in the order of their places. A literal that is a type is left alone: no test can notice it. */
export const mutantsIn = (path: string, text: string): readonly Mutant[] => {
  const every = [...nodes(parse(path, text))];
  const types = new Set(every.map(({ type, literal }) => (type === "TSLiteralType" ? literal : undefined)));
  return every
    .filter((node) => !types.has(node))
    .flatMap((node) => changes(text, node))
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => ({ path, ...change, title: title(path, text, change) }));
};

const title = (path: string, text: string, { start, end, replacement }: Change): string => {
  const line = text.slice(0, start).split("\n").length;
  const from = text.lastIndexOf("\n", start) + 1;
  const to = text.indexOf("\n", end);
  const before = text.slice(from, to).trim();
  const after = (text.slice(from, start) + replacement + text.slice(end, to)).trim();
  return `${path}:${line}: ${before}  ->  ${after}`;
};

export const apply = (text: string, { start, end, replacement }: Change): string =>
  text.slice(0, start) + replacement + text.slice(end);
