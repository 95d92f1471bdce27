/** Static members: `Math`, `Convert`, and those of the predefined types (`int.MaxValue`, `DateTime.Now`, `double.IsNaN`). */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { badFormat, numberTo, parseScalar } from "../operator/convert.ts";
import { showDynamic } from "../operator/text.ts";
import type { HostAccess } from "../type/host.ts";
import {
  boolean,
  dateTime,
  double,
  dynamic,
  int32,
  int64,
  type NumberName,
  type ScalarName,
  scalar,
  string,
  timeSpan,
} from "../type/type.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { SimpleValue } from "../value/simple.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { characters } from "./character.ts";
import { math } from "./math.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { numberStatics, parsing } from "./number-static.ts";
import { type PropertyTable, propertyTable } from "./property.ts";
import type { StaticMembers } from "./statics.ts";
import { stringStatics } from "./string-static.ts";
import { uriStatics } from "./uri-static.ts";

const empty: PropertyTable = new Map();

/** Any scalar as another, as `Convert` does: text is read, numbers are rounded half to even. */
export const convertScalar = (value: unknown, to: ScalarName, rounding: "drop" | "even"): unknown => {
  if (typeof value === "string") return parseScalar(value, to) ?? badFormat(to);
  const plain = EnumValue.is(value) ? value.value : value;
  if (to === "Boolean") {
    if (typeof plain === "boolean") return plain;
    if (typeof plain === "number" || typeof plain === "bigint") return plain !== 0 && plain !== 0n;
  }
  if (to === "Char" && typeof plain === "number") return String.fromCharCode(plain);
  const number = typeof plain === "boolean" ? Number(plain) : plain;
  if (typeof number === "number" || typeof number === "bigint" || Decimal.is(number)) {
    if (isNumber(to)) return numberTo(number, to, rounding);
  }
  if (to === "DateOnly" && DateTime.is(value)) return DateOnly.of(value);
  if (SimpleValue.isSimple(value) && value.type === to) return value;
  throw fault("type_mismatch", `The value can not be converted to ${to}`);
};

const isNumber = (name: ScalarName): name is NumberName => scalarNumbers.has(name);
const scalarNumbers: ReadonlySet<string> = new Set([
  "SByte",
  "Byte",
  "Int16",
  "UInt16",
  "Int32",
  "UInt32",
  "Int64",
  "UInt64",
  "Single",
  "Double",
  "Decimal",
]);

const convert = (host: HostAccess): StaticMembers => ({
  properties: empty,
  methods: methodTable([
    ...["SByte", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"].map(
      (name): MethodRow => toScalar(name as NumberName),
    ),
    toScalar("Boolean"),
    toScalar("Char"),
    toScalar("DateTime"),
    ["ToString", [dynamic], string, (value: unknown) => showDynamic(value, host)],
    ["ToInt32", [string, int32], int32, (text: string | null, base: number) => inBase(text, base, "Int32")],
    ["ToInt64", [string, int32], int64, (text: string | null, base: number) => inBase(text, base, "Int64")],
    ["ToString", [int32, int32], string, (value: number, base: number) => baseText(BigInt(value), base, 32)],
    ["ToString", [int64, int32], string, (value: bigint, base: number) => baseText(value, base, 64)],
  ]),
});

const prefixes: Readonly<Record<number, RegExp>> = {
  2: /^[01]+$/,
  8: /^[0-7]+$/,
  10: /^[+-]?\d+$/,
  16: /^(?:0[xX])?[\dA-Fa-f]+$/,
};

const baseFault = (): never => {
  throw fault("wrong_arguments", "The base must be 2, 8, 10 or 16");
};

/** Text of a whole number in base 2, 8, 10 or 16; all but 10 are two's complement. */
const inBase = (text: string | null, base: number, to: "Int32" | "Int64"): unknown => {
  const wanted = prefixes[base] ?? baseFault();
  if (text === null || text.length > 70 || !wanted.test(text)) return badFormat(to);
  if (base === 10) return numberTo(BigInt(text), to);
  const sign = { 2: "0b", 8: "0o", 16: "0x" }[base] ?? "";
  const whole = BigInt(sign + text.replace(/^0[xX]/, ""));
  const bits = to === "Int32" ? 32 : 64;
  return whole < 2n ** BigInt(bits) ? numberTo(BigInt.asIntN(bits, whole), to) : badFormat(to);
};

const baseText = (value: bigint, base: number, bits: number): string => {
  if (prefixes[base] === undefined) return baseFault();
  return (base === 10 ? value : BigInt.asUintN(bits, value)).toString(base);
};

const toScalar = (name: ScalarName): MethodRow => [
  `To${name}`,
  [dynamic],
  scalar(name),
  (value: unknown) => convertScalar(value, name, "even"),
];

