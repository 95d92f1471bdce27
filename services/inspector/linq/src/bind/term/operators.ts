/** Binary and unary operators: which operation, on which types, or why not. */

import { fault } from "../../core/error.ts";
import type { Limits } from "../../core/limits.ts";
import { liftToNull, type Operation, operation } from "../../core/operation.ts";
import { named, portable } from "../../core/portable.ts";
import { dynamicArithmetic, dynamicBitwise, dynamicNegation, dynamicTruth, textCost } from "../../operator/dynamic.ts";
import { type Arithmetic, arithmetic, type Bitwise, bitwise, negation, promoted } from "../../operator/number.ts";
import { shower } from "../../operator/text.ts";
import type { BinaryNode, UnaryNode } from "../../syntax/ast.ts";
import {
  boolean,
  canBeNull,
  char,
  dynamic,
  type EnumType,
  findNumberName,
  isScalar,
  type NumberName,
  sameType,
  scalar,
  string,
  type Type,
  timeSpan,
  toNonNullable,
  toNullable,
  typeName,
} from "../../type/type.ts";
import { DateTime, TimeSpan } from "../../value/time.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, constant, type Scope } from "../tree/context.ts";
import {
  apply,
  conversionHint,
  equals,
  incompatible,
  isNull,
  type Pair,
  plainEnum,
  relates,
  unifyNumbers,
} from "./comparing.ts";
import { convertImplicitly, widenNumber } from "./conversion.ts";

export const bindBinary = (node: BinaryNode, scope: Scope, context: Context): BoundNode => {
  const pair = {
    left: context.bind(node.left, scope),
    right: context.bind(node.right, scope),
    at: node.at,
    sign: node.operator,
  };
  switch (node.operator) {
    case "??":
      throw bindError("syntax", "Syntax error", node);
    case "==":
    case "!=": {
      const equal = equals(pair, context);
      return node.operator === "==" ? equal : negate(equal, node.at);
    }
    case "<":
    case "<=":
    case ">":
    case ">=":
      return relates(node.operator, pair, context);
    case "&":
    case "|":
    case "<<":
    case ">>":
      return masks(node.operator, pair, context);
    default:
      return calculates(node.operator, pair, context);
  }
};

const not: Operation = named(
  "not",
  operation(
    "!",
    (value) => !value,
    (_, value = "") => `!${value}`,
  ),
);

export const negate = (value: BoundNode, at: number): BoundNode => ({
  kind: "apply",
  type: boolean,
  operation: not,
  operands: [value],
  at,
});

/** A value where a Boolean is needed; dynamic ones are looked at when they are there, null counts as false. */
export const asBoolean = (value: BoundNode, what: string): BoundNode => {
  if (isScalar(value.type, "Boolean") && !canBeNull(value.type)) return value;
  if (isScalar(value.type, "Boolean") || value.type.kind === "dynamic")
    return { kind: "apply", type: boolean, operation: dynamicTruth, operands: [value], at: value.at };
  throw bindError(
    "not_boolean",
    `${what} must be of type 'Boolean', not '${typeName(value.type)}'`,
    value,
    value.type.kind === "null" ? undefined : "compare it with something: `x != null`, `x > 0`",
  );
};

export const bindUnary = (node: UnaryNode, scope: Scope, context: Context): BoundNode => {
  const operand = context.bind(node.operand, scope);
  if (node.operator === "!") return negate(asBoolean(operand, "The operand of '!'"), node.at);
  const one = (what: Operation, type: Type): BoundNode => ({
    kind: "apply",
    type,
    operation: what,
    operands: [operand],
    at: node.at,
  });
  if (operand.type.kind === "dynamic") return one(dynamicNegation(context.host), dynamic);
  const number = findNumberName(operand.type);
  const lifted = (what: Operation): Operation => (canBeNull(operand.type) ? liftToNull(what) : what);
  if (isScalar(operand.type, "TimeSpan")) return one(lifted(negatedSpan), operand.type);
  const target =
    number === undefined || number === "UInt64" ? undefined : number === "UInt32" ? "Int64" : promoted(number, number);
  if (number === undefined || target === undefined)
    throw bindError("wrong_operands", `Operator '-' incompatible with operand type '${typeName(operand.type)}'`, node);
  const type = scalar(target, canBeNull(operand.type));
  const wide = widenNumber(operand, number, type);
  return { kind: "apply", type, operation: lifted(negation(target)), operands: [wide], at: node.at };
};

