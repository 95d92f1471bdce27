/**
 * A syntax tree back to text. `parse(print(tree))` gives the same tree; the text is canonical, not what was typed: word
 * operators become signs, `iif` becomes `?:`, `x is T` becomes `is(x, "T")`.
 */
import type { BinaryOperator, Node, TypeNode } from "./ast.ts";
import { numberSuffix } from "./number-literal.ts";

/** Binding strength, as the parser's levels: the higher, the tighter. */
const level = {
  loose: 0,
  coalesce: 1,
  tighterThanLambda: 3,
  or: 3,
  and: 4,
  in: 5,
  bits: 6,
  comparison: 7,
  shift: 8,
  additive: 9,
  multiplicative: 10,
  unary: 11,
  primary: 12,
} as const;

const binaryLevel: Readonly<Record<BinaryOperator, number>> = {
  "??": level.coalesce,
  "&": level.bits,
  "|": level.bits,
  "==": level.comparison,
  "!=": level.comparison,
  "<": level.comparison,
  "<=": level.comparison,
  ">": level.comparison,
  ">=": level.comparison,
  "<<": level.shift,
  ">>": level.shift,
  "+": level.additive,
  "-": level.additive,
  "*": level.multiplicative,
  "/": level.multiplicative,
  "%": level.multiplicative,
};

const bindingLevel = (node: Node): number => {
  switch (node.kind) {
    case "conditional":
    case "lambda":
      return level.loose;
    case "binary":
      return binaryLevel[node.operator];
    case "logic":
      return node.operator === "||" ? level.or : level.and;
    case "in":
      return level.in;
    case "unary":
      return level.unary;
    case "number":
      return level.unary;
    default:
      return level.primary;
  }
};

/** The text of a syntax tree, which parses to the same tree. */
export const print = (node: Node): string => at(node, level.loose);

const at = (node: Node, needed: number): string =>
  bindingLevel(node) < needed ? `(${writeNode(node)})` : writeNode(node);

const list = (nodes: readonly Node[]): string => nodes.map((item) => at(item, level.loose)).join(", ");

const writeNode = (node: Node): string => {
  switch (node.kind) {
    case "number":
      return `${node.text}${numberSuffix(node.type, node.text)}`;
    case "string":
      return quoted(node.value, '"');
    case "char":
      return quoted(node.value, "'");
    case "boolean":
      return String(node.value);
    case "null":
      return "null";
    case "scope":
      return node.word;
    case "name":
      return node.escaped ? `@${node.name}` : node.name;
    case "member":
      return `${at(node.object, level.primary)}${node.lifted ? "?." : "."}${node.name}`;
    case "index":
      return `${at(node.object, level.primary)}${node.lifted ? "?[" : "["}${list(node.arguments)}]`;
    case "call": {
      const object = node.object === undefined ? "" : `${at(node.object, level.primary)}${node.lifted ? "?." : "."}`;
      const types = node.types.length === 0 ? "" : `<${node.types.map(bareType).join(", ")}>`;
      return `${object}${node.name}${types}(${list(node.arguments)})`;
    }
    case "unary": {
      const literal = node.operator === "-" && node.operand.kind === "number" && !node.operand.text.startsWith("-");
      return literal ? `-(${writeNode(node.operand)})` : `${node.operator}${at(node.operand, level.unary)}`;
    }
    case "binary": {
      const own = binaryLevel[node.operator];
      const left = node.operator === "??" ? level.tighterThanLambda : own;
      const right = node.operator === "??" ? own : own + 1;
      return `${at(node.left, left)} ${node.operator} ${at(node.right, right)}`;
    }
    case "logic": {
      const inner = (node.operator === "||" ? level.or : level.and) + 1;
      return node.items.map((item) => at(item, inner)).join(` ${node.operator} `);
    }
    case "conditional":
      return `${at(node.test, level.coalesce)} ? ${at(node.whenTrue, level.loose)} : ${at(node.whenFalse, level.loose)}`;
    case "in": {
      const right =
        "items" in node.list
          ? `(${node.list.items.map((item) => at(item, level.unary)).join(", ")})`
          : at(node.list.collection, level.unary);
      return `${at(node.item, level.in)} ${node.negated ? "not in" : "in"} ${right}`;
    }
    case "lambda":
      return `${node.parameters.length === 1 ? node.parameters[0] : `(${node.parameters.join(", ")})`} => ${at(node.body, level.loose)}`;
    case "new":
      return `new (${node.members
        .map(({ value, name }) => at(value, level.loose) + (name === undefined ? "" : ` as ${name}`))
        .join(", ")})`;
    case "newArray":
      return `new ${node.type === undefined ? "" : node.type.name}[] { ${list(node.items)} }`;
    case "is":
    case "as":
    case "cast": {
      const type = quoted(bareType(node.type), '"');
      return `${node.kind}(${node.value === undefined ? "" : `${at(node.value, level.loose)}, `}${type})`;
    }
    case "np":
      return `np(${list(node.fallback === undefined ? [node.value] : [node.value, node.fallback])})`;
    case "typed":
      return `${node.type}${quoted(node.text, '"')}`;
  }
};

const bareType = ({ name, nullable }: TypeNode): string => (nullable ? `${name}?` : name);

const quoted = (text: string, quote: string): string => {
  let out = quote;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charAt(index);
    const code = text.charCodeAt(index);
    if (unit === quote || unit === "\\") out += `\\${unit}`;
    else if (code < 32 || code > 126) out += `\\u${code.toString(16).padStart(4, "0")}`;
    else out += unit;
  }
  return out + quote;
};
