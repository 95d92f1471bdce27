/**
 * Operators on values whose type is only known when they are there: undeclared data. Numbers are doubles; null makes arithmetic
 * null and order false; objects are never coerced.
 */

import { fault } from "../core/error.ts";
import { type Operation, operation, type SourceEmitter } from "../core/operation.ts";
import { named, portable } from "../core/portable.ts";
import type { HostAccess } from "../type/host.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue } from "../value/enum.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { compareDynamic, describeKind, equalDynamic, normalizeValue } from "./compare.ts";
import { numberTo, parseScalar } from "./convert.ts";
import { type Arithmetic, arithmetic, type Bitwise } from "./number.ts";
import { showDynamic } from "./text.ts";

export type OrderRelation = "<" | "<=" | ">" | ">=";

const numeric = (value: unknown): value is number | bigint | Decimal =>
  typeof value === "number" || typeof value === "bigint" || Decimal.is(value);

const mismatch = (sign: string, a: unknown, b: unknown): never => {
  throw fault("type_mismatch", `Operator '${sign}' can not take a ${describeKind(a)} and a ${describeKind(b)}`);
};

const reals: Readonly<Record<Arithmetic, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

/** A bigint is a long, and a whole number beside one too: nothing is lost. */
const long = (value: number | bigint): bigint | undefined => {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? value : undefined;
  return Number.isSafeInteger(value) ? BigInt(value) : undefined;
};

const numbers = (sign: Arithmetic, a: number | bigint | Decimal, b: number | bigint | Decimal): unknown => {
  if (Decimal.is(a) || Decimal.is(b))
    return arithmetic(sign, "Decimal").run(numberTo(a, "Decimal"), numberTo(b, "Decimal"));
  const [left, right] = [long(a), long(b)];
  if (left !== undefined && right !== undefined && (sign !== "/" || typeof a === typeof b))
    return arithmetic(sign, "Int64").run(left, right);
  const [x, y] = [whole(a), whole(b)];
  if (x !== undefined && y !== undefined && (isBeyondLong(a) || isBeyondLong(b))) return exactly(sign, x, y);
  return reals[sign](Number(a), Number(b));
};

const isBeyondLong = (value: number | bigint): boolean => typeof value === "bigint" && long(value) === undefined;

const whole = (value: number | bigint): bigint | undefined =>
  typeof value === "bigint" ? value : Number.isSafeInteger(value) ? BigInt(value) : undefined;

/** Bits beyond which a number is refused rather than made. */
const mostBits = 1 << 18;

/** Arithmetic of whole numbers of more than 64 bits: nothing is lost, and `/` is that of whole numbers. */
const exactly = (sign: Arithmetic, x: bigint, y: bigint): unknown => {
  if (BigInt.asIntN(mostBits, x) !== x || BigInt.asIntN(mostBits, y) !== y)
    throw fault("overflow", `The number has more than ${mostBits} bits`, "divide it first");
  switch (sign) {
    case "+":
      return x + y;
    case "-":
      return x - y;
    case "*":
      return x * y;
    case "/":
      return y === 0n ? arithmetic(sign, "Int64").run(1n, y) : x / y;
    case "%":
      return y === 0n ? arithmetic(sign, "Int64").run(1n, y) : x % y;
  }
};

const times = (sign: Arithmetic, a: unknown, b: unknown): unknown => {
  if (DateTime.is(a) && TimeSpan.is(b) && sign !== "*" && sign !== "/" && sign !== "%")
    return a.plus(sign === "+" ? b.ms : -b.ms);
  if (DateTime.is(a) && DateTime.is(b) && sign === "-") return TimeSpan.of(a.ms - b.ms);
  if (TimeSpan.is(a) && TimeSpan.is(b) && (sign === "+" || sign === "-"))
    return TimeSpan.of(sign === "+" ? a.ms + b.ms : a.ms - b.ms);
  return mismatch(sign, a, b);
};

/** A string made costs what it takes to copy it. */
export const textCost = (...operands: readonly unknown[]): number =>
  operands.reduce<number>((sum, operand) => sum + (typeof operand === "string" ? operand.length >> 4 : 0), 0);

/** `+ - * / %` on anything; `+` concatenates when a side is text. `joined` makes the text, within limits. */
export const dynamicArithmetic = portable(
  "dynamicArithmetic",
  (sign: Arithmetic, host: HostAccess, joined: (a: string, b: string) => string): Operation => {
    const slow = (left: unknown, right: unknown): unknown => {
      const a = normalizeValue(left, host);
      const b = normalizeValue(right, host);
      if (sign === "+" && (typeof a === "string" || typeof b === "string"))
        return joined(showDynamic(a, host), showDynamic(b, host));
      if (a === null || b === null) return null;
      if (EnumValue.is(a) && numeric(b)) return new EnumValue(a.definition, Number(numbers(sign, a.value, b)));
      return numeric(a) && numeric(b) ? numbers(sign, a, b) : times(sign, a, b);
    };
    const fast = reals[sign];
    const made = operation(
      `dynamic${sign}`,
      (a, b) => (typeof a === "number" && typeof b === "number" ? fast(a, b) : slow(a, b)),
      (code, a = "", b = "") => onNumbers(code, { a, b, fast: (x, y) => `${x} ${sign} ${y}` }),
    );
    return sign === "+" ? { ...made, cost: textCost } : made;
  },
);

