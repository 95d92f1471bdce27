/** Splits a stream of bytes into lines, and pairs each reader with the writer that must keep up with it. */
import type { Readable, Writable } from "node:stream";

/** Bytes of a line beyond which it is not a message any more: far more than any owner takes. */
const longestLine = 64 * 1_048_576;
const newline = 0x0a;

/** Calls back with each line, without its end, until the function it gives is called. What comes after stays in the stream. */
export const readLines = (input: Readable, take: (line: string) => void): (() => void) => {
  let parts: Buffer[] = [];
  let size = 0;
  let isReading = true;
  const onData = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1 && isReading; at = chunk.indexOf(newline, from)) {
      parts.push(chunk.subarray(from, at));
      from = at + 1;
      const line = Buffer.concat(parts).toString("utf8");
      parts = [];
      size = 0;
      take(line);
    }
    const rest = chunk.subarray(from);
    if (!isReading) {
      if (rest.length > 0) input.unshift(rest);
      return;
    }
    size += rest.length;
    if (size > longestLine) input.destroy(new Error("a line is longer than 64 MiB"));
    else if (rest.length > 0) parts.push(rest);
  };
  input.on("data", onData).resume();
  return () => {
    isReading = false;
    // Without a reader it would flow into nothing.
    input.off("data", onData).pause();
  };
};

/** A function that writes lines to the output, and holds the input back while the output is full. */
export const lineWriter = (
  output: Writable,
  input: Readable,
  write = output.write.bind(output),
): ((line: string) => void) => {
  output.on("drain", () => input.resume());
  return (line) => {
    if (output.destroyed || output.writableEnded) return;
    if (!write(`${line}\n`)) input.pause();
  };
};
