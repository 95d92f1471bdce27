/** Checks a syntax tree: every name is found, every type fits, or the error says where and what was meant. */

import { findStatics } from "../function/static.ts";
import { parseScalar } from "../operator/convert.ts";
import { newArray } from "../operator/new-array.ts";
import type {
  ConditionalNode,
  InNode,
  NewArrayNode,
  NewMember,
  NewNode,
  Node,
  NullSafeNode,
  NumberNode,
} from "../syntax/ast.ts";
import { print } from "../syntax/printer.ts";
import { isStaticType, predefinedType } from "../syntax/words.ts";
import {
  boolean,
  dynamic,
  listType,
  nullType,
  type RecordType,
  sameType,
  scalar,
  type Type,
  toNullable,
  typeName,
} from "../type/type.ts";
import { blockedNames } from "../value/row.ts";
import { bindBareCall, bindCall } from "./call/calls.ts";
import { bindEnumCall } from "./call/enum-call.ts";
import { bindStaticCall, staticProperty } from "./call/static-call.ts";
import { equals } from "./term/comparing.ts";
import { convertImplicitly, unifyTypes } from "./term/conversion.ts";
import { bindIndex } from "./term/indexing.ts";
import { comparedWith, holds } from "./term/membership.ts";
import { bindMember, bindName, bindScope, memberOfType, typeReference } from "./term/names.ts";
import { asBoolean, bindBinary, bindUnary, negate } from "./term/operators.ts";
import { bindTypeTest, resolveType } from "./term/types.ts";
import type { BoundLet, BoundNode, BoundValue } from "./tree/bound.ts";
import { bindError, type Context, constant, type Scope } from "./tree/context.ts";

export const bind = (node: Node, scope: Scope, context: Context): BoundNode => {
  switch (node.kind) {
    case "number":
      return number(node);
    case "string":
      return { ...constant(scalar("String"), node.value, node.at), literal: true };
    case "char":
      return { ...constant(scalar("Char"), node.value, node.at), literal: true };
    case "boolean":
      return constant(scalar("Boolean"), node.value, node.at);
    case "null":
      return constant(nullType, null, node.at);
    case "typed":
      return typedLiteral(node.type, node.text, node.at);
    case "scope":
      return bindScope(node, scope);
    case "name":
      return bindName(node, scope, context);
    case "member":
    case "index":
    case "call":
      return chain(node, scope, context);
    case "unary":
      return bindUnary(node, scope, context);
    case "binary":
      return node.operator === "??" ? coalesce(node, scope, context) : bindBinary(node, scope, context);
    case "logic":
      return {
        kind: "logic",
        type: scalar("Boolean"),
        operator: node.operator,
        items: node.items.map((item) => asBoolean(context.bind(item, scope), `An operand of '${node.operator}'`)),
        at: node.at,
      };
    case "conditional":
      return conditional(node, scope, context);
    case "in":
      return membership(node, scope, context);
    case "lambda":
      throw bindError(
        "syntax",
        "A lambda can only be an argument",
        node,
        "write the expression itself; the element is `it`",
      );
    case "new":
      return projection(node, scope, context);
    case "newArray":
      return array(node, scope, context);
    case "is":
    case "as":
    case "cast":
      return bindTypeTest(node, scope, context);
    case "np":
      return nullSafe(node, scope, context);
  }
};

const number = ({ type, text, at }: NumberNode): BoundValue => {
  const value = { ...constant(scalar(type), parseScalar(text, type), at), literal: true };
  return type === "Double" ? { ...value, digits: text } : value;
};

const typedLiteral = (name: string, text: string, at: number): BoundNode => {
  const canonical = predefinedType(name);
  const type = canonical === undefined || isStaticType(canonical) ? undefined : scalar(canonical as never);
  const value = type === undefined ? undefined : parseScalar(text, type.name);
  if (type !== undefined && value !== undefined) return constant(type, value, at);
  throw bindError(
    "bad_format",
    `The text is not a value of ${name}`,
    { at },
    name === "DateTime" ? 'DateTime"2026-01-02T03:04:05"' : undefined,
  );
};

type ChainNode = Node & { readonly kind: "member" | "index" | "call" };

/** `a.b`, `a[b]`, `a.b(c)`; after a `?.` the rest of the chain is skipped when the object is null, as in C#. */
const chain = (node: ChainNode, scope: Scope, context: Context): BoundNode => {
  const { object } = node;
  if (object === undefined) {
    if (node.kind === "call") return bindBareCall(node, scope, context);
    throw bindError("syntax", "Syntax error", node);
  }
  const type = node.kind === "index" ? undefined : typeReference(object, scope, context);
  if (type !== undefined && node.kind === "call")
    return "predefined" in type && type.predefined === "Enum"
      ? bindEnumCall(node, { scope, context })
      : bindStaticCall(type, node, { scope, context });
  if (type !== undefined && node.kind === "member") return staticMember(type, node, context);
  return access(context.bind(object, scope), node, { scope, context, lift: node.lifted });
};