const negatedSpan = named(
  "negatedSpan",
  operation("-TimeSpan", (span: TimeSpan) => TimeSpan.of(-span.ms)),
);

/** Joins text within the limit on strings. */
export const joiner = portable("joiner", ({ stringLength }: Limits) => (a: string, b: string): string => {
  if (a.length + b.length <= stringLength) return a + b;
  throw fault("text_too_long", `The text would be longer than ${stringLength} characters`);
});

const isText = (value: BoundNode): boolean => isScalar(value.type, "String");

type ShowValue = (value: unknown) => string;

const concatenation = portable(
  "concatenation",
  (showLeft: ShowValue, showRight: ShowValue, join: (a: string, b: string) => string): Operation => ({
    ...operation("concat", (a, b) => join(showLeft(a), showRight(b))),
    cost: textCost,
  }),
);

const concatenates = (pair: Pair, { host, limits }: Context): BoundNode =>
  apply(concatenation(shower(pair.left.type, host), shower(pair.right.type, host), joiner(limits)), string, pair);

const calculates = (sign: Arithmetic, pair: Pair, context: Context): BoundNode => {
  if (sign === "+" && (isText(pair.left) || isText(pair.right))) return concatenates(pair, context);
  if (pair.left.type.kind === "dynamic" || pair.right.type.kind === "dynamic") {
    const boxed = {
      ...pair,
      left: convertImplicitly(pair.left, dynamic, context) ?? pair.left,
      right: convertImplicitly(pair.right, dynamic, context) ?? pair.right,
    };
    return apply(dynamicArithmetic(sign, context.host, joiner(context.limits)), dynamic, boxed);
  }
  const timed = calculatesTime(sign, pair);
  if (timed !== undefined) return timed;
  const left = numberLike(pair.left);
  const right = numberLike(pair.right);
  const named =
    pair.left.type.kind === "enum" ? pair.left.type : pair.right.type.kind === "enum" ? pair.right.type : undefined;
  if (isNull(left) || isNull(right)) {
    const other = isNull(left) ? right : left;
    if (findNumberName(other.type) === undefined) return incompatible(pair);
    return constant(toNullable(other.type), null, pair.at);
  }
  const [a, b] = [findNumberName(left.type), findNumberName(right.type)];
  if (a === undefined || b === undefined) return incompatible(pair, conversionHint(pair));
  const both = unifyNumbers({ ...pair, left, right }, [a, b], context);
  const type = both === undefined ? undefined : promotedType(both);
  if (both === undefined || type === undefined) return incompatible(pair, conversionHint(pair));
  const nullable = canBeNull(both.left.type) || canBeNull(both.right.type);
  const what = arithmetic(sign, type);
  const result = enumResult(sign, pair, named) ?? scalar(type);
  return apply(nullable ? liftToNull(what) : what, nullable ? toNullable(result) : result, both);
};

const promotedType = ({ left, right }: Pair): NumberName | undefined => {
  const [a, b] = [findNumberName(left.type), findNumberName(right.type)];
  return a === undefined || b === undefined ? undefined : promoted(a, b);
};

/** An enum plus or minus a number stays an enum; the difference of two is a number. */
const enumResult = (sign: Arithmetic, { left, right }: Pair, named: EnumType | undefined): Type | undefined => {
  if (named === undefined || (sign !== "+" && sign !== "-")) return undefined;
  return left.type.kind === "enum" && right.type.kind === "enum" ? undefined : toNonNullable(named);
};

/** Enums and chars count as their numbers. */
const numberLike = (value: BoundNode): BoundNode => {
  if (value.type.kind === "enum") return plainEnum(value);
  if (!isScalar(value.type, "Char")) return value;
  return {
    kind: "apply",
    type: scalar("Int32", canBeNull(value.type)),
    operation: characterCode,
    operands: [value],
    at: value.at,
  };
};

