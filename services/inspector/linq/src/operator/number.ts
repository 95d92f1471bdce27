/**
 * Arithmetic of declared and literal numbers, as C# does it unchecked: whole numbers wrap, whole division drops the fraction,
 * doubles follow IEEE 754, decimals are exact.
 *
 * Values: up to 32 bits, Single and Double are numbers; Int64 and UInt64 are bigints; Decimal is our class.
 */

import { fault } from "../core/error.ts";
import { type Operation, operation } from "../core/operation.ts";
import { portable } from "../core/portable.ts";
import type { NumberName } from "../type/type.ts";
import type { Decimal } from "../value/decimal.ts";

export type Arithmetic = "+" | "-" | "*" | "/" | "%";

const zero = (): never => {
  throw fault("divide_by_zero", "Attempted to divide by zero", "test the divisor first: `d == 0 ? null : n / d`");
};

type ArithmeticTable<T> = Readonly<Record<Arithmetic, (a: T, b: T) => T>>;

const int: ArithmeticTable<number> = {
  "+": (a, b) => (a + b) | 0,
  "-": (a, b) => (a - b) | 0,
  "*": (a, b) => Math.imul(a, b),
  "/": (a, b) => (b === 0 ? zero() : (a / b) | 0),
  "%": (a, b) => (b === 0 ? zero() : (a % b) | 0),
};
const uint: ArithmeticTable<number> = {
  "+": (a, b) => (a + b) >>> 0,
  "-": (a, b) => (a - b) >>> 0,
  "*": (a, b) => Math.imul(a, b) >>> 0,
  "/": (a, b) => (b === 0 ? zero() : (a / b) >>> 0),
  "%": (a, b) => (b === 0 ? zero() : a % b),
};
const big = (wrap: (value: bigint) => bigint): ArithmeticTable<bigint> => ({
  "+": (a, b) => wrap(a + b),
  "-": (a, b) => wrap(a - b),
  "*": (a, b) => wrap(a * b),
  "/": (a, b) => (b === 0n ? zero() : wrap(a / b)),
  "%": (a, b) => (b === 0n ? zero() : wrap(a % b)),
});
const single: ArithmeticTable<number> = {
  "+": (a, b) => Math.fround(a + b),
  "-": (a, b) => Math.fround(a - b),
  "*": (a, b) => Math.fround(a * b),
  "/": (a, b) => Math.fround(a / b),
  "%": (a, b) => Math.fround(a % b),
};
const real: ArithmeticTable<number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};
const exact: ArithmeticTable<Decimal> = {
  "+": (a, b) => a.plus(b),
  "-": (a, b) => a.minus(b),
  "*": (a, b) => a.times(b),
  "/": (a, b) => a.over(b),
  "%": (a, b) => a.modulo(b),
};

const int64 = big((value) => BigInt.asIntN(64, value));
const uint64 = big((value) => BigInt.asUintN(64, value));

/** The arithmetic of a promoted type: never a type narrower than Int32. */
export const arithmetic = portable("arithmetic", (sign: Arithmetic, type: NumberName): Operation => {
  const name = `${type}${sign}`;
  switch (type) {
    case "Int64":
      return operation(name, int64[sign]);
    case "UInt64":
      return operation(name, uint64[sign]);
    case "Decimal":
      return operation(name, exact[sign]);
    case "UInt32":
      return operation(name, uint[sign]);
    case "Single":
      return operation(name, single[sign], (_, a = "", b = "") => `Math.fround(${a} ${sign} ${b})`);
    case "Double":
      return operation(name, real[sign], (_, a = "", b = "") => `(${a} ${sign} ${b})`);
    default:
      return operation(name, int[sign], (code, a = "", b = "") =>
        sign === "+" || sign === "-" ? `((${a} ${sign} ${b}) | 0)` : `${code.run}(${a}, ${b})`,
      );
  }
});

export const negation = portable("negation", (type: NumberName): Operation => {
  switch (type) {
    case "Int64":
    case "UInt64":
      return operation("-Int64", (a: bigint) => BigInt.asIntN(64, -a));
    case "Decimal":
      return operation("-Decimal", (a: Decimal) => a.negated());
    case "Single":
    case "Double":
      return operation(
        "-Double",
        (a: number) => -a,
        (_, a = "") => `(-${a})`,
      );
    default:
      return operation("-Int32", (a: number) => -a | 0);
  }
});

export type Bitwise = "&" | "|" | "<<" | ">>";

const bits: Readonly<Record<Bitwise, (a: number, b: number) => number>> = {
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
};
const wide: Readonly<Record<Bitwise, (a: bigint, b: bigint) => bigint>> = {
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "<<": (a, b) => a << (b & 63n),
  ">>": (a, b) => a >> (b & 63n),
};

/** Bit operations on a promoted whole type. A shift's right side is an Int32, masked as C# does. */
export const bitwise = portable("bitwise", (sign: Bitwise, type: NumberName): Operation => {
  const name = `${type}${sign}`;
  if (type === "Int64" || type === "UInt64") {
    const wrap = type === "Int64" ? BigInt.asIntN : BigInt.asUintN;
    return operation(name, (a: bigint, b: bigint | number) => wrap(64, wide[sign](a, BigInt(b))));
  }
  if (type === "UInt32")
    return operation(name, (a: number, b: number) => (sign === ">>" ? a >>> b : bits[sign](a, b) >>> 0));
  return operation(name, bits[sign], (_, a = "", b = "") => `(${a} ${sign} ${b})`);
});

const signed: readonly NumberName[] = ["SByte", "Int16", "Int32", "Int64"];

/** The type in which two number types meet; undefined where C# refuses (decimal with double, ulong with signed). */
export const promoted = (a: NumberName, b: NumberName): NumberName | undefined => {
  const has = (name: NumberName): boolean => a === name || b === name;
  const real = has("Single") || has("Double");
  if (has("Decimal")) return real ? undefined : "Decimal";
  if (has("Double")) return "Double";
  if (has("Single")) return "Single";
  const anySigned = signed.includes(a) || signed.includes(b);
  if (has("UInt64")) return anySigned ? undefined : "UInt64";
  if (has("Int64")) return "Int64";
  if (has("UInt32")) return anySigned ? "Int64" : "UInt32";
  return "Int32";
};
