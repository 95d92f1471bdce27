/**
 * Values that come from the host, checked against their declared type, so that no operator ever meets an object where it
 * expects a number: a declared Int32 that holds an object is an error here, not a call of its `valueOf` later.
 */

import { fault } from "../core/error.ts";
import { portable } from "../core/portable.ts";
import type { HostAccess } from "../type/host.ts";
import { isNumberName, type ScalarType, type Type, typeName } from "../type/type.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue, enumNumber } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { SimpleValue } from "../value/simple.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { describeKind, normalizeValue } from "./compare.ts";
import { numberTo, parseScalar } from "./convert.ts";

type ValueCheck = (value: unknown) => unknown;

const wrong = (value: unknown, type: Type, host: HostAccess): never => {
  host.refuseRedacted?.(value);
  throw fault("type_mismatch", `The host declares ${typeName(type)} but holds a ${describeKind(value)}`);
};

/** The check of a type: gives the value as the language has it, or throws `type_mismatch`. */
export const linkedCheck = portable(
  "linkedCheck",
  (type: Type, host: HostAccess): ValueCheck => valueCheck(type, host),
);

/** The same for a check that is used at once and not linked into a tree. */
export const valueCheck = (type: Type, host: HostAccess): ValueCheck => {
  switch (type.kind) {
    case "scalar":
      return scalarCheck(type, host);
    case "enum":
      return (value) => {
        if (typeof value === "number") return value;
        if (EnumValue.is(value)) return value.value;
        if (value === null || value === undefined) return type.nullable ? null : wrong(value, type, host);
        const named = typeof value === "string" ? enumNumber(type.definition, value) : undefined;
        return named ?? wrong(value, type, host);
      };
    case "dynamic":
      return (value) => normalizeValue(value, host);
    case "null":
      return () => null;
    default:
      return (value) => {
        if (value === undefined || value === null) return null;
        return typeof value === "object" ? value : wrong(value, type, host);
      };
  }
};

const scalarCheck = (type: ScalarType, host: HostAccess): ValueCheck => {
  const accept = acceptors(type, host);
  const { nullable } = type;
  return (value) => {
    if (value === null || value === undefined) return nullable ? null : wrong(value, type, host);
    const accepted = accept(value);
    return accepted === undefined ? wrong(value, type, host) : accepted;
  };
};

/** Gives the value in the language's form, or undefined when it is none of the type. */
const acceptors = ({ name }: ScalarType, host: HostAccess): ((value: NonNullable<unknown>) => unknown) => {
  if (name === "Int64" || name === "UInt64")
    return (value) =>
      typeof value === "bigint"
        ? value
        : typeof value === "number" && Number.isInteger(value)
          ? BigInt(value)
          : undefined;
  if (name === "Decimal")
    return (value) => {
      if (Decimal.is(value)) return value;
      if (typeof value === "number" || typeof value === "bigint") return numberTo(value, "Decimal");
      return typeof value === "string" ? parseScalar(value, "Decimal") : undefined;
    };
  if (isNumberName(name)) return (value) => (typeof value === "number" ? value : undefined);
  switch (name) {
    case "Boolean":
      return (value) => (typeof value === "boolean" ? value : undefined);
    case "DateTime":
      return (value) => {
        if (DateTime.is(value)) return value;
        const instant = typeof value === "object" ? host.instant(value) : typeof value === "number" ? value : undefined;
        return instant === undefined ? undefined : DateTime.of(instant);
      };
    case "TimeSpan":
      return (value) => (TimeSpan.is(value) ? value : typeof value === "number" ? TimeSpan.of(value) : undefined);
    case "DateOnly":
    case "TimeOnly":
    case "Guid":
    case "Uri":
      return (value) => {
        if (typeof value === "string") return parseScalar(value, name);
        return SimpleValue.isSimple(value) && value.type === name ? value : undefined;
      };
    case "Char":
      return (value) => (typeof value === "string" && value.length === 1 ? value : undefined);
    default:
      return (value) => (typeof value === "string" ? value : undefined);
  }
};

/** The value a type has when there is none: 0, false, null. */
export const defaultValue = (type: Type): unknown => {
  if (type.kind === "enum") return type.nullable ? null : 0;
  if (type.kind !== "scalar" || type.nullable) return null;
  switch (type.name) {
    case "Boolean":
      return false;
    case "Int64":
    case "UInt64":
      return 0n;
    case "Decimal":
      return Decimal.of(0n, 0);
    case "Char":
      return "\0";
    case "DateTime":
      return DateTime.fromParts([1, 1, 1]) ?? null;
    case "TimeSpan":
      return TimeSpan.of(0);
    case "DateOnly":
      return DateOnly.parse("0001-01-01") ?? null;
    case "TimeOnly":
      return TimeOnly.of(0);
    case "Guid":
      return Guid.empty;
    default:
      return 0;
  }
};
