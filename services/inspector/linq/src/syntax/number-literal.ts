/** The text of a number literal to its type and canonical digits. */

import { LinqError } from "../core/error.ts";
import { type NumberNode, type NumberType, node } from "./ast.ts";

const int32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;
const uint32 = [0n, 2n ** 32n - 1n] as const;
const int64 = [-(2n ** 63n), 2n ** 63n - 1n] as const;
const uint64 = [0n, 2n ** 64n - 1n] as const;

const ranges: readonly (readonly [NumberType, readonly [bigint, bigint]])[] = [
  ["Int32", int32],
  ["UInt32", uint32],
  ["Int64", int64],
  ["UInt64", uint64],
];

/** Whole numbers without a suffix become the smallest of Int32, UInt32, Int64, UInt64 that holds them. */
export const numberLiteral = (written: string, negative: boolean, at: number): NumberNode => {
  const prefixed = /^0[xXbB]/.test(written);
  const suffix = prefixed
    ? (/(?<![UL])[UL]+$/.exec(written)?.[0] ?? "")
    : (/(?<![ULfFdDmM])[ULfFdDmM]+$/.exec(written)?.[0] ?? "");
  const digits = written.slice(0, written.length - suffix.length);
  const sign = negative ? "-" : "";
  const realType = reals[suffix.toLowerCase()];
  if (realType !== undefined) return node({ kind: "number", at, type: realType, text: `${sign}${digits}` });
  if (/[.eE]/.test(digits) && !prefixed) return real(`${sign}${digits}`, at);
  const value = negative ? -BigInt(digits) : BigInt(digits);
  for (const [type, [low, high]] of ranges) {
    if (!fitsSuffix(type, suffix) || value < low || value > high) continue;
    return node({ kind: "number", at, type, text: String(value) });
  }
  throw new LinqError("bad_number", `Invalid integer literal '${sign}${written}'`, {
    position: at,
    length: written.length + sign.length,
    hint: "it is too large for 64 bits, or negative with an unsigned suffix; write a decimal point for a double",
  });
};

const reals: Readonly<Record<string, NumberType>> = { f: "Single", d: "Double", m: "Decimal" };

const real = (text: string, at: number): NumberNode => {
  if (Number.isFinite(Number(text))) return node({ kind: "number", at, type: "Double", text });
  throw new LinqError("bad_number", "Invalid real literal: it is too large for a double", {
    position: at,
    length: text.length,
  });
};

const fitsSuffix = (type: NumberType, suffix: string): boolean => {
  if (suffix === "") return true;
  if (suffix === "U") return type === "UInt32" || type === "UInt64";
  if (suffix === "L") return type === "Int64";
  return type === "UInt64";
};

/** The suffix that makes the parser give the same type again. */
export const numberSuffix = (type: NumberType, text: string): string => {
  switch (type) {
    case "Int32":
      return "";
    case "UInt32":
      return "U";
    case "Int64":
      return "L";
    case "UInt64":
      return "UL";
    case "Single":
      return "f";
    case "Decimal":
      return "m";
    case "Double":
      return /[.eE]/.test(text) ? "" : "d";
  }
};
