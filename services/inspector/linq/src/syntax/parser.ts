/**
 * Tokens to a syntax tree: the library's grammar with the spec's forms added (`?.`, infix `is` and `as`, `Name = value` inside
 * `new`, generic calls). Loosest first: `?:`, `??`, `=>`, `||`, `&&`, `in`, `& |`, comparison, shift, `+ -`, `* / %`, unary,
 * primary. What a name means is the binder's business.
 */

import { LinqError } from "../core/error.ts";
import { defaultLimits, type Limits } from "../core/limits.ts";
import {
  type BinaryOperator,
  type LogicNode,
  type Node,
  node,
  type OrderKey,
  type TypeNode,
  treeDepth,
} from "./ast.ts";
import { Cursor } from "./cursor.ts";
import { numberLiteral } from "./number-literal.ts";
import { type Grammar, primary } from "./primary.ts";
import { comparisonWords } from "./words.ts";

/** Parses one expression. Throws `LinqError` with the text it points into. */
export const parse = (text: string, limits: Limits = defaultLimits): Node =>
  whole(text, limits, (cursor) => checkDepth(expression(cursor), limits));

/** Parses an ordering: `Level desc, Name`. */
export const parseOrdering = (text: string, limits: Limits = defaultLimits): readonly OrderKey[] =>
  whole(text, limits, (cursor) => {
    const keys: OrderKey[] = [];
    do {
      const { at } = cursor.token;
      const value = checkDepth(expression(cursor), limits);
      const descending = cursor.seesWord(["desc", "descending"]);
      if (descending || cursor.seesWord(["asc", "ascending"])) cursor.next();
      keys.push(node({ at, value, descending }));
    } while (cursor.accept(","));
    return keys;
  });

const whole = <T>(text: string, limits: Limits, read: (cursor: Cursor) => T): T => {
  try {
    const cursor = new Cursor(text, limits);
    if (cursor.ended) throw cursor.error("expected", "Expression expected", "the text is empty");
    const result = read(cursor);
    if (!cursor.ended) throw cursor.error("syntax", "Syntax error", leftover(cursor, text));
    return result;
  } catch (error) {
    throw error instanceof LinqError ? error.within(text) : error;
  }
};

const checkDepth = (root: Node, limits: Limits): Node => {
  const depth = treeDepth(root);
  if (depth <= limits.depth) return root;
  throw new LinqError("too_deep", `The expression is ${depth} levels deep; ${limits.depth} are allowed`, {
    position: root.at,
    hint: "put brackets around halves of a long chain, or split the expression",
  });
};

const leftover = (cursor: Cursor, whole: string): string | undefined => {
  const { kind, text } = cursor.token;
  if (kind === "string") return "two values need an operator or a comma between them";
  if (kind === "identifier" && cursor.seesWord(["new"], -1))
    return "what `new` makes has no type: new { A, B }, new[] { 1, 2 }";
  if (text === "=>") return "a lambda takes one name, or names in brackets, before =>";
  if (text === ",")
    return `one value is expected; several are written \`new (${whole.trim().length <= 60 ? whole.trim() : "A, B"})\``;
  if (kind === "operator") return undefined;
  return `'${text}' is not an operator here`;
};

const expression = (cursor: Cursor): Node =>
  cursor.nested(() => {
    const test = coalescing(cursor);
    if (!cursor.sees("?")) return test;
    const { at } = cursor.next();
    const whenTrue = expression(cursor);
    if (!cursor.sees(":")) throw cursor.error("expected", "':' expected", "a choice is test ? whenTrue : whenFalse");
    cursor.next();
    return node({ kind: "conditional", at, test, whenTrue, whenFalse: expression(cursor) });
  });

const coalescing = (cursor: Cursor): Node => {
  const left = lambda(cursor);
  if (!cursor.sees("??")) return left;
  const { at } = cursor.next();
  return node({ kind: "binary", at, operator: "??", left, right: cursor.nested(() => coalescing(cursor)) });
};

