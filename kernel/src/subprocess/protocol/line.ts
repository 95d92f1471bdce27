/**
 * What a line is: a message, noise that never meant to be one, or something that began like a message and is none.
 *
 * Only JSON objects are messages. Invalid UTF-8 is garbled, never repaired: a replaced character is a wrong answer.
 */

import { isRecord } from "../../call/record.ts";

export type Message = Readonly<Record<string, unknown>>;

export type Line =
  | { readonly kind: "message"; readonly message: Message }
  /** Does not begin with `{`. */
  | { readonly kind: "noise"; readonly text: string }
  /** Begins with `{` but is neither valid UTF-8 nor JSON. */
  | { readonly kind: "garbled"; readonly text: string; readonly why: string };

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
const shownBytes = 512;
const brace = 0x7b;

export const readLine = (bytes: Uint8Array): Line => {
  if (bytes[firstInk(bytes)] !== brace) return { kind: "noise", text: shown(bytes) };
  try {
    const message: unknown = JSON.parse(strict.decode(bytes));
    if (isRecord(message)) return { kind: "message", message };
    return { kind: "garbled", text: shown(bytes), why: "not an object" };
  } catch (error) {
    return { kind: "garbled", text: shown(bytes), why: error instanceof SyntaxError ? "not JSON" : "not UTF-8" };
  }
};

/** One message as it is written: JSON and 0x0A. */
export const writeLine = (message: Message): string => `${JSON.stringify(message)}\n`;

/** Index of the first byte that is not a blank, at most a few in. */
const firstInk = (bytes: Uint8Array): number => {
  let i = 0;
  while (i < 64 && (bytes[i] === 0x20 || bytes[i] === 0x09)) i++;
  return i;
};

/** The line as people may see it: its beginning, without control characters. */
const shown = (bytes: Uint8Array): string =>
  lenient
    .decode(bytes.subarray(0, shownBytes))
    .replace(/\p{Cc}+/gu, " ")
    .trim();