const daysInMonth = (year: number, month: number): number => {
  const first = DateTime.fromParts([year, month, 1]);
  if (first === undefined) throw fault("out_of_range", "Year or month is out of range");
  const last = new Date(first.ms);
  last.setUTCMonth(month, 0);
  return last.getUTCDate();
};

const spanFrom = (name: string, ms: number): MethodRow => [
  `From${name}`,
  [double],
  timeSpan,
  (value: number) => TimeSpan.of(value * ms),
];

const now = (host: HostAccess): DateTime => DateTime.of(host.now());

/** The statics of a predefined type, by its canonical name. */
export const findStatics = (name: string, host: HostAccess, limits: Limits): StaticMembers => {
  switch (name) {
    case "Math":
      return math;
    case "Convert":
      return convert(host);
    case "String":
      return { properties: propertyTable([["Empty", string, () => ""]]), methods: stringStatics(limits, host) };
    case "Boolean":
      return {
        properties: propertyTable([
          ["TrueString", string, () => "True"],
          ["FalseString", string, () => "False"],
        ]),
        methods: methodTable([parsing("Boolean")]),
      };
    case "Char":
      return characters;
    case "DateTime":
      return {
        properties: propertyTable([
          ["Now", dateTime, () => now(host)],
          ["UtcNow", dateTime, () => now(host)],
          ["Today", dateTime, () => now(host).date()],
          ["MinValue", dateTime, () => DateTime.fromParts([1, 1, 1])],
          ["MaxValue", dateTime, () => DateTime.fromParts([9999, 12, 31, 23, 59, 59, 999])],
          ["UnixEpoch", dateTime, () => DateTime.of(0)],
        ]),
        methods: methodTable([
          parsing("DateTime"),
          ["Compare", [dateTime, dateTime], int32, (a: DateTime, b: DateTime) => Math.sign(a.ms - b.ms)],
          ["FromUnixTimeSeconds", [int64], dateTime, (seconds: bigint) => DateTime.of(Number(seconds) * 1000)],
          ["FromUnixTimeMilliseconds", [int64], dateTime, (ms: bigint) => DateTime.of(Number(ms))],
          ["DaysInMonth", [int32, int32], int32, daysInMonth],
          ["IsLeapYear", [int32], boolean, (year: number) => daysInMonth(year, 2) === 29],
        ]),
      };
    case "TimeSpan":
      return {
        properties: propertyTable([
          ["Zero", timeSpan, () => TimeSpan.of(0)],
          ["TicksPerDay", int64, () => 864_000_000_000n],
          ["TicksPerHour", int64, () => 36_000_000_000n],
          ["TicksPerMinute", int64, () => 600_000_000n],
          ["TicksPerSecond", int64, () => 10_000_000n],
          ["TicksPerMillisecond", int64, () => 10_000n],
        ]),
        methods: methodTable([
          parsing("TimeSpan"),
          spanFrom("Days", 86_400_000),
          spanFrom("Hours", 3_600_000),
          spanFrom("Minutes", 60_000),
          spanFrom("Seconds", 1000),
          spanFrom("Milliseconds", 1),
          ["FromTicks", [int64], timeSpan, (ticks: bigint) => TimeSpan.of(Number(ticks) / 10_000)],
          ["Compare", [timeSpan, timeSpan], int32, (a: TimeSpan, b: TimeSpan) => Math.sign(a.ms - b.ms)],
        ]),
      };
    case "Guid":
      return {
        properties: propertyTable([["Empty", scalar("Guid"), () => Guid.empty]]),
        methods: methodTable([parsing("Guid")]),
      };
    case "DateOnly":
      return {
        properties: propertyTable([
          ["MinValue", scalar("DateOnly"), () => DateOnly.parse("0001-01-01")],
          ["MaxValue", scalar("DateOnly"), () => DateOnly.parse("9999-12-31")],
        ]),
        methods: methodTable([
          parsing("DateOnly"),
          ["FromDateTime", [dateTime], scalar("DateOnly"), (date: DateTime) => DateOnly.of(date)],
          [
            "FromDayNumber",
            [int32],
            scalar("DateOnly"),
            (days: number) => DateOnly.of(DateTime.of((DateTime.fromParts([1, 1, 1])?.ms ?? 0) + days * 86_400_000)),
          ],
        ]),
      };
    case "TimeOnly":
      return {
        properties: propertyTable([
          ["MinValue", scalar("TimeOnly"), () => TimeOnly.of(0)],
          ["MaxValue", scalar("TimeOnly"), () => TimeOnly.of(86_399_999)],
        ]),
        methods: methodTable([
          parsing("TimeOnly"),
          ["FromDateTime", [dateTime], scalar("TimeOnly"), (date: DateTime) => TimeOnly.of(date.ms - date.date().ms)],
        ]),
      };
    case "Uri":
      return uriStatics(limits);
    default:
      return isNumber(name as ScalarName)
        ? numberStatics(name as NumberName)
        : { properties: empty, methods: new Map() };
  }
};
