/** Small functions on texts for messages and names: numbers with their noun, texts cut to a length, slugs. */

/** A number with its noun, for messages: `1 ticket`, `2 tickets`. */
export const quantity = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Cuts a text to a number of characters and says so. */
export const cutEnd = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 14)}\n[cut off here]`.slice(0, length);

/** Keeps the last characters of a text and says so. */
export const cutStart = (text: string, length: number): string =>
  text.length <= length ? text : `[cut off here]\n${text.slice(text.length - length + 15)}`;

/** Lower-case letters, digits and dashes. */
export const slug = (text: string, length: number): string =>
  text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, length)
    .replace(/-$/, "") || "x";
