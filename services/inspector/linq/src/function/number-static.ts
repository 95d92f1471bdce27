/** Static members of the number types. */
import { badFormat, parseScalar } from "../operator/convert.ts";
import { boolean, decimal, int32, type NumberName, type ScalarName, scalar, string, type Type } from "../type/type.ts";
import { Decimal } from "../value/decimal.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { propertyTable } from "./property.ts";
import type { StaticMembers } from "./statics.ts";

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

/** `T.Parse(text)`. */
export const parsing = (name: ScalarName): MethodRow => [
  "Parse",
  [string],
  scalar(name),
  (text: string | null) => (text === null ? badFormat(name) : (parseScalar(text, name) ?? badFormat(name))),
];

export const numberStatics = (name: NumberName): StaticMembers => {
  const type = scalar(name);
  const [low, high] = extremes[name] ?? [undefined, undefined];
  const bounds: [string, Type, () => unknown][] =
    low === undefined
      ? []
      : [
          ["MinValue", type, () => low],
          ["MaxValue", type, () => high],
        ];
  const whole: [string, Type, () => unknown][] =
    name === "Decimal"
      ? [
          ["Zero", type, () => Decimal.of(0n, 0)],
          ["One", type, () => Decimal.of(1n, 0)],
          ["MinusOne", type, () => Decimal.of(-1n, 0)],
        ]
      : [];
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
          ["IsFinite", [type], boolean, (value: number) => Number.isFinite(value)],
          ["IsPositiveInfinity", [type], boolean, (value: number) => value === Infinity],
          ["IsNegativeInfinity", [type], boolean, (value: number) => value === -Infinity],
          ["IsNegative", [type], boolean, (value: number) => value < 0 || Object.is(value, -0)],
          ["IsInteger", [type], boolean, (value: number) => Number.isInteger(value)],
          ["IsInfinity", [type], boolean, (value: number) => Math.abs(value) === Infinity],
        ];
  return {
    properties: propertyTable([...bounds, ...whole, ...real]),
    methods: methodTable([parsing(name), ...tests, ...(name === "Decimal" ? decimals : [])]),
  };
};

const pair = (name: string, run: (a: Decimal, b: Decimal) => unknown): MethodRow => [
  name,
  [decimal, decimal],
  decimal,
  run,
];

const decimals: readonly MethodRow[] = [
  pair("Add", (a, b) => a.plus(b)),
  pair("Subtract", (a, b) => a.minus(b)),
  pair("Multiply", (a, b) => a.times(b)),
  pair("Divide", (a, b) => a.over(b)),
  pair("Remainder", (a, b) => a.modulo(b)),
  ["Negate", [decimal], decimal, (value: Decimal) => value.negated()],
  ["Compare", [decimal, decimal], int32, (a: Decimal, b: Decimal) => a.compare(b)],
  ["Truncate", [decimal], decimal, (value: Decimal) => Decimal.of(value.truncated(), 0)],
  [
    "Round",
    [decimal, int32],
    decimal,
    (value: Decimal, digits?: number) => value.rounded(digits ?? 0),
    { required: 1 },
  ],
];