/** `(both numbers ? fast : slow)`, with the operands evaluated once. */
const onNumbers = (
  code: SourceEmitter,
  {
    a,
    b,
    fast,
  }: {
    readonly a: string;
    readonly b: string;
    readonly fast: (x: string, y: string) => string;
  },
): string => {
  const x = code.temporary();
  const literal = /^-?[0-9.]+$/.test(b);
  const y = literal ? b : code.temporary();
  const test = literal ? `typeof ${x} === "number"` : `typeof ${x} === "number" && typeof ${y} === "number"`;
  const take = literal ? `${x} = ${a}` : `${x} = ${a}, ${y} = ${b}`;
  return `(${take}, ${test} ? ${fast(x, y)} : ${code.run}(${x}, ${y}))`;
};

const holds: Readonly<Record<OrderRelation, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

const relations: Readonly<Record<OrderRelation, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

export const dynamicRelation = portable("dynamicRelation", (sign: OrderRelation, host: HostAccess): Operation => {
  const test = holds[sign];
  const fast = relations[sign];
  const slow = (a: unknown, b: unknown): boolean =>
    a !== null && a !== undefined && b !== null && b !== undefined && test(compareDynamic(a, b, host));
  const made = operation(
    `dynamic${sign}`,
    (a, b) => (typeof a === "number" && typeof b === "number" ? fast(a, b) : slow(a, b)),
    (code, a = "", b = "") => onNumbers(code, { a, b, fast: (x, y) => `${x} ${sign} ${y}` }),
  );
  return { ...made, native: { of: "number", sign } };
});

/** `==` of anything with anything. */
export const dynamicEquality = portable("dynamicEquality", (host: HostAccess): Operation => {
  const slow = (a: unknown, b: unknown): boolean => equalDynamic(a, b, host);
  const made = operation(
    "dynamic==",
    (a, b) => (typeof a === "number" && typeof b === "number" ? a === b : slow(a, b)),
    (code, a = "", b = "") => onNumbers(code, { a, b, fast: (x, y) => `${x} === ${y}` }),
  );
  return { ...made, native: { of: "number", sign: "===" } };
});

/** `==` with a text literal, which is read as the other side's type: `1 == "1"`. */
export const equalsLiteral = portable("equalsLiteral", (text: string, host: HostAccess): Operation => {
  const number = parseScalar(text, "Double");
  const truth = parseScalar(text, "Boolean");
  const slow = (value: unknown): boolean => {
    if (typeof value === "number") return value === number;
    if (typeof value === "boolean") return value === truth;
    return equalDynamic(value, text, host);
  };
  const made = operation(
    "dynamic==literal",
    (value) => (typeof value === "string" ? value === text : slow(value)),
    (code, value = "", literal = "") => {
      const x = code.temporary();
      return `(${x} = ${value}, typeof ${x} === "string" ? ${x} === ${literal} : ${code.run}(${x}))`;
    },
  );
  return { ...made, native: { of: "string", sign: "===" } };
});

/** A dynamic value where a Boolean is needed: null counts as false, anything else but a Boolean is an error. */
const truth = (value: unknown): boolean => {
  if (value === true) return true;
  if (value === false || value === null || value === undefined) return false;
  throw fault(
    "type_mismatch",
    `A ${describeKind(value)} is not a Boolean`,
    "compare it with something: `x != null`, `x > 0`",
  );
};

export const dynamicTruth: Operation = named("dynamicTruth", {
  ...operation("truth", truth, (code, value = "") => {
    const x = code.temporary();
    return `((${x} = ${value}) === true || (${x} !== false && ${code.run}(${x})))`;
  }),
  native: { of: "boolean" },
});

/** `& | << >>` on whole numbers and `& |` on Booleans; `&` concatenates when a side is text. */
export const dynamicBitwise = portable(
  "dynamicBitwise",
  (sign: Bitwise, host: HostAccess, joined: (a: string, b: string) => string): Operation =>
    operation(`dynamic${sign}`, (left, right) => {
      const a = normalizeValue(left, host);
      const b = normalizeValue(right, host);
      if (sign === "&" && (typeof a === "string" || typeof b === "string"))
        return joined(showDynamic(a, host), showDynamic(b, host));
      if (a === null || b === null) return null;
      if (typeof a === "boolean" && typeof b === "boolean" && sign === "&") return a && b;
      if (typeof a === "boolean" && typeof b === "boolean" && sign === "|") return a || b;
      const x = wholeNumber(a);
      const y = wholeNumber(b);
      if (x === undefined || y === undefined) return mismatch(sign, a, b);
      const result = BigInt.asIntN(64, shiftOrMask(sign, x, y));
      return typeof a === "bigint" || typeof b === "bigint" ? result : Number(result);
    }),
);

const shiftOrMask = (sign: Bitwise, x: bigint, y: bigint): bigint => {
  switch (sign) {
    case "&":
      return x & y;
    case "|":
      return x | y;
    case "<<":
      return x << (y & 63n);
    case ">>":
      return x >> (y & 63n);
  }
};

const wholeNumber = (value: unknown): bigint | undefined => {
  if (typeof value === "bigint") return value;
  if (EnumValue.is(value)) return BigInt(value.value);
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
};

export const dynamicNegation = portable(
  "dynamicNegation",
  (host: HostAccess): Operation =>
    operation("dynamic-", (given) => {
      const value = normalizeValue(given, host);
      if (value === null) return null;
      if (typeof value === "number" || typeof value === "bigint") return -value;
      if (Decimal.is(value)) return value.negated();
      if (TimeSpan.is(value)) return TimeSpan.of(-value.ms);
      throw fault("type_mismatch", `Operator '-' can not take a ${describeKind(value)}`);
    }),
);
