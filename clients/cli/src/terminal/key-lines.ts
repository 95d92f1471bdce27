/**
 * Lines that a person types while a command runs. Only of a process in the foreground of its terminal: the system stops one in the background that reads
 * from it. Not here: what the lines mean.
 */
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";

/** A longer line is no command. */
const mostCharacters = 200;

/** Calls back with each line until the function that it gives is called, or nothing more comes. */
export const readLines = (input: Readable, take: (line: string) => void): (() => void) => {
  let rest = "";
  const onData = (piece: string | Buffer): void => {
    const parts = `${rest}${piece.toString()}`.split("\n");
    rest = (parts.pop() ?? "").slice(0, mostCharacters);
    for (const line of parts) take(line);
  };
  const stop = (): void => {
    input.off("data", onData);
    input.pause();
  };
  input.on("data", onData);
  // A terminal that is gone ends the reading and nothing else.
  input.on("error", stop);
  return stop;
};

/** The lines of this process's terminal; none where it is in the background, or where that cannot be known. */
export const readTerminalLines = (take: (line: string) => void): (() => void) => {
  if (!isForeground()) return () => undefined;
  const stop = readLines(process.stdin, take);
  // After a stop it may go on in the background.
  process.once("SIGCONT", stop);
  return () => {
    process.off("SIGCONT", stop);
    stop();
  };
};

const isForeground = (): boolean => {
  // Elsewhere only the terminal's own programs know, and to be stopped is worse than a key less.
  if (process.platform === "win32") return true;
  try {
    return isForegroundStat(readFileSync("/proc/self/stat", "utf8"));
  } catch {
    return false;
  }
};

/** Whether `/proc/self/stat` says that its process group is the terminal's. Pure. */
export const isForegroundStat = (stat: string): boolean => {
  // The name before the last parenthesis may hold anything.
  const [, , group, , , terminalGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return group !== undefined && group === terminalGroup;
};
