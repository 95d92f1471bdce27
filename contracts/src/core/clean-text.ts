/**
 * Texts from others, for people and models to read: without what can hide in them. Control characters, direction marks, zero-width
 * characters, tags and lone surrogates go; line breaks and tabs stay. Pure.
 */

/** Cc, Cf (direction, zero width, tags), lone surrogates, private use, line separators, the variation selectors of the supplement. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[\u{E0100}-\u{E01EF}]/gu;

const kept = new Set(["\n", "\t"]);

/** @param longest in characters; what is beyond goes */
export const cleanText = (text: string, longest: number): string => {
  const clean = text.replace(hidden, (found) => (kept.has(found) ? found : ""));
  return clean.length <= longest ? clean : `${clean.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/u, "")}…`;
};

/** True when nothing would be taken out. */
export const isClean = (text: string): boolean => cleanText(text, Number.MAX_SAFE_INTEGER) === text;
