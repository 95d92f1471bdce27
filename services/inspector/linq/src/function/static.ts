/** Static members: `Math`, `Convert`, and those of the predefined types (`int.MaxValue`, `DateTime.Now`, `double.IsNaN`). */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { badFormat, numberTo, parseScalar } from "../operator/convert.ts";
import { showDynamic } from "../operator/text.ts";
import type { HostAccess } from "../type/host.ts";
import { dynamic, int32, int64, isNumberName, type NumberName, type ScalarName, scalar, string } from "../type/type.ts";
import { DateOnly } from "../value/calendar.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { SimpleValue } from "../value/simple.ts";
import { DateTime } from "../value/time.ts";
import { characters } from "./character.ts";
import { math } from "./math.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { numberStatics, parsing } from "./number-static.ts";
import { type PropertyTable, propertyTable } from "./property.ts";
import { regexStatics } from "./regex.ts";
import type { StaticMembers } from "./statics.ts";
import { stringStatics } from "./string-static.ts";
import { dateOnlyStatics, dateTimeStatics, timeOnlyStatics, timeSpanStatics } from "./time-static.ts";
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
    if (isNumberName(to)) return numberTo(number, to, rounding);
  }
  if (to === "DateOnly" && DateTime.is(value)) return DateOnly.of(value);
  if (SimpleValue.isSimple(value) && value.type === to) return value;
  throw fault("type_mismatch", `The value can not be converted to ${to}`);
};

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
      return dateTimeStatics(host);
    case "TimeSpan":
      return timeSpanStatics;
    case "Guid":
      return {
        properties: propertyTable([["Empty", scalar("Guid"), () => Guid.empty]]),
        methods: methodTable([parsing("Guid")]),
      };
    case "DateOnly":
      return dateOnlyStatics;
    case "TimeOnly":
      return timeOnlyStatics;
    case "Uri":
      return uriStatics(limits);
    case "Regex":
      return regexStatics(limits);
    default:
      return isNumberName(name) ? numberStatics(name) : { properties: empty, methods: new Map() };
  }
};
