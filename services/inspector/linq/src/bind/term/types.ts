/** Types named in an expression: `is`, `as`, `cast`, `OfType<T>()`, and conversions like `int(x)`. */

import { fault } from "../../core/error.ts";
import { type Operation, operation } from "../../core/operation.ts";
import { named, portable } from "../../core/portable.ts";
import { didYouMean } from "../../core/suggest.ts";
import { dayFromParts, timeFromParts } from "../../function/calendar.ts";
import { convertScalar } from "../../function/static.ts";
import { dateFromParts, spanFromParts } from "../../function/time.ts";
import { normalizeValue } from "../../operator/compare.ts";
import { badFormat } from "../../operator/convert.ts";
import { shower } from "../../operator/text.ts";
import type { CallNode, TypeNode, TypeTestNode } from "../../syntax/ast.ts";
import { isStaticType, predefinedType } from "../../syntax/words.ts";
import { findDefinition } from "../../type/definition.ts";
import { derivesFrom, type HostAccess } from "../../type/host.ts";
import {
  boolean,
  canBeNull,
  dynamic,
  enumType,
  isNumberName,
  isScalar,
  type ScalarName,
  type ScalarType,
  scalar,
  type Type,
  toNullable,
  typeName,
} from "../../type/type.ts";
import { Decimal } from "../../value/decimal.ts";
import { type EnumDefinition, EnumValue } from "../../value/enum.ts";
import { SimpleValue } from "../../value/simple.ts";
import type { DateTime, TimeSpan } from "../../value/time.ts";
import type { BoundNode } from "../tree/bound.ts";
import { bindError, type Context, type Scope } from "../tree/context.ts";
import { convertImplicitly } from "./conversion.ts";
import { declaredType } from "./names.ts";

/** True for the name of a class that only the values know: no declaration has it, and the host can test by it. */
const isUndeclared = ({ name }: TypeNode, context: Context): boolean =>
  context.host.classTest !== undefined &&
  /^[\p{L}_$][\p{L}\d_$]*$/u.test(name) &&
  predefinedType(name) === undefined &&
  findDefinition(name, context.host) === undefined;

/** The type of a name, or an error with what is near. */
export const resolveType = ({ name, nullable, at }: TypeNode, context: Context): Type => {
  const predefined = predefinedType(name);
  const scalarType = predefined === undefined ? undefined : scalarNamed(predefined);
  const found = scalarType ?? declared(name, context);
  if (found !== undefined) return nullable ? toNullable(found) : found;
  throw bindError("unknown_type", `Type '${name}' not found`, { at }, didYouMean(name, context.host.typeNames()));
};

const declared = (name: string, context: Context): Type | undefined => {
  const definition = findDefinition(name, context.host);
  return definition === undefined ? undefined : declaredType(definition);
};

const scalarNamed = (canonical: string): Type | undefined =>
  isStaticType(canonical) ? undefined : scalar(canonical as ScalarName);

/** The type that values of a named type have, and the test for it. */
interface NamedType {
  readonly name: string;
  readonly type: Type;
  readonly test: (from: Type) => (value: unknown) => boolean;
}

const namedType = (node: TypeNode, context: Context): NamedType => {
  const { host } = context;
  if (isUndeclared(node, context)) return { name: node.name, type: dynamic, test: () => classNamed(node.name, host) };
  const type = resolveType(node, context);
  return { name: typeName(type), type, test: (from) => instanceOf(type, from, host) };
};

/** The type argument of `OfType<T>()` or `OfType("T")`. */
export const bindTypeArgument = (node: CallNode, context: Context): NamedType => {
  const [generic] = node.types;
  const [argument] = node.arguments;
  if (generic !== undefined && argument === undefined) return namedType(generic, context);
  if (argument?.kind === "string" && generic === undefined)
    return namedType({ name: argument.value, nullable: false, at: argument.at }, context);
  throw bindError(
    "wrong_arguments",
    `'${node.name}' takes one type`,
    node,
    `${node.name}("Life") or ${node.name}<Life>()`,
  );
};

/** A test whether a value is of a type. `from` is what is known about the values. */
const instanceTest = (type: Type, from: Type, host: HostAccess): ((value: unknown) => boolean) => {
  if (type.kind === "class") {
    const { definition } = type;
    return (value) => {
      if (typeof value !== "object" || value === null) return false;
      const actual = host.findClass(value);
      return actual !== undefined && derivesFrom(actual, definition);
    };
  }
  if (type.kind === "enum") {
    const { definition } = type;
    if (from.kind === "enum") return (value) => value !== null && from.definition === definition;
    return (value) => EnumValue.is(value) && value.definition === definition;
  }
  if (type.kind !== "scalar") return () => false;
  if (from.kind === "scalar") return (value) => value !== null && value !== undefined && from.name === type.name;
  return (value) => isScalarValue(normalizeValue(value, host), type.name);
};

