/**
 * Finds the line of a process's error stream that says why it ended. Pure.
 *
 * Runtimes put the reason in front of a trace, and a banner behind it; the last line says nothing then.
 */

/** Frames, carets and braces: indented, or of signs alone. What Node signs off with. */
const noise = /^\s|^[^\p{L}\p{N}]*$|^Node\.js v\d/u;

const reason =
  /(?:error|exception)\b|\b(?:cannot|denied|fail|failed|failure|fatal|no such|not found|panic|panicked)\b/i;

/** Empty when it wrote nothing. */
export const findErrorLine = (stderr: string): string => {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const meaningful = lines.filter((line) => !noise.test(line));
  return (meaningful.findLast((line) => reason.test(line)) ?? meaningful.at(-1) ?? lines.at(-1) ?? "").trim();
};
