/** `ToString(format)` and `String.Format`: which values have formats, and texts with places for values. */
import { fault, type LinqError } from "../core/error.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { Decimal } from "../value/decimal.ts";
import { EnumValue, enumName } from "../value/enum.ts";
import { Guid } from "../value/guid.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { numberText } from "./number.ts";
import { dateText, spanText } from "./time.ts";

const longest = 256;

/** A value by a format; undefined for values without formats. `plain` is its text without one. */
export const formatValue = (value: unknown, format: string, plain: string): string | undefined => {
  if (format.length > longest) throw fault("bad_format", `A format has at most ${longest} characters`);
  if (typeof value === "number" || typeof value === "bigint" || Decimal.is(value))
    return numberText(value, format, plain);
  if (DateTime.is(value)) return dateText(value.ms, format);
  if (DateOnly.is(value)) return dateText(value.midnight.ms, format);
  if (TimeOnly.is(value)) return dateText(value.ms, format);
  if (TimeSpan.is(value)) return spanText(value.ms, format, plain);
  if (EnumValue.is(value)) return enumText(value, format);
  return Guid.is(value) ? guidText(value, format) : undefined;
};

const enumText = ({ definition, value }: EnumValue, format: string): string => {
  switch (format.toUpperCase()) {
    case "G":
    case "F":
      return enumName(definition, value);
    case "D":
      return String(value);
    case "X":
      return hexadecimal(definition.underlying, value);
    default:
      throw fault("bad_format", `'${format.slice(0, 40)}' is not a format of an enum`, '"G", "D" or "X"');
  }
};

/** As many digits as the type below the enum has. */
const hexadecimal = (underlying: string, value: number): string => {
  const bytes = /^S?Byte$/.test(underlying) ? 1 : underlying.endsWith("16") ? 2 : underlying.endsWith("64") ? 8 : 4;
  return BigInt.asUintN(bytes * 8, BigInt(value))
    .toString(16)
    .toUpperCase()
    .padStart(bytes * 2, "0");
};

const guidText = ({ value }: Guid, format: string): string => {
  switch (format.toUpperCase()) {
    case "D":
      return value;
    case "N":
      return value.replaceAll("-", "");
    case "B":
      return `{${value}}`;
    case "P":
      return `(${value})`;
    case "X": {
      const digits = value.replaceAll("-", "");
      const bytes = digits.slice(16).match(/../g) ?? [];
      return `{0x${digits.slice(0, 8)},0x${digits.slice(8, 12)},0x${digits.slice(12, 16)},{${bytes.map((byte) => `0x${byte}`).join(",")}}}`;
    }
    default:
      throw fault("bad_format", `'${format.slice(0, 40)}' is not a format of a Guid`, '"D", "N", "B", "P" or "X"');
  }
};

interface CompositeInput {
  readonly values: readonly unknown[];
  readonly show: (value: unknown) => string;
  /** Most characters of the result. */
  readonly most: number;
}

const place = /\{\{|\}\}|\{(\d{1,3})(?:,\s*(-?\d{1,9})\s*)?(?::([^{}]*))?\}|[{}]/g;

/** `{0}`, `{1,8}`, `{0:N2}`; `{{` is a brace. */
export const formatComposite = (text: string, { values, show, most }: CompositeInput): string => {
  const parts: string[] = [];
  let length = 0;
  const put = (part: string, width = 0): void => {
    length += Math.max(part.length, Math.abs(width));
    if (length > most) throw fault("text_too_long", `The text would be longer than ${most} characters`);
    parts.push(width < 0 ? part.padEnd(-width) : part.padStart(width));
  };
  let done = 0;
  for (const found of text.matchAll(place)) {
    put(text.slice(done, found.index));
    done = found.index + found[0].length;
    const [whole, index, width = "0", format = ""] = found;
    if (index === undefined) put(readPlaceholder(whole));
    else if (Number(index) >= values.length) throw badText(`there is no value for ${whole}`);
    else {
      const value = values[Number(index)];
      const plain = show(value);
      put((format === "" ? undefined : formatValue(value, format, plain)) ?? plain, Number(width));
    }
  }
  put(text.slice(done));
  return parts.join("");
};

const readPlaceholder = (found: string): string => {
  if (found === "{{" || found === "}}") return found.charAt(0);
  throw badText(`'${found}' is not escaped`);
};

const badText = (why: string): LinqError =>
  fault("bad_format", `The format is wrong: ${why}`, 'like "{0} of {1:N0}"; braces are written {{ and }}');
