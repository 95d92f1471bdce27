/**
 * The pipe to a child's stdin: the lines of one turn are written together, and a child that does not read is not written to without
 * end. Not here: what the lines say.
 */
import type { Writable } from "node:stream";
import type { Fault } from "../protocol/subprocess-error.ts";

export interface InputPipe {
  /** Writes a line at the end of this turn, or says that too much waits already. */
  write(line: string): Extract<Fault, { readonly kind: "full" }> | undefined;
  /** Closes the pipe after what was written. */
  end(): void;
}

/** `maxChars`: characters that may wait to be read. */
export const createInputPipe = (stdin: Writable, maxChars: number): InputPipe => {
  let lines: string[] = [];
  let chars = 0;
  const flush = (): void => {
    const text = lines.join("");
    lines = [];
    chars = 0;
    if (stdin.writable) stdin.write(text);
  };
  return {
    write: (line) => {
      if (stdin.writableLength + chars > maxChars) return { kind: "full", what: "pipe", limit: maxChars };
      if (lines.length === 0) queueMicrotask(flush);
      lines.push(line);
      chars += line.length;
      return undefined;
    },
    end: () => queueMicrotask(() => stdin.end()),
  };
};