const staticMember = (
  type: NonNullable<ReturnType<typeof typeReference>>,
  node: Node & { readonly kind: "member" },
  context: Context,
): BoundNode => {
  if ("declared" in type) return memberOfType(type.declared, node, context);
  const property = findStatics(type.predefined, context.host, context.limits).properties.get(node.name.toLowerCase());
  if (property === undefined)
    throw bindError("unknown_member", `No property or field '${node.name}' exists in type '${type.predefined}'`, node);
  return {
    kind: "apply",
    type: property.type,
    operation: staticProperty(type.predefined, node.name.toLowerCase(), { host: context.host, limits: context.limits }),
    operands: [],
    at: node.at,
  };
};

interface AccessSite {
  readonly scope: Scope;
  readonly context: Context;
  /** True to make the access null when the object is. */
  readonly lift: boolean;
}

/** Applies an access to a bound object, inside the `?.` that the object may be. */
const access = (object: BoundNode, node: ChainNode, here: AccessSite): BoundNode => {
  if (object.kind === "let" && object.lifted) {
    const rest = access(object.rest, node, here);
    return { ...object, rest, type: toNullable(rest.type) };
  }
  if (!here.lift) return direct(object, node, here);
  const slot = here.context.freshSlot();
  const inside: BoundNode = { kind: "slot", type: object.type, slot, at: object.at };
  const rest = direct(inside, node, here);
  const held: BoundLet = { kind: "let", type: toNullable(rest.type), object, slot, rest, lifted: true, at: node.at };
  return held;
};

const direct = (object: BoundNode, node: ChainNode, { scope, context }: AccessSite): BoundNode => {
  switch (node.kind) {
    case "member":
      return bindMember(object, node, context);
    case "index":
      return bindIndex(object, node, { scope, context });
    case "call":
      return bindCall(object, node, { scope, context });
  }
};

/** `np(a.b.c, d)`: every step of the chain is lifted. */
const nullSafe = (node: NullSafeNode, scope: Scope, context: Context): BoundNode => {
  const { value, fallback } = node;
  if (
    value.kind !== "member" &&
    value.kind !== "call" &&
    value.kind !== "index" &&
    value.kind !== "name" &&
    value.kind !== "scope"
  )
    throw bindError(
      "wrong_arguments",
      "The 'np' function requires a member, a parameter or a call",
      value,
      "np(a.b.c) + 1 instead of np(a.b.c + 1)",
    );
  const lifted = liftAll(value, scope, context);
  if (fallback === undefined)
    return lifted.type.kind === "null" ? lifted : { ...lifted, type: toNullable(lifted.type) };
  return bindCoalesce(lifted, context.bind(fallback, scope), { at: node.at, context });
};

const liftAll = (node: Node, scope: Scope, context: Context): BoundNode => {
  if ((node.kind !== "member" && node.kind !== "call" && node.kind !== "index") || node.object === undefined)
    return context.bind(node, scope);
  if (node.kind !== "index" && typeReference(node.object, scope, context) !== undefined)
    return context.bind(node, scope);
  return access(liftAll(node.object, scope, context), node, { scope, context, lift: true });
};

const coalesce = (node: Node & { readonly kind: "binary" }, scope: Scope, context: Context): BoundNode => {
  const left = context.bind(node.left, scope);
  if ((left.type.kind === "scalar" || left.type.kind === "enum") && !left.type.nullable)
    throw bindError(
      "not_nullable",
      `The left side of '??' is ${typeName(left.type)}, which is never null`,
      node,
      "leave the fallback out",
    );
  return bindCoalesce(left, context.bind(node.right, scope), { at: node.at, context });
};

const bindCoalesce = (
  left: BoundNode,
  right: BoundNode,
  { at, context }: { readonly at: number; readonly context: Context },
): BoundNode => {
  const pair = unifyTypes(left, right, context);
  if (pair === undefined) throw noCommonType(left, right, at);
  const [a, b] = pair;
  const type = right.type.kind === "null" ? a.type : sameType(a.type, toNullable(right.type)) ? right.type : b.type;
  return { kind: "coalesce", type, left: a, right: b, at };
};

const noCommonType = (a: BoundNode, b: BoundNode, at: number): Error =>
  bindError(
    "no_common_type",
    `Neither of the types '${typeName(a.type)}' and '${typeName(b.type)}' converts to the other`,
    { at },
  );

