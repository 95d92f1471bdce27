/** A reply on its way through the debugger's protocol: in parts, since a long text in one message stops the thread while it is written. */
import type { Slice } from "../protocol/registered-inspector.ts";

/** What a slice gave: nothing yet, a part of the text, or its last part. */
export interface ReplyPart {
  readonly isLast: boolean;
  readonly text: string;
}

/** Characters of a part. */
export const partLength = 65_536;

/** Runs slices until there is a text, and then gives a part of it each time. */
export const inParts = (slice: Slice<string>): { readonly next: (ms: number) => ReplyPart } => {
  let text: string | undefined;
  let given = 0;
  return {
    next: (ms) => {
      text ??= slice(ms)?.value;
      if (text === undefined) return { isLast: false, text: "" };
      const part = text.slice(given, given + partLength);
      given += part.length;
      return { isLast: given >= text.length, text: part };
    },
  };
};