const instanceOf = portable("instanceOf", (type: Type, from: Type, host: HostAccess) => instanceTest(type, from, host));

/** The same for a class that only the values know. */
const classNamed = portable("classNamed", (name: string, host: HostAccess) => host.classTest?.(name) ?? (() => false));

const isScalarValue = (value: unknown, name: ScalarName): boolean => {
  switch (name) {
    case "Boolean":
      return typeof value === "boolean";
    case "String":
      return typeof value === "string";
    case "Char":
      return false;
    case "DateTime":
    case "DateOnly":
    case "TimeOnly":
    case "TimeSpan":
    case "Guid":
    case "Uri":
      return SimpleValue.isSimple(value) && value.type === name;
    case "Decimal":
      return Decimal.is(value);
    case "Int64":
    case "UInt64":
      return typeof value === "bigint";
    case "Double":
      return typeof value === "number";
    default:
      return typeof value === "number" && Number.isInteger(value) && name === "Int32" && (value | 0) === value;
  }
};

const subject = (node: TypeTestNode, scope: Scope, context: Context): BoundNode => {
  if (node.value !== undefined) return context.bind(node.value, scope);
  return context.bind({ kind: "scope", at: node.at, word: "it" }, scope);
};

export const bindTypeTest = (node: TypeTestNode, scope: Scope, context: Context): BoundNode => {
  const value = subject(node, scope, context);
  const { name, type, test } = namedType(node.type, context);
  const apply = (result: Type, what: Operation): BoundNode => ({
    kind: "apply",
    type: result,
    operation: what,
    operands: [value],
    at: node.at,
  });
  const isInstance = test(value.type);
  if (node.kind === "is") return apply(boolean, typeTest(isInstance));
  if (node.kind === "as") {
    if (!canBeNull(type) && type.kind !== "enum" && type.kind !== "scalar")
      throw bindError("wrong_operands", `'as' needs a type that can be null`, node);
    return apply(toNullable(type), valueIf(isInstance));
  }
  if (type.kind === "dynamic") return apply(type, castTo(isInstance, name));
  const implicit = convertImplicitly(value, type, context);
  if (implicit !== undefined && value.type.kind !== "dynamic") return { ...implicit, type };
  if (type.kind === "scalar") return conversion(value, type, node.at);
  return apply(type, castTo(isInstance, name));
};

type Test = (value: unknown) => boolean;

const typeTest = portable("typeTest", (test: Test) => operation("is", test));

const valueIf = portable("valueIf", (test: Test) => operation("as", (given) => (test(given) ? unboxed(given) : null)));

const castTo = portable("castTo", (test: Test, name: string) =>
  operation("cast", (given) => {
    if (given === null || given === undefined || test(given)) return unboxed(given ?? null);
    throw fault("type_mismatch", `The value is not of type ${name}`, "use `as`, which gives null instead");
  }),
);

const unboxed = (value: unknown): unknown => (EnumValue.is(value) ? value.value : value);

const conversion = (value: BoundNode, type: Type & { kind: "scalar" }, at: number): BoundNode => ({
  kind: "apply",
  type,
  operation: converting(type),
  operands: [value],
  at,
});

const converting = portable("converting", ({ name, nullable }: ScalarType) =>
  operation(`${name}()`, (given) => {
    if (given !== null && given !== undefined) return convertScalar(given, name, "drop");
    if (nullable) return null;
    throw fault("null_reference", `A null can not become ${name}`, `use ${name}?(…), which keeps it null`);
  }),
);

/** `int(5.9)`, `int?("5")`, `DateTime(2026, 1, 2)`, `MonsterRarity(2)`; undefined when the name is not a type. */
export const bindConversion = (node: CallNode, scope: Scope, context: Context): BoundNode | undefined => {
  const nullable = node.name.endsWith("?");
  const name = nullable ? node.name.slice(0, -1) : node.name;
  const predefined = predefinedType(name);
  const type = predefined === undefined ? declaredEnum(name, context) : scalarNamed(predefined);
  if (type === undefined) return undefined;
  const values = node.arguments.map((argument) => context.bind(argument, scope));
  const [only] = values;
  const offset = values.length > 1 && name.endsWith("DateTimeOffset") ? values.at(-1) : undefined;
  if (offset !== undefined) return instantAt(values.slice(0, -1), offset, node);
  if (values.length > 1 && type.kind === "scalar") return fromParts(type, values, node);
  if (only === undefined || values.length !== 1)
    throw bindError("wrong_arguments", `${typeName(type)}(…) takes one value`, node, `${node.name}(x)`);
  if (type.kind === "enum") return toEnum(only, type, node);
  if (type.kind !== "scalar") return undefined;
  if (only.type.kind === "class" || only.type.kind === "record" || only.type.kind === "list")
    throw bindError("wrong_arguments", `A ${typeName(only.type)} can not be converted to ${typeName(type)}`, node);
  if (type.name === "String") return textConversion(only, node.at, context);
  return conversion(only, scalar(type.name, nullable), node.at);
};

