/**
 * Numbers by a picture: `0` a digit, `#` a digit or nothing, `.`, `,` (thousands, or division by a thousand), `%`, `‰`, `E+00`, text in
 * quotes, `;` between signs.
 */
import { Decimal } from "../value/decimal.ts";
import { type FormattableNumber, groupDigits, isNegative, scaleNumber, toFixedText } from "./digits.ts";

interface PicturePiece {
  readonly kind: "digit" | "point" | "comma" | "exponent" | "text";
  readonly text: string;
}

/** Quoted and escaped text is text; everything unknown is text as well. */
const splitPicture = function* (format: string): Iterable<PicturePiece> {
  for (const [text] of format.matchAll(/'[^']*'?|"[^"]*"?|\\[\s\S]|[eE][+-]?0+|[\s\S]/g)) {
    if (/^[eE][+-]?0/.test(text)) yield { kind: "exponent", text };
    else if (text === "0" || text === "#") yield { kind: "digit", text };
    else if (text === ".") yield { kind: "point", text };
    else if (text === ",") yield { kind: "comma", text };
    else if (text.startsWith("\\")) yield { kind: "text", text: text.slice(1) };
    else if (/^['"]/.test(text)) yield { kind: "text", text: text.slice(1).replace(/['"]$/, "") };
    else yield { kind: "text", text };
  }
};

const splitSections = (format: string): readonly string[] => {
  const sections = [""];
  for (const [text] of format.matchAll(/'[^']*'?|"[^"]*"?|\\[\s\S]|[\s\S]/g))
    if (text === ";") sections.push("");
    else sections[sections.length - 1] += text;
  return sections;
};

export const picture = (value: FormattableNumber, format: string): string => {
  const [positive = "", negative = "", zero] = splitSections(format);
  const isBelow = isNegative(value);
  const own = isBelow && negative !== "";
  const first = written(value, own ? negative : positive);
  if (!first.isZero) return isBelow && !own ? `-${first.text}` : first.text;
  return zero === undefined ? written(0, positive).text : written(0, zero).text;
};

const mostDigits = 99;

/** The size of a number in one section. */
const written = (value: FormattableNumber, section: string): { readonly text: string; readonly isZero: boolean } => {
  const pieces = [...splitPicture(section)];
  const point = pieces.findIndex(({ kind }) => kind === "point");
  const isBefore = (index: number): boolean => point < 0 || index < point;
  const digits = pieces.flatMap(({ kind, text }, index) => (kind === "digit" ? [{ text, index }] : []));
  const before = digits.filter(({ index }) => isBefore(index));
  const after = digits.filter(({ index }) => !isBefore(index)).slice(0, mostDigits);
  const lastBefore = before.at(-1)?.index ?? -1;
  const firstBefore = before[0]?.index ?? 0;
  const commas = pieces.flatMap(({ kind }, index) => (kind === "comma" && isBefore(index) ? [index] : []));
  const isGrouped = commas.some((index) => index > firstBefore && index < lastBefore);
  const thousands = commas.filter((index) => index > lastBefore && lastBefore >= 0).length;
  const many = (sign: string): number => pieces.filter(({ kind, text }) => kind === "text" && text === sign).length;
  const size = scaleNumber(value, 2 * many("%") + 3 * many("‰") - 3 * thousands);
  const isPower = pieces.some(({ kind }) => kind === "exponent");
  const { text, power } = isPower
    ? powered(size, before.length, after.length)
    : { text: toFixedText(size, after.length), power: 0 };
  const [wholePart = "0", fraction = ""] = text.split(".");
  const isZero = !/[1-9]/.test(text);

  const firstZero = before.findIndex(({ text: sign }) => sign === "0");
  const least = firstZero < 0 ? 0 : before.length - firstZero;
  const shown = (wholePart === "0" ? "" : wholePart).padStart(least, "0");
  const lastZero = after.findLastIndex(({ text: sign }) => sign === "0");
  const kept = fraction.slice(0, Math.max(lastZero + 1, fraction.replace(/(?<!0)0+$/, "").length));

  const spread = spreadOver(isGrouped ? groupDigits(shown) : shown, before.length);
  let nextBefore = 0;
  let nextAfter = 0;
  const out = pieces.map(({ kind, text: own }, index) => {
    if (kind === "comma") return "";
    if (kind === "point") return index === point && kept !== "" ? `${before.length === 0 ? shown : ""}.` : "";
    if (kind === "exponent") return exponentText(own, power);
    if (kind === "text") return own;
    return isBefore(index) ? (spread[nextBefore++] ?? "") : (kept[nextAfter++] ?? "");
  });
  return { text: out.join(""), isZero };
};

/** A number's size with so many digits before and behind the point, and the power of ten that goes with them. */
const powered = (
  value: FormattableNumber,
  before: number,
  after: number,
): { readonly text: string; readonly power: number } => {
  const size = Math.abs(Number(Decimal.is(value) ? value.text() : value));
  const [mantissa = "0", power = "0"] = size.toExponential(Math.max(0, before + after - 1)).split("e");
  const digits = mantissa.replace(".", "");
  return {
    text: `${digits.slice(0, before) || "0"}.${digits.slice(before)}`,
    power: size === 0 ? 0 : Number(power) - before + 1,
  };
};

/** `E+00`: the sign of a power that is not negative is shown where there is a plus. */
const exponentText = (like: string, power: number): string => {
  const sign = power < 0 ? "-" : like.includes("+") ? "+" : "";
  const digits = like.length - (/[+-]/.test(like) ? 2 : 1);
  return like.charAt(0) + sign + String(Math.abs(power)).padStart(digits, "0");
};

/** Digits for each place from the right; the first place takes what is left over. A comma goes with the digit before it. */
const spreadOver = (text: string, places: number): readonly string[] => {
  const units = text.match(/\d,?/g) ?? [];
  const over = units.length - places;
  if (over <= 0) return [...Array.from({ length: -over }, () => ""), ...units];
  return [units.slice(0, over + 1).join(""), ...units.slice(over + 1)];
};