const characterCode = named(
  "characterCode",
  operation("code", (given) => (typeof given === "string" ? given.charCodeAt(0) : null)),
);

const calculatesTime = (sign: Arithmetic, pair: Pair): BoundNode | undefined => {
  const { left, right } = pair;
  const a = left.type.kind === "scalar" ? left.type.name : undefined;
  const b = right.type.kind === "scalar" ? right.type.name : undefined;
  if ((a !== "DateTime" && a !== "TimeSpan") || (sign !== "+" && sign !== "-")) return undefined;
  const nullable = canBeNull(left.type) || canBeNull(right.type);
  const made = (type: Type): BoundNode => {
    const what = timeArithmetic(sign);
    return apply(nullable ? liftToNull(what) : what, nullable ? toNullable(type) : type, pair);
  };
  if (a === "DateTime" && b === "TimeSpan") return made(toNonNullable(left.type));
  if (a === b && (a === "TimeSpan" || sign === "-")) return made(timeSpan);
  return undefined;
};

/** A date or span, more or less by a span; the span between two dates. */
const timeArithmetic = portable("timeArithmetic", (sign: "+" | "-") =>
  operation(`time${sign}`, (x: DateTime | TimeSpan, y: DateTime | TimeSpan) => {
    const by = sign === "+" ? y.ms : -y.ms;
    return DateTime.is(x) && TimeSpan.is(y) ? x.plus(by) : TimeSpan.of(x.ms + by);
  }),
);

const masks = (sign: Bitwise, pair: Pair, context: Context): BoundNode => {
  const { left, right } = pair;
  if (sign === "&" && (isText(left) || isText(right))) return concatenates(pair, context);
  if (left.type.kind === "dynamic" || right.type.kind === "dynamic") {
    const boxed = {
      ...pair,
      left: convertImplicitly(left, dynamic, context) ?? left,
      right: convertImplicitly(right, dynamic, context) ?? right,
    };
    return apply(dynamicBitwise(sign, context.host, joiner(context.limits)), dynamic, boxed);
  }
  if (isScalar(left.type, "Boolean") && isScalar(right.type, "Boolean") && (sign === "&" || sign === "|")) {
    return apply(bothOrEither(sign), boolean, pair);
  }
  const named = left.type.kind === "enum" ? left.type : right.type.kind === "enum" ? right.type : undefined;
  const [a, b] = [maskType(left), maskType(right)];
  const mixed =
    left.type.kind === "enum" && right.type.kind === "enum" && left.type.definition !== right.type.definition;
  if (a === undefined || b === undefined || mixed) return incompatible(pair);
  const type = sign === "<<" || sign === ">>" ? promoted(a, a) : promoted(a, b);
  if (type === undefined) return incompatible(pair);
  const nullable = canBeNull(left.type) || canBeNull(right.type);
  const result: Type = named !== undefined && (sign === "&" || sign === "|") ? toNonNullable(named) : scalar(type);
  const wide = (value: BoundNode, from: NumberName): BoundNode =>
    widenNumber(plainEnum(value), from, scalar(type, canBeNull(value.type)));
  const isShift = sign === "<<" || sign === ">>";
  const operands = { ...pair, left: wide(left, a), right: isShift ? right : wide(right, b) };
  const what = bitwise(sign, type);
  return apply(nullable ? liftToNull(what) : what, nullable ? toNullable(result) : result, operands);
};

const bothOrEither = portable("bothOrEither", (sign: "&" | "|") =>
  operation(sign, (a, b) => (sign === "&" ? a === true && b === true : a === true || b === true)),
);

const maskType = (value: BoundNode): NumberName | undefined => {
  if (value.type.kind === "enum") return "Int32";
  if (value.type.kind === "scalar" && sameType(value.type, char)) return "Int32";
  const number = findNumberName(value.type);
  return number === "Single" || number === "Double" || number === "Decimal" ? undefined : number;
};