const lambda = (cursor: Cursor): Node => {
  const { at, kind } = cursor.token;
  if (kind === "identifier" && cursor.sees("=>", 1)) {
    const parameter = cursor.next().text;
    cursor.next();
    return node({ kind: "lambda", at, parameters: [parameter], body: expression(cursor) });
  }
  const names = bracketedNames(cursor);
  if (names === undefined) return either(cursor);
  for (let skip = names.length * 2 + 2; skip > 0; skip--) cursor.next();
  return node({ kind: "lambda", at, parameters: names, body: expression(cursor) });
};

/** `(a, b) =>` ahead, or nothing taken. */
const bracketedNames = (cursor: Cursor): readonly string[] | undefined => {
  if (!cursor.sees("(")) return undefined;
  const names: string[] = [];
  for (let ahead = 1; cursor.peek(ahead).kind === "identifier"; ahead += 2) {
    names.push(cursor.peek(ahead).text);
    if (cursor.sees(",", ahead + 1)) continue;
    return cursor.sees(")", ahead + 1) && cursor.sees("=>", ahead + 2) ? names : undefined;
  }
  return undefined;
};

interface LogicLevel {
  readonly operator: LogicNode["operator"];
  readonly words: readonly string[];
  readonly inner: (cursor: Cursor) => Node;
}

const logic = (cursor: Cursor, { operator, words, inner }: LogicLevel): Node => {
  const first = inner(cursor);
  const items = [first];
  let place = first.at;
  while (cursor.sees(operator) || cursor.seesWord(words)) {
    place = cursor.next().at;
    items.push(inner(cursor));
  }
  return items.length === 1 ? first : node({ kind: "logic", at: place, operator, items });
};

const either = (cursor: Cursor): Node => logic(cursor, { operator: "||", words: ["or", "orelse"], inner: both });
const both = (cursor: Cursor): Node => logic(cursor, { operator: "&&", words: ["and", "andalso"], inner: membership });

const membership = (cursor: Cursor): Node => {
  let item = bits(cursor);
  for (;;) {
    const { at } = cursor.token;
    const sign = inSign(cursor);
    if (sign === undefined) return item;
    for (let left = sign.length; left > 0; left--) cursor.next();
    item = node({ kind: "in", at, item, negated: sign.negated, list: list(cursor) });
  }
};

const inSign = (cursor: Cursor): { readonly negated: boolean; readonly length: number } | undefined => {
  if (cursor.seesWord(["in"])) return { negated: false, length: 1 };
  if (cursor.seesWord(["not_in"])) return { negated: true, length: 1 };
  if (cursor.seesWord(["in"], 1) && (cursor.seesWord(["not"]) || cursor.sees("!"))) return { negated: true, length: 2 };
  return undefined;
};

const list = (cursor: Cursor): { readonly items: readonly Node[] } | { readonly collection: Node } => {
  if (!cursor.sees("(")) return { collection: unary(cursor) };
  cursor.next();
  const items: Node[] = [];
  do items.push(cursor.nested(() => unary(cursor)));
  while (cursor.accept(","));
  cursor.expect(")", "')' or ',' expected");
  return { items: Object.freeze(items) };
};

const leftChain = (cursor: Cursor, inner: (cursor: Cursor) => Node, sign: () => BinaryOperator | undefined): Node => {
  let left = inner(cursor);
  for (let operator = sign(); operator !== undefined; operator = sign()) {
    const { at } = cursor.next();
    left = node({ kind: "binary", at, operator, left, right: inner(cursor) });
  }
  return left;
};

const operatorReader =
  (cursor: Cursor, operators: readonly BinaryOperator[]): (() => BinaryOperator | undefined) =>
  () =>
    operators.find((operator) => cursor.sees(operator));

const bits = (cursor: Cursor): Node => leftChain(cursor, comparison, operatorReader(cursor, ["&", "|"]));

