import { liftToFalse, type Operation, operation } from "../../core/operation.ts";
import { named } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { dynamicEquality, dynamicRelation, equalsLiteral, type OrderRelation } from "../../operator/dynamic.ts";
import { promoted } from "../../operator/number.ts";
import { equality, relation } from "../../operator/typed.ts";
import {
  boolean,
  canBeNull,
  dynamic,
  findNumberName,
  isScalar,
  type NumberName,
  sameType,
  scalar,
  type Type,
  toNonNullable,
  toNullable,
  typeName,
} from "../../type/type.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, constant } from "../tree/context.ts";
import { convertImplicitly, textLiteralAs, widenNumber } from "./conversion.ts";

export interface Pair {
  readonly left: BoundNode;
  readonly right: BoundNode;
  readonly at: number;
  readonly sign: string;
}

export const incompatible = ({ left, right, at, sign }: Pair, hint?: string): never => {
  throw bindError(
    "wrong_operands",
    `Operator '${sign}' incompatible with operand types '${typeName(left.type)}' and '${typeName(right.type)}'`,
    { at },
    hint,
  );
};

export const apply = (what: Operation, type: Type, pair: Pair): BoundNode => ({
  kind: "apply",
  type,
  operation: what,
  operands: [pair.left, pair.right],
  at: pair.at,
});

/** Operands in the type where they meet, for comparing: literals adapt to the other side. */
const unifyPair = (pair: Pair, context: Context): Pair | undefined => {
  const { left, right } = pair;
  const fromLeft = readLiteral(left, right, pair);
  const fromRight = readLiteral(right, left, pair);
  if (fromLeft !== undefined) return { ...pair, left: fromLeft };
  if (fromRight !== undefined) return { ...pair, right: fromRight };
  const [a, b] = [findNumberName(left.type), findNumberName(right.type)];
  if (a !== undefined && b !== undefined) return unifyNumbers(pair, [a, b], context);
  if (left.type.kind === "enum" || right.type.kind === "enum") return unifyEnums(pair);
  if (sameType(toNullable(left.type), toNullable(right.type))) return pair;
  const toRight = convertImplicitly(left, toNullable(right.type), context);
  if (toRight !== undefined) return { ...pair, left: toRight };
  const toLeft = convertImplicitly(right, toNullable(left.type), context);
  return toLeft === undefined ? undefined : { ...pair, right: toLeft };
};

/** A text literal as the other side's type; an error where it can not be read so, undefined where it need not be. */
export const readLiteral = (literal: BoundNode, other: BoundNode, pair: Pair): BoundNode | undefined => {
  const found = textLiteralAs(literal, other.type);
  if (found === undefined) return undefined;
  if (found.read !== undefined) return found.read;
  if (other.type.kind !== "enum" || literal.kind !== "value") return incompatible(pair);
  const name = String(literal.value);
  throw bindError(
    "unknown_value",
    `'${name}' is not a value of ${other.type.definition.name}`,
    literal,
    didYouMean(name, other.type.definition.values.keys()),
  );
};

export const unifyNumbers = (
  pair: Pair,
  [a, b]: readonly [NumberName, NumberName],
  context: Context,
): Pair | undefined => {
  const { left, right } = pair;
  const target = promoted(a, b);
  if (target === undefined) {
    const toRight = convertImplicitly(left, nullableIf(right.type, left.type), context);
    if (toRight !== undefined) return { ...pair, left: toRight };
    const toLeft = convertImplicitly(right, nullableIf(left.type, right.type), context);
    return toLeft === undefined ? undefined : { ...pair, right: toLeft };
  }
  const widen = (value: BoundNode, from: NumberName): BoundNode =>
    widenNumber(value, from, scalar(target, canBeNull(value.type)));
  return { ...pair, left: widen(left, a), right: widen(right, b) };
};

const nullableIf = (type: Type, other: Type): Type => (canBeNull(other) ? toNullable(type) : type);

const unifyEnums = (pair: Pair): Pair | undefined => {
  const { left, right } = pair;
  const [a, b] = [left.type, right.type];
  if (a.kind === "enum" && b.kind === "enum") return a.definition === b.definition ? pair : undefined;
  const number = a.kind === "enum" ? b : a;
  const whole = findNumberName(number);
  if (whole === undefined || whole === "Int64" || whole === "UInt64" || whole === "Decimal") return undefined;
  return { ...pair, left: plainEnum(left), right: plainEnum(right) };
};

export const plainEnum = (value: BoundNode): BoundNode =>
  value.type.kind === "enum" ? { ...value, type: scalar("Int32", value.type.nullable) } : value;

export const isNull = (value: BoundNode): boolean => value.type.kind === "null";

/** `==`; shared with `in` and `Contains`. */
export const equals = (pair: Pair, context: Context): BoundNode => {
  const { left, right } = pair;
  if (isNull(left) || isNull(right)) return equalsNull(pair);
  if (left.type.kind === "dynamic" || right.type.kind === "dynamic") {
    const [value, literal] = left.type.kind === "dynamic" ? [left, right] : [right, left];
    if (literal.kind === "value" && literal.literal === true && typeof literal.value === "string")
      return apply(equalsLiteral(literal.value, context.host), boolean, { ...pair, left: value, right: literal });
    const boxed = {
      ...pair,
      left: convertImplicitly(left, dynamic, context) ?? left,
      right: convertImplicitly(right, dynamic, context) ?? right,
    };
    return apply(dynamicEquality(context.host), boolean, boxed);
  }
  const both = unifyPair(pair, context);
  if (both === undefined) return incompatible(pair, conversionHint(pair));
  return apply(equality(both.left.type, context.host), boolean, both);
};

export const conversionHint = ({ left, right }: Pair): string | undefined => {
  if (isScalar(left.type, "String") || isScalar(right.type, "String"))
    return "convert one side: `x.ToString()`, `int(x)`";
  return findNumberName(left.type) !== undefined && findNumberName(right.type) !== undefined
    ? "convert one side: `double(x)`, `long(x)`"
    : undefined;
};

const isNothing = named(
  "isNothing",
  operation(
    "==null",
    (given) => given === null || given === undefined,
    (_, given = "") => `(${given} == null)`,
  ),
);

const equalsNull = (pair: Pair): BoundNode => {
  const value = isNull(pair.left) ? pair.right : pair.left;
  if (isNull(value)) return constant(boolean, true, pair.at);
  if (!canBeNull(value.type)) return incompatible(pair, `a ${typeName(value.type)} is never null`);
  return { kind: "apply", type: boolean, operation: isNothing, operands: [value], at: pair.at };
};

export const relates = (sign: OrderRelation, pair: Pair, context: Context): BoundNode => {
  const { left, right } = pair;
  if (isNull(left) || isNull(right)) return incompatible(pair, "null has no order; use `== null`");
  if (left.type.kind === "dynamic" || right.type.kind === "dynamic") {
    const boxed = {
      ...pair,
      left: convertImplicitly(left, dynamic, context) ?? left,
      right: convertImplicitly(right, dynamic, context) ?? right,
    };
    return apply(dynamicRelation(sign, context.host), boolean, boxed);
  }
  const both = unifyPair(pair, context);
  const test = both === undefined ? undefined : relation(sign, toNonNullable(both.left.type));
  if (both === undefined || test === undefined) return incompatible(pair, conversionHint(pair));
  const lifted = canBeNull(both.left.type) || canBeNull(both.right.type) ? liftToFalse(test) : test;
  return apply(lifted, boolean, both);
};
