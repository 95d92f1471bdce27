/**
 * Numbers by .NET's format strings, in its invariant culture: `N2`, `D6`, `X`, `P0`, `E3`, and pictures like `#,##0.00`. Halves are rounded
 * away from zero, as .NET does when it writes (and not when it rounds).
 */
import { fault, type LinqError } from "../core/error.ts";
import { Decimal } from "../value/decimal.ts";
import { type FormattableNumber, groupDigits, isNegative, scaleNumber, toFixedText } from "./digits.ts";
import { picture } from "./picture.ts";

const badNumberFormat = (format: string): LinqError =>
  fault(
    "bad_format",
    `'${format.slice(0, 40)}' is not a format of this number`,
    'like "F2", "N0", "P1", "D4" and "X" (whole numbers), or "0.00"',
  );

/** `plain` is the text without a format. */
export const numberText = (value: FormattableNumber, format: string, plain: string): string => {
  const standard = /^([A-Za-z])(\d{0,2})$/.exec(format);
  if (standard === null) {
    if (/^[A-Za-z]\d*$/.test(format)) throw badNumberFormat(format);
    return hasDigits(value) ? picture(value, format) : plain;
  }
  const [, letter = "", precision = ""] = standard;
  if (!hasDigits(value)) return plain;
  const digits = precision === "" ? undefined : Number(precision);
  const sign = isNegative(value) ? "-" : "";
  switch (letter.toUpperCase()) {
    case "F":
      return sign + toFixedText(value, digits ?? 2);
    case "N":
      return sign + groupDigits(toFixedText(value, digits ?? 2));
    case "P":
      return `${sign}${groupDigits(toFixedText(scaleNumber(value, 2), digits ?? 2))} %`;
    case "C":
      return sign === ""
        ? `¤${groupDigits(toFixedText(value, digits ?? 2))}`
        : `(¤${groupDigits(toFixedText(value, digits ?? 2))})`;
    case "E":
      return exponential(value, digits ?? 6, letter);
    case "G":
      return digits === undefined || digits === 0 ? plain : general(value, digits, letter);
    case "R":
      return plain;
    case "D":
      return sign + whole(value, format, (size) => size.toString()).padStart(digits ?? 0, "0");
    case "X": {
      const text = whole(value, format, (size) => bits(value, size).toString(16)).padStart(digits ?? 0, "0");
      return letter === "X" ? text.toUpperCase() : text;
    }
    case "B":
      return whole(value, format, (size) => bits(value, size).toString(2)).padStart(digits ?? 0, "0");
    default:
      throw badNumberFormat(format);
  }
};

const hasDigits = (value: FormattableNumber): boolean => typeof value !== "number" || Number.isFinite(value);

const exponential = (value: FormattableNumber, digits: number, letter: string): string => {
  const [mantissa = "", power = "0"] = asDouble(value).toExponential(digits).split("e");
  return `${mantissa}${letter}${Number(power) < 0 ? "-" : "+"}${String(Math.abs(Number(power))).padStart(3, "0")}`;
};

const general = (value: FormattableNumber, digits: number, letter: string): string => {
  const [mantissa = "", power = "0"] = asDouble(value)
    .toExponential(digits - 1)
    .split("e");
  const exponent = Number(power);
  if (exponent >= digits || exponent < -5) {
    const tail = `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
    return `${trimmed(mantissa)}${letter === "G" ? "E" : "e"}${tail}`;
  }
  return trimmed(Number(`${mantissa}e${power}`).toFixed(Math.max(0, digits - 1 - exponent)));
};

const trimmed = (text: string): string =>
  text.includes(".") ? text.replace(/(?<!0)0+$/, "").replace(/\.$/, "") : text;

const asDouble = (value: FormattableNumber): number => Number(Decimal.is(value) ? value.text() : value);

/** The digits of a whole number's size; refuses fractions, as `D` and `X` do. */
const whole = (value: FormattableNumber, format: string, write: (size: bigint) => string): string => {
  if (Decimal.is(value) || (typeof value === "number" && !Number.isInteger(value))) throw badNumberFormat(format);
  const exact = BigInt(value);
  return write(exact < 0n ? -exact : exact);
};

/** The two's complement of a number: Int64 has 64 bits, everything smaller 32 as long as they hold it. */
const bits = (value: FormattableNumber, size: bigint): bigint => {
  if (!isNegative(value) || size === 0n) return size;
  return (typeof value === "number" && size <= 2n ** 31n ? 2n ** 32n : 2n ** 64n) - size;
};
