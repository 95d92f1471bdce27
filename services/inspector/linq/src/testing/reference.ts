/**
 * A second, naive evaluator to compare the real one with: it walks the syntax tree and carries types with values, knows no
 * binder and shares no operator with it. It covers the part of the language that `arbitrary-typed.ts` writes.
 */
import type { Node } from "../syntax/ast.ts";

export type TaggedValue =
  | { readonly is: "int"; readonly of: bigint }
  | { readonly is: "double"; readonly of: number }
  | { readonly is: "text"; readonly of: string }
  | { readonly is: "truth"; readonly of: boolean }
  /** `text` when a string was expected: it still makes `+` a concatenation. */
  | { readonly is: "null"; readonly text?: boolean }
  | { readonly is: "row"; readonly of: Readonly<Record<string, TaggedValue>> }
  | { readonly is: "list"; readonly of: readonly TaggedValue[] };

export class ReferenceFailure extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const fail = (code: string): never => {
  throw new ReferenceFailure(code);
};

const nothing: TaggedValue = { is: "null" };
const truth = (of: boolean): TaggedValue => ({ is: "truth", of });
const int = (of: bigint): TaggedValue => ({
  is: "int",
  of: ((((of + 2n ** 31n) % 2n ** 32n) + 2n ** 32n) % 2n ** 32n) - 2n ** 31n,
});
const double = (of: number): TaggedValue => ({ is: "double", of });
const text = (of: string): TaggedValue => ({ is: "text", of });

/** Scopes from the innermost out: the element of each. */
type Scopes = readonly TaggedValue[];

export const walk = (node: Node, scopes: Scopes): TaggedValue => {
  switch (node.kind) {
    case "number":
      return node.type === "Int32" ? int(BigInt(node.text)) : double(Number(node.text));
    case "string":
      return text(node.value);
    case "boolean":
      return truth(node.value);
    case "null":
      return nothing;
    case "name":
      return field(scopes[0] ?? nothing, node.name);
    case "scope":
      return scopes[node.word === "it" ? 0 : node.word === "parent" ? 1 : scopes.length - 1] ?? nothing;
    case "member":
      return readMember(walk(node.object, scopes), node.name, node.lifted);
    case "unary":
      return unary(node.operator, walk(node.operand, scopes));
    case "logic":
      return truth(
        node.operator === "&&"
          ? node.items.every((item) => isTrue(walk(item, scopes)))
          : node.items.some((item) => isTrue(walk(item, scopes))),
      );
    case "conditional":
      return walk(isTrue(walk(node.test, scopes)) ? node.whenTrue : node.whenFalse, scopes);
    case "binary":
      return binary(node, scopes);
    case "in":
      return membership(node, scopes);
    case "call":
      return call(node, scopes);
    default:
      return fail(`reference does not know ${node.kind}`);
  }
};

const isTrue = (value: TaggedValue): boolean => value.is === "truth" && value.of;

const field = (owner: TaggedValue, name: string): TaggedValue =>
  owner.is === "row" ? (owner.of[name] ?? nothing) : fail("unknown_member");

const readMember = (owner: TaggedValue, name: string, lifted: boolean): TaggedValue => {
  if (owner.is === "null") return lifted ? nothing : fail("null_reference");
  if (owner.is === "text" && name === "Length") return int(BigInt(owner.of.length));
  return field(owner, name);
};

const unary = (operator: "-" | "!", value: TaggedValue): TaggedValue => {
  if (operator === "!") return truth(!isTrue(value));
  if (value.is === "int") return int(-value.of);
  return value.is === "double" ? double(-value.of) : nothing;
};

const requireNumber = (value: TaggedValue): number =>
  value.is === "int" ? Number(value.of) : value.is === "double" ? value.of : Number.NaN;

const show = (value: TaggedValue): string => {
  switch (value.is) {
    case "text":
      return value.of;
    case "truth":
      return value.of ? "True" : "False";
    case "int":
      return String(value.of);
    case "double":
      return Object.is(value.of, -0) ? "-0" : String(value.of);
    default:
      return "";
  }
};

const binary = (node: Node & { readonly kind: "binary" }, scopes: Scopes): TaggedValue => {
  const left = walk(node.left, scopes);
  if (node.operator === "??") return left.is === "null" ? walk(node.right, scopes) : left;
  const right = walk(node.right, scopes);
  switch (node.operator) {
    case "==":
      return truth(equal(left, right));
    case "!=":
      return truth(!equal(left, right));
    case "<":
    case "<=":
    case ">":
    case ">=":
      return truth(ordered(node.operator, left, right));
    default:
      return arithmetic(node.operator, left, right);
  }
};

const equal = (a: TaggedValue, b: TaggedValue): boolean => {
  if (a.is === "null" || b.is === "null") return a.is === b.is;
  if (a.is === "int" && b.is === "int") return a.of === b.of;
  if ((a.is === "int" || a.is === "double") && (b.is === "int" || b.is === "double"))
    return requireNumber(a) === requireNumber(b);
  return (
    (a.is === "text" && b.is === "text" && a.of === b.of) || (a.is === "truth" && b.is === "truth" && a.of === b.of)
  );
};

