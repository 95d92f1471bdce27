/** `Math`. */
import { fault } from "../core/error.ts";
import { halfToEven } from "../operator/convert.ts";
import { arithmetic } from "../operator/number.ts";
import { midpointRounding } from "../type/system-enum.ts";
import { decimal, double, enumType, int32, int64, scalar, type Type } from "../type/type.ts";
import { Decimal } from "../value/decimal.ts";
import { rowClass } from "../value/row.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { propertyTable } from "./property.ts";
import type { StaticMembers } from "./statics.ts";

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

/** As a MidpointRounding says. */
const roundedBy = (value: number, digits: number, how: number): number => {
  const even = roundTo(value, digits);
  const scale = 10 ** digits;
  switch (how) {
    case 1:
      return Math.sign(value) * (Math.round(Math.abs(value) * scale) / scale);
    case 2:
      return Math.trunc(value * scale) / scale;
    case 3:
      return Math.floor(value * scale) / scale;
    case 4:
      return Math.ceil(value * scale) / scale;
    default:
      return even;
  }
};

const copySign = (a: number, b: number): number => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a));

/** The one further from zero, or nearer to it. */
const magnitude = (a: number, b: number, sign: 1 | -1): number => {
  const order = (Math.abs(a) - Math.abs(b)) * sign;
  if (Number.isNaN(order)) return Number.NaN;
  return order === 0 ? (a * sign > b * sign ? a : b) : order > 0 ? a : b;
};

const wholeOverloads = (
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

/** A tuple's members, as .NET names them. */
const quotients = (item: Type): Type => ({
  kind: "record",
  fields: [
    { name: "Item1", type: item },
    { name: "Item2", type: item },
  ],
});
const Quotients = rowClass(["Item1", "Item2"]);

const divRem = (a: number | bigint, b: number | bigint): unknown => {
  const number = typeof a === "bigint" ? "Int64" : "Int32";
  return new Quotients(arithmetic("/", number).run(a, b), arithmetic("%", number).run(a, b));
};

const real = (name: string, run: (value: number) => number): MethodRow => [name, [double], double, run];

export const math: StaticMembers = {
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
    ...wholeOverloads(Math.floor, (value) => step(value, false)).map(([p, r, run]): MethodRow => ["Floor", p, r, run]),
    ...wholeOverloads(Math.ceil, (value) => step(value, true)).map(([p, r, run]): MethodRow => ["Ceiling", p, r, run]),
    ...wholeOverloads(Math.trunc, (value) => Decimal.of(value.truncated(), 0)).map(
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
    [
      "Round",
      [double, int32, enumType(midpointRounding)],
      double,
      (value: number, digits: number, how: number) => roundedBy(value, digits, how),
    ],
    ["Round", [double, enumType(midpointRounding)], double, (value: number, how: number) => roundedBy(value, 0, how)],
    ["CopySign", [double, double], double, (a: number, b: number) => copySign(a, b)],
    ["ScaleB", [double, int32], double, (value: number, power: number) => value * 2 ** power],
    ["MaxMagnitude", [double, double], double, (a: number, b: number) => magnitude(a, b, 1)],
    ["MinMagnitude", [double, double], double, (a: number, b: number) => magnitude(a, b, -1)],
    ["FusedMultiplyAdd", [double, double, double], double, (a: number, b: number, c: number) => a * b + c],
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
    real("Sinh", Math.sinh),
    real("Cosh", Math.cosh),
    real("Tanh", Math.tanh),
    real("Asinh", Math.asinh),
    real("Acosh", Math.acosh),
    real("Atanh", Math.atanh),
    ["IEEERemainder", [double, double], double, (a: number, b: number) => a - b * halfToEven(a / b)],
    ...[int32, int64].map((type): MethodRow => ["DivRem", [type, type], quotients(type), divRem]),
    ["BigMul", [int32, int32], int64, (a: number, b: number) => BigInt(a) * BigInt(b)],
  ]),
};
