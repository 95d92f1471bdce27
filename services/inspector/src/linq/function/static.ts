/** Static members: `Math`, `Convert`, and those of the predefined types (`int.MaxValue`, `DateTime.Now`, `double.IsNaN`). */
import { fault } from "../error.ts";
import type { HostAccess } from "../host.ts";
import type { Limits } from "../limits.ts";
import { badFormat, halfToEven, numberTo, parseScalar } from "../operator/convert.ts";
import { showDynamic } from "../operator/text.ts";
import {
  boolean,
  char,
  dateTime,
  decimal,
  double,
  dynamic,
  int32,
  int64,
  type NumberName,
  type ScalarName,
  scalar,
  string,
  type Type,
  timeSpan,
} from "../type.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { type MethodRow, type MethodTable, methodTable } from "./method.ts";
import { stringStatics } from "./string.ts";
import { type PropertyTable, propertyTable } from "./time.ts";

export interface Statics {
  readonly properties: PropertyTable;
  readonly methods: MethodTable;
}

const empty: PropertyTable = new Map();
const single = scalar("Single");

/** One row for each number type that a function of Math takes. */
const overloads = (
  name: string,
  types: readonly Type[],
  count: number,
  run: (...values: readonly (number | bigint | Decimal)[]) => unknown,
): readonly MethodRow[] => types.map((type): MethodRow => [name, Array.from({ length: count }, () => type), type, run]);

const ordered = [int32, int64, single, double, decimal];

const less = (a: number | bigint | Decimal, b: number | bigint | Decimal): boolean =>
  Decimal.is(a) || Decimal.is(b) ? Decimal.is(a) && Decimal.is(b) && a.compare(b) < 0 : a < b;

const absolute = (value: number | bigint | Decimal): number | bigint | Decimal => {
  if (typeof value === "number") return Math.abs(value);
  if (typeof value === "bigint") return value < 0n ? -value : value;
  return value.compare(Decimal.of(0n, 0)) < 0 ? value.negated() : value;
};

const pick = (wantLess: boolean) => (a: number | bigint | Decimal, b: number | bigint | Decimal) =>
  typeof a === "number" && Number.isNaN(a) ? a : less(a, b) === wantLess ? a : b;

/** Half to even at some digit, on the shortest decimal form, as .NET does for few digits. */
const roundTo = (value: number, digits: number): number => {
  if (digits < 0 || digits > 15) throw fault("out_of_range", "Rounding digits must be between 0 and 15");
  if (!Number.isFinite(value) || Math.abs(value) > 1e15) return value;
  const scale = 10 ** digits;
  return halfToEven(value * scale) / scale;
};

const wholeOf = (
  how: (value: number) => number,
  exact: (value: Decimal) => Decimal,
): readonly [MethodRow[1], MethodRow[2], MethodRow[3]][] => [
  [[double], double, (value: number) => how(value)],
  [[decimal], decimal, (value: Decimal) => exact(value)],
];

const step = (value: Decimal, up: boolean): Decimal => {
  const cut = Decimal.of(value.truncated(), 0);
  const order = value.compare(cut);
  if (order === 0 || order > 0 !== up) return cut;
  return cut.plus(Decimal.of(up ? 1n : -1n, 0));
};

const real = (name: string, run: (value: number) => number): MethodRow => [name, [double], double, run];

const math: Statics = {
  properties: propertyTable([
    ["PI", double, () => Math.PI],
    ["E", double, () => Math.E],
    ["Tau", double, () => 2 * Math.PI],
  ]),
  methods: methodTable([
    ...overloads("Abs", ordered, 1, (value = 0) => absolute(value)),
    ...overloads("Max", ordered, 2, (a = 0, b = 0) => pick(false)(a, b)),
    ...overloads("Min", ordered, 2, (a = 0, b = 0) => pick(true)(a, b)),
    ...overloads("Clamp", ordered, 3, (value = 0, low = 0, high = 0) =>
      less(value, low) ? low : less(high, value) ? high : value,
    ),
    ...wholeOf(Math.floor, (value) => step(value, false)).map(([p, r, run]): MethodRow => ["Floor", p, r, run]),
    ...wholeOf(Math.ceil, (value) => step(value, true)).map(([p, r, run]): MethodRow => ["Ceiling", p, r, run]),
    ...wholeOf(Math.trunc, (value) => Decimal.of(value.truncated(), 0)).map(
      ([p, r, run]): MethodRow => ["Truncate", p, r, run],
    ),
    [
      "Round",
      [double, int32],
      double,
      (value: number, digits?: number) => roundTo(value, digits ?? 0),
      { required: 1 },
    ],
    [
      "Round",
      [decimal, int32],
      decimal,
      (value: Decimal, digits?: number) => value.rounded(digits ?? 0),
      { required: 1 },
    ],
    ...[int32, int64, double].map(
      (type): MethodRow => ["Sign", [type], int32, (value: number | bigint) => (value > 0 ? 1 : value < 0 ? -1 : 0)],
    ),
    ["Pow", [double, double], double, (a: number, b: number) => a ** b],
    ["Atan2", [double, double], double, (a: number, b: number) => Math.atan2(a, b)],
    [
      "Log",
      [double, double],
      double,
      (a: number, base?: number) => (base === undefined ? Math.log(a) : Math.log(a) / Math.log(base)),
      { required: 1 },
    ],
    real("Sqrt", Math.sqrt),
    real("Cbrt", Math.cbrt),
    real("Exp", Math.exp),
    real("Log10", Math.log10),
    real("Log2", Math.log2),
    real("Sin", Math.sin),
    real("Cos", Math.cos),
    real("Tan", Math.tan),
    real("Asin", Math.asin),
    real("Acos", Math.acos),
    real("Atan", Math.atan),
  ]),
};

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
  if (to === "DateTime" && DateTime.is(value)) return value;
  if (to === "TimeSpan" && TimeSpan.is(value)) return value;
  if (to === "Guid" && Guid.is(value)) return value;
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
      return { properties: propertyTable([["Empty", string, () => ""]]), methods: stringStatics(limits) };
    case "Boolean":
      return { properties: empty, methods: methodTable([parsing("Boolean")]) };
    case "Char":
      return {
        properties: empty,
        methods: methodTable([
          ["IsDigit", [char], boolean, (value: string) => /\p{Nd}/u.test(value)],
          ["IsLetter", [char], boolean, (value: string) => /\p{L}/u.test(value)],
          ["IsUpper", [char], boolean, (value: string) => /\p{Lu}/u.test(value)],
          ["IsLower", [char], boolean, (value: string) => /\p{Ll}/u.test(value)],
          ["IsWhiteSpace", [char], boolean, (value: string) => value.trim() === ""],
          ["ToUpper", [char], char, (value: string) => value.toUpperCase().charAt(0)],
          ["ToLower", [char], char, (value: string) => value.toLowerCase().charAt(0)],
        ]),
      };
    case "DateTime":
      return {
        properties: propertyTable([
          ["Now", dateTime, () => now(host)],
          ["UtcNow", dateTime, () => now(host)],
          ["Today", dateTime, () => now(host).date()],
          ["MinValue", dateTime, () => DateTime.fromParts([1, 1, 1])],
          ["MaxValue", dateTime, () => DateTime.fromParts([9999, 12, 31, 23, 59, 59, 999])],
        ]),
        methods: methodTable([parsing("DateTime")]),
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
    default:
      return isNumber(name as ScalarName)
        ? numberStatics(name as NumberName)
        : { properties: empty, methods: new Map() };
  }
};
