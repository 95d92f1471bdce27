/** Implicit conversions, as far as C# and the library have them, and the common type of two values. */

import { fault } from "../../core/error.ts";
import { type Operation, operation } from "../../core/operation.ts";
import { portable } from "../../core/portable.ts";
import { valueCheck } from "../../operator/check.ts";
import { describeKind, normalizeValue } from "../../operator/compare.ts";
import { numberRange, numberTo, parseScalar, widen, widens } from "../../operator/convert.ts";
import { readItems } from "../../operator/elements.ts";
import { allMembers, derivesFrom, type HostAccess } from "../../type/host.ts";
import {
  type ClassDefinition,
  canBeNull,
  dynamic,
  findNumberName,
  isScalar,
  type NumberName,
  sameType,
  type Type,
  toNonNullable,
  toNullable,
  typeName,
} from "../../type/type.ts";
import { Decimal } from "../../value/decimal.ts";
import { type EnumDefinition, EnumValue, enumNumber } from "../../value/enum.ts";
import { Sequence } from "../../value/sequence.ts";
import type { BoundNode } from "../tree/bound.ts";
import { type Context, constant } from "../tree/context.ts";

const applyTo = (what: Operation, operand: BoundNode, type: Type): BoundNode => ({
  kind: "apply",
  type,
  operation: what,
  operands: [operand],
  at: operand.at,
});

const retyped = (value: BoundNode, type: Type): BoundNode => ({ ...value, type });

/** The value as another type, or undefined where there is no implicit conversion. */
export const convertImplicitly = (value: BoundNode, to: Type, context: Context): BoundNode | undefined => {
  const from = value.type;
  if (sameType(from, to)) return value;
  if (from.kind === "null") return canBeNull(to) ? constant(to, null, value.at) : undefined;
  if (to.kind === "dynamic") return boxValue(value);
  if (from.kind === "dynamic") return applyTo(expectation(to, context.host), value, to);
  if (canBeNull(from) && !canBeNull(to)) return undefined;
  if (sameType(toNullable(from), toNullable(to))) return retyped(value, to);
  const literal = literalAs(value, to);
  if (literal !== undefined) return literal;
  const [fromNumber, toNumber] = [findNumberName(from), findNumberName(to)];
  if (fromNumber !== undefined && toNumber !== undefined)
    return widens(fromNumber, toNumber) ? widenNumber(value, fromNumber, to) : undefined;
  if (isScalar(from, "Char") && isScalar(to, "String")) return retyped(value, to);
  if (from.kind === "class" && to.kind === "class")
    return derivesFrom(from.definition, to.definition) ? retyped(value, to) : undefined;
  if (from.kind === "list" && to.kind === "list")
    return to.item.kind === "dynamic" || sameType(from.item, to.item) ? retyped(value, to) : undefined;
  return undefined;
};

/** An argument as a method of ours takes it: a list is copied out, its elements checked. */
export const argumentAs = (value: BoundNode, to: Type, context: Context): BoundNode | undefined => {
  const fitting = convertImplicitly(value, to, context);
  return fitting === undefined || to.kind !== "list" ? fitting : applyTo(copying(to.item, context.host), fitting, to);
};

const copying = portable("copying", (item: Type, host: HostAccess) =>
  operation("elements", (list) => copied(list, item, host)),
);

/** The elements of any collection, each of a type. */
export const copied = (list: unknown, item: Type, host: HostAccess): Sequence => {
  const check = valueCheck(item, host);
  return new Sequence(readItems(list, host).map((each) => checked(check, each, item)));
};

/** A number widened to a type known to hold it. */
export const widenNumber = (value: BoundNode, from: NumberName, to: Type): BoundNode => {
  const target = findNumberName(to);
  const change = target === undefined ? undefined : widen(from, target);
  if (change === undefined) return retyped(value, to);
  if (value.kind === "value") return constant(to, value.value === null ? null : change(value.value), value.at);
  return applyTo(widening(from, target ?? from), value, to);
};

const widening = portable("widening", (from: NumberName, to: NumberName): Operation => {
  const change = widen(from, to) ?? ((given: unknown) => given);
  return operation("widen", (given) => (given === null ? null : change(given)));
});

/** Enums keep their name by being boxed; everything else shows its type by itself. */
const boxValue = (value: BoundNode): BoundNode => {
  if (value.type.kind !== "enum") return retyped(value, dynamic);
  const { definition } = value.type;
  return applyTo(boxing(definition), value, dynamic);
};

