/**
 * The line among what a process wrote to its error stream that tells why it ended. Pure.
 *
 * Runtimes put the reason in front of a trace, and a banner behind it; what is written last tells nothing then.
 */

/** Frames, carets and braces: indented, or of signs alone. What Node signs off with. */
const noise = /^\s|^[^\p{L}\p{N}]*$|^Node\.js v\d/u;

const reason =
  /(?:error|exception)\b|\b(?:cannot|denied|fail|failed|failure|fatal|no such|not found|panic|panicked)\b/i;

/** Empty when it wrote nothing. */
export const findErrorLine = (stderr: string): string => {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.filter((line) => !noise.test(line));
  return (telling.findLast((line) => reason.test(line)) ?? telling.at(-1) ?? lines.at(-1) ?? "").trim();
};
