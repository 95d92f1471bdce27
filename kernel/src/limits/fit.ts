/**
 * Keeps errors short on every wire: one has at most 4 KB, and a reply made of errors at most 64 KB, however many there are in it.
 *
 * Texts are cut and issues left out, the last first. The data of a declared error is never touched: its contract promises it.
 */
import type { WireError } from "@fairlead/contracts";

const mostErrorBytes = 4_096;
const mostReplyBytes = 65_536;
/** What may surround an error: brackets, commas, the framing of events and lines. */
const framing = 64;
/** Bytes of JSON that a text may have in an error that is too long. */
const mostTextBytes = 400;

/** Bytes that an error may have on the wire when the reply can have so many of them. */
export const errorBytes = (errors = 1): number =>
  Math.min(mostErrorBytes, Math.floor(mostReplyBytes / Math.max(1, errors))) - framing;

/** What `make` makes of the error; of a shorter one, if that has more bytes as JSON (or as it is, when it is a text). */
export const fitted = <T>(error: WireError, bytes: number, make: (error: WireError) => T): T => {
  let made = make(error);
  if (jsonSize(made) <= bytes) return made;
  const { message, hint, issues, ...rest } = error;
  const short = {
    ...rest,
    message: clippedBytes(message, mostTextBytes),
    ...(hint !== undefined && { hint: clippedBytes(hint, mostTextBytes) }),
  };
  for (let kept = issues?.length ?? 0; kept >= 0; kept -= 1) {
    made = make(issues === undefined ? short : { ...short, issues: issues.slice(0, kept) });
    if (jsonSize(made) <= bytes) break;
  }
  return made;
};

/** The text, cut to so many bytes of JSON. */
export const clippedBytes = (text: string, bytes: number): string => {
  if (text.length <= bytes / 6) return text;
  let size = 0;
  let end = 0;
  for (const char of text) {
    size += Buffer.byteLength(JSON.stringify(char)) - 2;
    if (size > bytes) return `${text.slice(0, end)}…`;
    end += char.length;
  }
  return text;
};

const jsonSize = (made: unknown): number =>
  Buffer.byteLength(typeof made === "string" ? made : (JSON.stringify(made) ?? ""));
