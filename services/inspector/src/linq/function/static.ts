/** Static members: `Math`, `Convert`, and those of the predefined types (`int.MaxValue`, `DateTime.Now`, `double.IsNaN`). */
import { fault } from "../error.ts";
import type { HostAccess } from "../host.ts";
import type { Limits } from "../limits.ts";
import { badFormat, numberTo, parseScalar } from "../operator/convert.ts";
import { showDynamic } from "../operator/text.ts";
import {
  boolean,
  char,
  dateTime,
  double,
  dynamic,
  int32,
  type NumberName,
  type ScalarName,
  scalar,
  string,
  type Type,
  timeSpan,
} from "../type.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { SimpleValue } from "../value/simple.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { Uri } from "../value/uri.ts";
import { math } from "./math.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { type PropertyTable, propertyTable } from "./property.ts";
import type { Statics } from "./statics.ts";
import { stringStatics } from "./string.ts";

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

const convert = (host: HostAccess): Statics => ({
  properties: empty,
  methods: methodTable([
    ...["SByte", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal"].map(
      (name): MethodRow => toScalar(name as NumberName),
    ),
    toScalar("Boolean"),
    toScalar("Char"),
    toScalar("DateTime"),
    ["ToString", [dynamic], string, (value: unknown) => showDynamic(value, host)],
  ]),
});

const toScalar = (name: ScalarName): MethodRow => [
  `To${name}`,
  [dynamic],
  scalar(name),
  (value: unknown) => convertScalar(value, name, "even"),
];

const extremes: Readonly<Record<string, readonly [unknown, unknown]>> = {
  SByte: [-128, 127],
  Byte: [0, 255],
  Int16: [-32_768, 32_767],
  UInt16: [0, 65_535],
  Int32: [-2_147_483_648, 2_147_483_647],
  UInt32: [0, 4_294_967_295],
  Int64: [-(2n ** 63n), 2n ** 63n - 1n],
  UInt64: [0n, 2n ** 64n - 1n],
  Single: [-3.4028234663852886e38, 3.4028234663852886e38],
  Double: [-Number.MAX_VALUE, Number.MAX_VALUE],
  Decimal: [Decimal.of(-(2n ** 96n - 1n), 0), Decimal.of(2n ** 96n - 1n, 0)],
};

const parsing = (name: ScalarName): MethodRow => [
  "Parse",
  [string],
  scalar(name),
  (text: string | null) => (text === null ? badFormat(name) : (parseScalar(text, name) ?? badFormat(name))),
];

const numberStatics = (name: NumberName): Statics => {
  const type = scalar(name);
  const [low, high] = extremes[name] ?? [undefined, undefined];
  const bounds: [string, Type, () => unknown][] =
    low === undefined
      ? []
      : [
          ["MinValue", type, () => low],
          ["MaxValue", type, () => high],
        ];
  const real: [string, Type, () => unknown][] =
    name === "Double" || name === "Single"
      ? [
          ["NaN", type, () => Number.NaN],
          ["PositiveInfinity", type, () => Infinity],
          ["NegativeInfinity", type, () => -Infinity],
          ["Epsilon", type, () => (name === "Double" ? Number.MIN_VALUE : 1.401298464324817e-45)],
        ]
      : [];
  const tests: MethodRow[] =
    real.length === 0
      ? []
      : [
          ["IsNaN", [type], boolean, (value: number) => Number.isNaN(value)],
          ["IsInfinity", [type], boolean, (value: number) => Math.abs(value) === Infinity],
        ];
  return { properties: propertyTable([...bounds, ...real]), methods: methodTable([parsing(name), ...tests]) };
};

const is = (name: string, kind: RegExp): MethodRow => [name, [char], boolean, (value: string) => kind.test(value)];

/** @NOTE The patterns are ours, and meet one character. */
const characters: Statics = {
  properties: propertyTable([
    ["MinValue", char, () => "\0"],
    ["MaxValue", char, () => "\uffff"],
  ]),
  methods: methodTable([
    is("IsDigit", /\p{Nd}/u),
    is("IsNumber", /\p{N}/u),
    is("IsLetter", /\p{L}/u),
    is("IsLetterOrDigit", /[\p{L}\p{Nd}]/u),
    is("IsUpper", /\p{Lu}/u),
    is("IsLower", /\p{Ll}/u),
    is("IsPunctuation", /\p{P}/u),
    is("IsSymbol", /\p{S}/u),
    is("IsControl", /\p{Cc}/u),
    is("IsWhiteSpace", /\s/u),
    ["ToUpper", [char], char, (value: string) => value.toUpperCase().charAt(0)],
    ["ToLower", [char], char, (value: string) => value.toLowerCase().charAt(0)],
  ]),
};

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
export const staticsOf = (name: string, host: HostAccess, limits: Limits): Statics => {
  switch (name) {
    case "Math":
      return math;
    case "Convert":
      return convert(host);
    case "String":
      return { properties: propertyTable([["Empty", string, () => ""]]), methods: stringStatics(limits, host) };
    case "Boolean":
      return { properties: empty, methods: methodTable([parsing("Boolean")]) };
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
        ]),
        methods: methodTable([
          parsing("DateTime"),
          ["DaysInMonth", [int32, int32], int32, daysInMonth],
          ["IsLeapYear", [int32], boolean, (year: number) => daysInMonth(year, 2) === 29],
        ]),
      };
    case "TimeSpan":
      return {
        properties: propertyTable([["Zero", timeSpan, () => TimeSpan.of(0)]]),
        methods: methodTable([
          parsing("TimeSpan"),
          spanFrom("Days", 86_400_000),
          spanFrom("Hours", 3_600_000),
          spanFrom("Minutes", 60_000),
          spanFrom("Seconds", 1000),
          spanFrom("Milliseconds", 1),
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
        ]),
      };
    case "TimeOnly":
      return {
        properties: propertyTable([["MinValue", scalar("TimeOnly"), () => TimeOnly.of(0)]]),
        methods: methodTable([
          parsing("TimeOnly"),
          ["FromDateTime", [dateTime], scalar("TimeOnly"), (date: DateTime) => TimeOnly.of(date.ms - date.date().ms)],
        ]),
      };
    case "Uri":
      return {
        properties: empty,
        methods: methodTable([
          ["EscapeDataString", [string], string, (text: string) => encodeURIComponent(text.toWellFormed())],
          ["IsWellFormedUriString", [string], boolean, (text: string) => Uri.parse(text) !== undefined],
        ]),
      };
    default:
      return isNumber(name as ScalarName)
        ? numberStatics(name as NumberName)
        : { properties: empty, methods: new Map() };
  }
};