const conditional = (node: ConditionalNode, scope: Scope, context: Context): BoundNode => {
  const test = asBoolean(context.bind(node.test, scope), "The first expression");
  const first = context.bind(node.whenTrue, scope);
  const second = context.bind(node.whenFalse, scope);
  const pair = unifyTypes(first, second, context);
  if (pair === undefined) throw noCommonType(first, second, node.at);
  const [whenTrue, whenFalse] = pair;
  return { kind: "choose", type: whenTrue.type, test, whenTrue, whenFalse, at: node.at };
};

/** `x in (a, b)` is a chain of `==`; `x in Collection` is its Contains. */
const membership = (node: InNode, scope: Scope, context: Context): BoundNode => {
  const found =
    "items" in node.list
      ? inItems(node, node.list.items, scope, context)
      : inCollection(node, node.list.collection, scope, context);
  return node.negated ? negate(found, node.at) : found;
};

const inItems = (node: InNode, items: readonly Node[], scope: Scope, context: Context): BoundNode => {
  const item = context.bind(node.item, scope);
  const [only] = items;
  if (items.length === 1 && only !== undefined) {
    const bound = context.bind(only, scope);
    if (bound.type.kind === "list") return inCollection(node, only, scope, context);
  }
  return comparedWith(item, context, (held) => {
    const tests = items.map((each) =>
      equals({ left: held, right: context.bind(each, scope), at: each.at, sign: "in" }, context),
    );
    return { kind: "logic", type: boolean, operator: "||", items: tests, at: node.at };
  });
};

const inCollection = (node: InNode, collection: Node, scope: Scope, context: Context): BoundNode => {
  const source = context.bind(collection, scope);
  const value = context.bind(node.item, scope);
  return holds({ source, value, path: print(collection), at: node.at }, context);
};

const projection = (node: NewNode, scope: Scope, context: Context): BoundNode => {
  const fields: { name: string; type: Type }[] = [];
  const values: BoundNode[] = [];
  for (const member of node.members) {
    const value = context.bind(member.value, scope);
    const name = member.name ?? impliedName(member, value);
    if (blockedNames.has(name)) throw bindError("blocked_name", `A member can not be called '${name}'`, member);
    if (fields.some((field) => field.name === name))
      throw bindError(
        "duplicate_name",
        `The identifier '${name}' was defined more than once`,
        member,
        "give one of them another name with `as`",
      );
    fields.push({ name, type: value.type });
    values.push(value);
  }
  const type: RecordType = { kind: "record", fields };
  return { kind: "new", type, names: fields.map(({ name }) => name), values, at: node.at };
};

/** The name a value gives by itself, in its declared spelling. */
const impliedName = (member: NewMember, value: BoundNode): string => {
  const name = impliedBy(member.value);
  if (name === undefined)
    throw bindError("missing_as", "Expression is missing an 'as' clause", member, `${print(member.value)} as SomeName`);
  const last = value.kind === "let" ? value.rest : value;
  const isSpelt = last.kind === "read" && last.name.toLowerCase() === name.toLowerCase();
  return isSpelt ? last.name : name;
};

const impliedBy = (value: Node): string | undefined => {
  switch (value.kind) {
    case "name":
    case "member":
      return value.name;
    case "binary":
      return value.operator === "??" ? impliedBy(value.left) : undefined;
    case "np":
      return impliedBy(value.value);
    case "index": {
      const [key, ...more] = value.arguments;
      return key?.kind === "string" && more.length === 0 ? key.value : undefined;
    }
    case "call": {
      const [key, ...more] = value.arguments;
      return key?.kind === "string" && more.length === 0 ? key.value : value.name;
    }
    default:
      return undefined;
  }
};

const array = (node: NewArrayNode, scope: Scope, context: Context): BoundNode => {
  const given = node.items.map((item) => context.bind(item, scope));
  const item = node.type === undefined ? commonItem(given, node, context) : resolveType(node.type, context);
  const values = given.map((value) => {
    const fitting = convertImplicitly(value, item, context);
    if (fitting === undefined)
      throw bindError("no_common_type", `An element is ${typeName(value.type)}, not ${typeName(item)}`, value);
    return fitting;
  });
  return { kind: "apply", type: listType(item), operation: newArray, operands: values, at: node.at };
};

const commonItem = (values: readonly BoundNode[], node: NewArrayNode, context: Context): Type => {
  const [first, ...rest] = values;
  if (first === undefined) throw bindError("wrong_arguments", "An empty array needs a type", node, "new int[] { }");
  let item = first;
  for (const value of rest) {
    const pair = unifyTypes(item, value, context);
    if (pair === undefined) throw noCommonType(item, value, node.at);
    [item] = pair;
  }
  return item.type.kind === "null" ? dynamic : item.type;
};