const boxing = portable("boxing", (definition: EnumDefinition) =>
  operation("box", (given) => (typeof given === "number" ? new EnumValue(definition, given) : null)),
);

/** An instance of a class, or data in the place of a struct that can be read without running anything. */
const instanceCheck =
  (definition: ClassDefinition, host: HostAccess) =>
  (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) throw fault("type_mismatch", "An object is needed");
    const actual = host.findClass(value);
    const isOther = actual === undefined ? host.constructs(definition) : !derivesFrom(actual, definition);
    if (isOther) throw fault("type_mismatch", "Another class is needed");
    if (actual === undefined) for (const { name, key = name } of allMembers(definition)) host.field(value, key);
    return value;
  };

/** At run time: the value must fit the type. */
export const expectation = portable("expectation", (to: Type, host: HostAccess): Operation => {
  const check = to.kind === "class" ? instanceCheck(to.definition, host) : valueCheck(to, host);
  const number = findNumberName(to);
  return operation(`as ${typeName(to)}`, (given) => {
    const value = normalizeValue(given, host);
    if (value === null && !canBeNull(to))
      throw fault("null_reference", `A null where ${typeName(to)} is needed`, "give a fallback: `x ?? 0`");
    if (number !== undefined && (typeof value === "number" || typeof value === "bigint" || Decimal.is(value))) {
      if (isWhole(number) && typeof value === "number" && !Number.isInteger(value))
        throw fault("type_mismatch", `A whole number is needed, not a fraction`, "use Math.Floor or int(…)");
      return numberTo(value, number);
    }
    return value === null ? null : checked(check, value, to);
  });
});

const isWhole = (name: NumberName): boolean => numberRange(name) !== undefined;

const checked = (check: (value: unknown) => unknown, value: unknown, to: Type): unknown => {
  try {
    return check(value);
  } catch {
    throw fault("type_mismatch", `A ${describeKind(value)} where ${typeName(to)} is needed`);
  }
};

/** Number literals take any number type that holds them; a string of one character may be a Char. */
const literalAs = (value: BoundNode, to: Type): BoundNode | undefined => {
  if (value.kind !== "value" || value.literal !== true) return undefined;
  const number = findNumberName(to);
  if (number !== undefined && (typeof value.value === "number" || typeof value.value === "bigint")) {
    if (value.digits !== undefined && number === "Decimal")
      return constant(to, Decimal.parse(value.digits) ?? Decimal.of(0n, 0), value.at);
    const range = numberRange(number);
    if (range === undefined || typeof value.type !== "object" || value.digits !== undefined) return undefined;
    const whole = BigInt(value.value);
    if (whole >= range.low && whole <= range.high) return constant(to, numberTo(whole, number), value.at);
  }
  if (isScalar(to, "Char") && typeof value.value === "string" && value.value.length === 1)
    return constant(to, value.value, value.at);
  return undefined;
};

/**
 * A string literal read as the other side's type, as the library does for comparisons. `undefined` when it is no such literal or
 * the type reads no text; throws nothing.
 */
export const textLiteralAs = (value: BoundNode, to: Type): { readonly read: BoundNode | undefined } | undefined => {
  if (value.kind !== "value" || value.literal !== true || typeof value.value !== "string") return undefined;
  if (to.kind === "enum") {
    const number = enumNumber(to.definition, value.value);
    return { read: number === undefined ? undefined : constant(toNonNullable(to), number, value.at) };
  }
  if (to.kind !== "scalar" || to.name === "String") return undefined;
  const read = parseScalar(value.value, to.name);
  return { read: read === undefined ? undefined : constant(toNonNullable(to), read, value.at) };
};

/** Both values in one type, or undefined. Used by `?:`, `??`, `new[]`, `in`. */
export const unifyTypes = (
  a: BoundNode,
  b: BoundNode,
  context: Context,
): readonly [BoundNode, BoundNode] | undefined => {
  if (a.type.kind === "null" && b.type.kind === "null") return [a, b];
  const eitherNull = canBeNull(a.type) || canBeNull(b.type);
  const widest = (type: Type): Type => (eitherNull ? toNullable(type) : type);
  const toA = convertImplicitly(b, widest(a.type), context);
  if (toA !== undefined && a.type.kind !== "null") return [convertImplicitly(a, widest(a.type), context) ?? a, toA];
  const toB = convertImplicitly(a, widest(b.type), context);
  if (toB !== undefined && b.type.kind !== "null") return [toB, convertImplicitly(b, widest(b.type), context) ?? b];
  return undefined;
};