const ordered = (sign: "<" | "<=" | ">" | ">=", a: TaggedValue, b: TaggedValue): boolean => {
  if (a.is === "null" || b.is === "null") return false;
  const less = a.is === "text" && b.is === "text" ? a.of < b.of : requireNumber(a) < requireNumber(b);
  const more = a.is === "text" && b.is === "text" ? a.of > b.of : requireNumber(a) > requireNumber(b);
  const same = a.is === "text" && b.is === "text" ? a.of === b.of : requireNumber(a) === requireNumber(b);
  return sign === "<" ? less : sign === ">" ? more : sign === "<=" ? less || same : more || same;
};

const arithmetic = (sign: string, a: TaggedValue, b: TaggedValue): TaggedValue => {
  if (sign === "+" && (isText(a) || isText(b))) return text(show(a) + show(b));
  if (a.is === "null" || b.is === "null") return nothing;
  if (a.is === "int" && b.is === "int") {
    if ((sign === "/" || sign === "%") && b.of === 0n) return fail("divide_by_zero");
    return int(
      sign === "+"
        ? a.of + b.of
        : sign === "-"
          ? a.of - b.of
          : sign === "*"
            ? a.of * b.of
            : sign === "/"
              ? a.of / b.of
              : a.of % b.of,
    );
  }
  const [x, y] = [requireNumber(a), requireNumber(b)];
  return double(sign === "+" ? x + y : sign === "-" ? x - y : sign === "*" ? x * y : sign === "/" ? x / y : x % y);
};

const isText = (value: TaggedValue): boolean => value.is === "text" || (value.is === "null" && value.text === true);

const membership = (node: Node & { readonly kind: "in" }, scopes: Scopes): TaggedValue => {
  const item = walk(node.item, scopes);
  const isThere =
    "items" in node.list
      ? node.list.items.some((each) => equal(item, walk(each, scopes)))
      : requireList(walk(node.list.collection, scopes)).some((other) => equal(item, other));
  return truth(isThere !== node.negated);
};

const requireList = (value: TaggedValue): readonly TaggedValue[] =>
  value.is === "list" ? value.of : fail(value.is === "null" ? "null_reference" : "not_a_collection");

const call = (node: Node & { readonly kind: "call" }, scopes: Scopes): TaggedValue => {
  const object = node.object === undefined ? (scopes[0] ?? nothing) : walk(node.object, scopes);
  if (object.is === "null" && node.lifted) return nothing;
  // As in C#, arguments are read before a method of null fails; the lambdas of a list are no such arguments.
  const given = object.is === "text" || ofTexts.has(node.name) ? node.arguments.map((each) => walk(each, scopes)) : [];
  if (object.is === "null") return fail("null_reference");
  if (object.is === "text") return textCall(object.of, node.name, given);
  if (node.name === "ToString") return text(show(object));
  return listCall(requireList(object), node, scopes);
};

const ofTexts: ReadonlySet<string> = new Set(["Contains", "ToUpper", "ToString"]);

const textCall = (self: string, name: string, given: readonly TaggedValue[]): TaggedValue => {
  const [first] = given;
  const part = first?.is === "text" ? first.of : "";
  switch (name) {
    case "Contains":
      return first?.is === "null" ? fail("null_reference") : truth(self.split(part).length > 1 || part === "");
    case "ToUpper":
      return text(self.toUpperCase());
    case "ToString":
      return text(self);
    default:
      return fail("unknown_method");
  }
};

const listCall = (
  items: readonly TaggedValue[],
  node: Node & { readonly kind: "call" },
  scopes: Scopes,
): TaggedValue => {
  const [argument] = node.arguments;
  const each = (item: TaggedValue): TaggedValue => (argument === undefined ? item : walk(argument, [item, ...scopes]));
  const passes = (item: TaggedValue): boolean => argument === undefined || isTrue(each(item));
  switch (node.name) {
    case "Where":
      return { is: "list", of: items.filter(passes) };
    case "Select":
      return { is: "list", of: items.map(each) };
    case "Any":
      return truth(items.some(passes));
    case "All":
      return truth(items.every(passes));
    case "Count":
      return int(BigInt(items.filter(passes).length));
    case "Sum":
      return items
        .map(each)
        .reduce(
          (sum, value) => (value.is === "null" ? sum : arithmetic("+", sum, value)),
          argument === undefined || items.length === 0 ? int(0n) : zeroLike(items.map(each)),
        );
    case "Reverse":
      return { is: "list", of: [...items].reverse() };
    default:
      return fail("unknown_method");
  }
};

const zeroLike = (values: readonly TaggedValue[]): TaggedValue =>
  values.some((value) => value.is === "double") ? double(0) : int(0n);

/** A tagged value as plain data, for comparing. */
export const untagged = (value: TaggedValue): unknown => {
  switch (value.is) {
    case "null":
      return null;
    case "int":
      return Number(value.of);
    case "list":
      return value.of.map(untagged);
    case "row":
      return "row";
    default:
      return value.of;
  }
};
