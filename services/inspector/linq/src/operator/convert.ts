/** Conversions between scalars: widening, casts, and reading numbers from text. */
import { fault } from "../core/error.ts";
import { isNumberName, type NumberName, type ScalarName } from "../type/type.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { Decimal } from "../value/decimal.ts";
import { Guid } from "../value/guid.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { Uri } from "../value/uri.ts";

/** Number types that a type widens to without loss of magnitude, as C#'s implicit conversions. */
const widening: Readonly<Record<NumberName, readonly NumberName[]>> = {
  SByte: ["Int16", "Int32", "Int64", "Single", "Double", "Decimal"],
  Byte: ["Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"],
  Int16: ["Int32", "Int64", "Single", "Double", "Decimal"],
  UInt16: ["Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"],
  Int32: ["Int64", "Single", "Double", "Decimal"],
  UInt32: ["Int64", "UInt64", "Single", "Double", "Decimal"],
  Int64: ["Single", "Double", "Decimal"],
  UInt64: ["Single", "Double", "Decimal"],
  Single: ["Double"],
  Double: [],
  Decimal: [],
};

export const widens = (from: NumberName, to: NumberName): boolean => from === to || widening[from].includes(to);

interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

const range = (bits: number, isSigned: boolean): Range =>
  isSigned
    ? { low: -(2n ** BigInt(bits - 1)), high: 2n ** BigInt(bits - 1) - 1n }
    : { low: 0n, high: 2n ** BigInt(bits) - 1n };

const ranges: Readonly<Partial<Record<string, Range>>> = {
  SByte: range(8, true),
  Byte: range(8, false),
  Int16: range(16, true),
  UInt16: range(16, false),
  Int32: range(32, true),
  UInt32: range(32, false),
  Int64: range(64, true),
  UInt64: range(64, false),
};

export const numberRange = (type: NumberName): Range | undefined => ranges[type];

const isBig = (type: NumberName): boolean => type === "Int64" || type === "UInt64";

type NumberValue = number | bigint | Decimal;

/** How a fraction becomes a whole number: a cast drops it, `Convert` rounds half to even. */
type Rounding = "drop" | "even";

export const halfToEven = (value: number): number => {
  const floor = Math.floor(value);
  const rest = value - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
};

const roundToWhole = (value: NumberValue, rounding: Rounding): bigint | undefined => {
  if (typeof value === "bigint") return value;
  if (Decimal.is(value)) return rounding === "even" ? value.rounded(0).truncated() : value.truncated();
  if (!Number.isFinite(value)) return undefined;
  return BigInt(rounding === "even" ? halfToEven(value) : Math.trunc(value));
};

/** A number as another number type. Throws `overflow` where it does not fit. */
export const numberTo = (value: NumberValue, to: NumberName, rounding: Rounding = "drop"): NumberValue => {
  if (to === "Double" || to === "Single") {
    const number = Decimal.is(value) ? value.toNumber() : Number(value);
    return to === "Single" ? Math.fround(number) : number;
  }
  if (to === "Decimal") {
    if (Decimal.is(value)) return value;
    return typeof value === "bigint" ? Decimal.of(value, 0) : Decimal.fromNumber(value);
  }
  const whole = roundToWhole(value, rounding);
  const limits = ranges[to];
  if (whole === undefined || limits === undefined || whole < limits.low || whole > limits.high)
    throw fault("overflow", `The value does not fit into ${to}`);
  return isBig(to) ? whole : Number(whole);
};

/** A widening, with no checks: the binder has made sure that it fits. */
export const widen = (from: NumberName, to: NumberName): ((value: unknown) => unknown) | undefined => {
  if (from === to) return undefined;
  if (to === "Single") return (value) => Math.fround(Number(value));
  if (to === "Double") return isBig(from) ? Number : undefined;
  if (isBig(to)) return isBig(from) ? undefined : (value) => (typeof value === "number" ? BigInt(value) : value);
  if (to === "Decimal")
    return (value) => (typeof value === "number" || typeof value === "bigint" ? numberTo(value, "Decimal") : value);
  return undefined;
};

/** Text as a scalar, or undefined when it is none. Whole numbers out of range throw `overflow`. */
export const parseScalar = (text: string, to: ScalarName): unknown => {
  const trimmed = text.trim();
  if (isNumberName(to)) return parseNumber(trimmed, to);
  switch (to) {
    case "Boolean":
      return trimmed.toLowerCase() === "true" ? true : trimmed.toLowerCase() === "false" ? false : undefined;
    case "String":
      return text;
    case "Char":
      return text.length === 1 ? text : undefined;
    case "DateTime":
      return DateTime.parse(text);
    case "TimeSpan":
      return TimeSpan.parse(text);
    case "DateOnly":
      return DateOnly.parse(text);
    case "TimeOnly":
      return TimeOnly.parse(text);
    case "Guid":
      return Guid.parse(text);
    case "Uri":
      return Uri.parse(trimmed);
    default:
      return undefined;
  }
};

const parseNumber = (text: string, to: NumberName): unknown => {
  if (to === "Decimal") return Decimal.parse(text);
  if (to === "Double" || to === "Single") {
    if (/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text))
      return to === "Single" ? Math.fround(Number(text)) : Number(text);
    return text === "NaN" ? Number.NaN : text === "Infinity" ? Infinity : text === "-Infinity" ? -Infinity : undefined;
  }
  return /^[+-]?\d{1,40}$/.test(text) ? numberTo(BigInt(text), to) : undefined;
};

export const badFormat = (to: string): never => {
  throw fault("bad_format", `The text is not a value of ${to}`, `check it first, or use a literal that is a ${to}`);
};