const textConversion = (value: BoundNode, at: number, { host }: Context): BoundNode => ({
  kind: "apply",
  type: scalar("String"),
  operation: textFrom(value.type, host),
  operands: [value],
  at,
});

const textFrom = portable("textFrom", (type: Type, host: HostAccess) => operation("String()", shower(type, host)));

const declaredEnum = (name: string, context: Context): Type | undefined => {
  const definition = findDefinition(name, context.host);
  return definition?.kind === "enum" ? enumType(definition) : undefined;
};

const toEnum = (value: BoundNode, type: Type & { kind: "enum" }, node: CallNode): BoundNode => ({
  kind: "apply",
  type,
  operation: enumFrom(type.definition),
  operands: [value],
  at: node.at,
});

const enumFrom = portable("enumFrom", ({ name, values }: EnumDefinition) =>
  operation("enum", (given) => {
    if (typeof given === "number") return given | 0;
    return (typeof given === "string" ? values.get(given) : undefined) ?? badFormat(name);
  }),
);

/** What `Type(a, b, …)` makes, by how many whole numbers. */
const assembly: Readonly<
  Partial<Record<ScalarName, readonly [low: number, high: number, (parts: readonly number[]) => unknown, hint: string]>>
> = {
  DateTime: [3, 7, dateFromParts, "DateTime(year, month, day[, hour, minute, second, ms])"],
  DateOnly: [3, 3, dayFromParts, "DateOnly(year, month, day)"],
  TimeOnly: [2, 4, timeFromParts, "TimeOnly(hour, minute[, second, ms])"],
  TimeSpan: [3, 5, spanFromParts, "TimeSpan(hours, minutes, seconds), TimeSpan(days, hours, minutes, seconds[, ms])"],
};

const fromParts = (type: Type & { kind: "scalar" }, values: readonly BoundNode[], node: CallNode): BoundNode => {
  const found = assembly[type.name];
  const whole = values.every(
    (value) => value.type.kind === "dynamic" || (value.type.kind === "scalar" && isNumberName(value.type.name)),
  );
  if (found === undefined || !whole || values.length < found[0] || values.length > found[1])
    throw bindError("wrong_arguments", `${typeName(type)}(…) does not take these arguments`, node, found?.[3]);
  return { kind: "apply", type, operation: assembling(type.name), operands: values, at: node.at };
};

/** `DateTimeOffset(year, month, …, offset)`, `DateTimeOffset(date, offset)`: the instant that a clock at the offset shows so. */
const instantAt = (values: readonly BoundNode[], offset: BoundNode, node: CallNode): BoundNode => {
  const [date] = values;
  const isDate = date !== undefined && values.length === 1 && isScalar(date.type, "DateTime");
  if (!isScalar(offset.type, "TimeSpan") || (!isDate && values.length < 6))
    throw bindError("wrong_arguments", "DateTimeOffset(…) does not take these arguments", node, offsetHint);
  const shown = isDate ? date : fromParts(scalar("DateTime"), values, node);
  return { kind: "apply", type: scalar("DateTime"), operation: atOffset, operands: [shown, offset], at: node.at };
};

const offsetHint = "DateTimeOffset(year, month, day, hour, minute, second[, ms], offset), DateTimeOffset(date, offset)";

const atOffset = named(
  "atOffset",
  operation("DateTimeOffset()", (date: DateTime | null, offset: TimeSpan | null) =>
    date === null || offset === null ? null : date.plus(-offset.ms),
  ),
);

const assembling = portable("assembling", (name: ScalarName) => {
  const make = (...parts: readonly unknown[]): unknown => {
    const numbers = parts.map((part) =>
      typeof part === "number" || typeof part === "bigint" ? Number(part) : Number.NaN,
    );
    if (numbers.some((number) => !Number.isInteger(number)))
      throw fault("type_mismatch", `${name}(…) takes whole numbers`);
    const made = assembly[name]?.[2](numbers);
    if (made !== undefined) return made;
    throw fault("out_of_range", `The numbers describe no ${name}`);
  };
  return operation(`${name}()`, make as never);
});
