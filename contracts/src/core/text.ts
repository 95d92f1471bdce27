/**
 * Texts for people and models to read. Those from others lose what can hide in them: control characters, direction marks, zero-width
 * characters, tags and lone surrogates go; line breaks and tabs stay. And how places are written: in an
 * input, in every issue of every wire, and in a module that fails to load, as Node's stacks have it. Pure.
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

const longestPath = 200;
const longestKey = 80;

/** `game.npcs[0].ac`; a key that is not an identifier is quoted: `game["two words"]`. */
export const pathText = (parts: Iterable<PropertyKey>): string => {
  let text = "";
  for (const part of parts) {
    if (text.length > longestPath) break;
    const key = String(part);
    if (typeof part === "number") text += `[${part}]`;
    else if (!/^[A-Za-z_$][\w$]*$/.test(key)) text += `[${JSON.stringify(clip(key, longestKey))}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return clip(text, longestPath);
};

/** The text in at most `length` characters, with an ellipsis where it was cut. */
export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;

const unresolved = /^ERR_(?:MODULE_NOT_FOUND|PACKAGE_|UNSUPPORTED_DIR|INVALID_MODULE|INVALID_PACKAGE)/;

/** This folder's code only finds mistakes, it does not make them. */
const here = new URL(".", import.meta.url).href;

/** The place of a syntax error, a missing export or a throw; `undefined` when the stack does not say, or no module was found. */
export const faultPlace = (error: unknown): string | undefined => {
  // The stack of an unresolved module is its importer's.
  if (error instanceof Error && "code" in error && unresolved.test(String(error.code))) return undefined;
  const stack = error instanceof Error && typeof error.stack === "string" ? error.stack : "";
  const [heading = ""] = stack.split("\n");
  const headed = /^(?:file:\/\/)?((?:\/|[A-Za-z]:[\\/]).*:\d+)$/.exec(heading)?.[1];
  if (headed !== undefined) return withoutQuery(headed);
  for (const frame of stack.split("\n")) {
    const [, address, line] = placed.exec(frame.slice(Math.max(0, frame.indexOf("file://")))) ?? [];
    if (address === undefined || address.includes("/node_modules/") || address.startsWith(here)) continue;
    return withoutQuery(`${decodeURIComponent(address.slice("file://".length))}:${line}`);
  }
  return undefined;
};

/** A module that was imported again has a query in its address. */
const withoutQuery = (place: string): string => place.replace(/\?[a-z]+=\d+(?=:\d+$)/, "");

const placed = /^(file:\/\/[^\s)]+):(\d{1,9}):\d{1,9}\)?$/;

/** An argument in a prompt's text, like {place}. */
export const promptPlace = /\{([A-Za-z]\w*)\}/g;
