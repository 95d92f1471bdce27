/** Static methods of `Uri`. */
import { fault } from "../core/error.ts";
import type { Limits } from "../core/limits.ts";
import { boolean, string } from "../type/type.ts";
import { Uri } from "../value/uri.ts";
import { methodTable } from "./method.ts";
import type { StaticMembers } from "./statics.ts";
import { needed } from "./string-search.ts";

export const uriStatics = (limits: Limits): StaticMembers => ({
  properties: new Map(),
  methods: methodTable([
    ["EscapeDataString", [string], string, (text: string | null) => escapeUri(needed(text), limits.stringLength)],
    ["UnescapeDataString", [string], string, (text: string | null) => unescapeUri(needed(text))],
    [
      "IsWellFormedUriString",
      [string],
      boolean,
      (text: string | null) => text !== null && Uri.parse(text) !== undefined,
    ],
  ]),
});

const escapeUri = (text: string, most: number): string => {
  const whole = text.toWellFormed();
  let length = 0;
  for (const character of whole) length += /[\w\-.!~*'()]/.test(character) ? 1 : 3 * encodeUtf8(character);
  if (length > most) throw fault("text_too_long", `The text would be longer than ${most} characters`);
  return encodeURIComponent(whole);
};

/** Bytes of a character in UTF-8. */
const encodeUtf8 = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_0000 ? 3 : 4;
};

/** What is not an escape stays as it is. */
const unescapeUri = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