const comparison = (cursor: Cursor): Node => {
  let left = shift(cursor);
  for (;;) {
    const { at } = cursor.token;
    if (cursor.seesWord(["is", "as"])) {
      const kind = cursor.seesWord(["is"]) ? "is" : "as";
      if (kind === "as" && cursor.asNames) return left;
      cursor.next();
      left = node({ kind, at, value: left, type: typeName(cursor) });
      continue;
    }
    const operator = comparisonSign(cursor);
    if (operator === undefined) return left;
    cursor.next();
    left = node({ kind: "binary", at, operator, left, right: shift(cursor) });
  }
};

const withAs = <T>(cursor: Cursor, names: boolean, inner: () => T): T => {
  const before = cursor.asNames;
  cursor.asNames = names;
  const result = inner();
  cursor.asNames = before;
  return result;
};

const comparisonSigns = ["==", "!=", "<=", ">=", "<", ">"] as const;

const comparisonSign = (cursor: Cursor): BinaryOperator | undefined => {
  const { kind, text } = cursor.token;
  if (kind === "identifier") {
    const word = text.toLowerCase();
    return Object.hasOwn(comparisonWords, word) ? comparisonWords[word] : undefined;
  }
  if (cursor.sees("=")) return "==";
  if (cursor.sees("<>")) return "!=";
  return comparisonSigns.find((sign) => cursor.sees(sign));
};

const shift = (cursor: Cursor): Node => leftChain(cursor, additive, operatorReader(cursor, ["<<", ">>"]));
const additive = (cursor: Cursor): Node => leftChain(cursor, multiplicative, operatorReader(cursor, ["+", "-"]));
const multiplicative = (cursor: Cursor): Node =>
  leftChain(cursor, unary, () =>
    cursor.seesWord(["mod"]) ? "%" : (["*", "/", "%"] as const).find((sign) => cursor.sees(sign)),
  );

const unary = (cursor: Cursor): Node => {
  const { at } = cursor.token;
  if (cursor.sees("!") || cursor.seesWord(["not"])) {
    cursor.next();
    return node({ kind: "unary", at, operator: "!", operand: cursor.nested(() => unary(cursor)) });
  }
  if (!cursor.accept("-")) {
    if (cursor.sees("+")) throw cursor.error("expected", "Expression expected", "there is no unary plus");
    return primary(cursor, grammar);
  }
  const digits = cursor.token;
  if (digits.kind === "number") {
    cursor.next();
    return primary(cursor, grammar, numberLiteral(digits.text, true, at));
  }
  return node({ kind: "unary", at, operator: "-", operand: cursor.nested(() => unary(cursor)) });
};

/** `Life`, `GameOffsets.VitalStruct`, `int?`, or any of these as a string. */
const typeName = (cursor: Cursor): TypeNode => {
  const { at, kind, value } = cursor.token;
  if (kind === "string" && value !== undefined) {
    cursor.next();
    const nullable = value.endsWith("?");
    return node({ at, name: nullable ? value.slice(0, -1) : value, nullable });
  }
  let name = cursor.identifier("Type name expected").text;
  while (cursor.sees(".") && cursor.peek(1).kind === "identifier") {
    cursor.next();
    name += `.${cursor.next().text}`;
  }
  const nullable = cursor.sees("?") && !startsOperand(cursor, 1);
  if (nullable) cursor.next();
  return node({ at, name, nullable });
};

const startsOperand = (cursor: Cursor, ahead: number): boolean => {
  const { kind, text } = cursor.peek(ahead);
  if (kind === "operator") return text === "(" || text === "-" || text === "!";
  return kind !== "end" && !cursor.seesWord(["and", "or", "andalso", "orelse", "as", "is", "asc", "desc"], ahead);
};

const grammar: Grammar = {
  expression: (cursor) => withAs(cursor, false, () => expression(cursor)),
  member: (cursor) => withAs(cursor, true, () => expression(cursor)),
  typeName,
};
