/**
 * Zod schemas that accept what models get slightly wrong: numbers as texts, a single string for a list, synonyms for words of a
 * closed set. What they cannot fix stays an error with its path.
 */

import * as z from "zod";
import { limits } from "./limits.ts";
import { cutEnd } from "./text.ts";

/** `" 12 "` and `"85%"` are numbers. */
const toNumber = (value: unknown): unknown => {
  if (typeof value !== "string") return value;
  const digits = value.trim().replace(/%$/, "");
  return digits !== "" && Number.isFinite(Number(digits)) ? Number(digits) : value;
};

/** A finite number; text is accepted. */
export const number = z.preprocess(toNumber, z.number());

/** A finite number, moved to the nearest bound. */
export const clamped = (low: number, high: number) => number.transform((value) => Math.min(high, Math.max(low, value)));

/** A whole number that is not negative; text is accepted, fractions are rounded. */
export const count = number.pipe(z.number().min(0).max(1e9)).transform(Math.round);

/** A boolean; words such as `yes` and the numbers 0 and 1 are accepted. */
export const boolean = z.preprocess((value) => {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return value;
  const word = value.trim().toLowerCase();
  if (["true", "yes", "on", "pass", "passed", "ok", "success", "1"].includes(word)) return true;
  return ["false", "no", "off", "fail", "failed", "error", "0"].includes(word) ? false : value;
}, z.boolean());

/** A text cut to a length. */
export const text = (length: number) => z.string().transform((value) => cutEnd(value, length));

/** A text that is not blank. */
export const requiredText = (length: number) => text(length).pipe(z.string().trim().min(1));

/** A list of texts: a single text is a list of one, items that are no text are dropped, the rest beyond 400 is cut. */
export const texts = (length: number) =>
  z.preprocess(
    (value) => (typeof value === "string" ? [value] : (value ?? [])),
    z.array(z.unknown()).transform((items) =>
      items
        .filter((item) => typeof item === "string")
        .filter((item) => item.trim() !== "")
        .slice(0, limits.strings)
        .map((item) => cutEnd(item, length)),
    ),
  );

/** One word of a closed set, read without case, spaces as dashes, after its synonyms. */
export const word = <const W extends string>(words: readonly W[], synonyms: Readonly<Record<string, W>>) =>
  z.preprocess((value) => {
    if (typeof value !== "string") return value;
    const plain = value
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, "-");
    return Object.hasOwn(synonyms, plain) ? synonyms[plain] : plain;
  }, z.enum(words));
