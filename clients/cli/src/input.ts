/** The input of a call: JSON on the command line, in a file (`@path`), or on stdin (`-`). An empty object when none is given. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { CommandError, UsageError } from "./failure.ts";

export interface InputSource {
  readonly cwd: string;
  stdin(): Promise<string>;
}

export const readInput = async (data: string | undefined, source: InputSource): Promise<unknown> => {
  if (data === undefined) return {};
  if (data === "-") return parseInput(await source.stdin(), "stdin");
  if (data.startsWith("@")) return parseInput(readText(resolve(source.cwd, data.slice(1)), data), data.slice(1));
  return parseInput(data, "--data");
};

const readText = (path: string, given: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new UsageError(`the input file ${path} cannot be read`, `correct the path in ${given}`, {
      cause,
    });
  }
};

/** Parses the text; what is no JSON breaks every contract. Pure. */
export const parseInput = (text: string, where: string): unknown => {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch (cause) {
    const fix =
      text.trim() === "" ? "give it a JSON object, like {}" : `mend the JSON; keys and texts stand in double quotes`;
    const issues = [{ path: "", expected: "JSON", fix }];
    throw new CommandError(
      { code: "invalid_argument", exit: 7 },
      {
        message: `the input from ${where} is no JSON${placeOf(cause, text)}`,
        issues,
        hint: "in a shell, quote it: -d '{\"key\": 1}'",
      },
      { cause },
    );
  }
};

/** Where the parser stopped, as ` at line 2, column 7`. It tells the position of some mistakes only; others are searched. */
const placeOf = (cause: unknown, text: string): string => {
  if (text.trim() === "") return "";
  const before = text.slice(0, positionOf(cause) ?? searched(text)).split("\n");
  return ` at line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
};

const positionOf = (cause: unknown): number | undefined => {
  const at = /at position (\d+)/.exec(cause instanceof Error ? cause.message : "")?.[1];
  return at === undefined ? undefined : Number(at);
};

/** The length of the longest beginning that more text could still mend. */
const searched = (text: string): number => {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (mendable(text.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return low;
};

const mendable = (beginning: string): boolean => {
  try {
    JSON.parse(beginning);
    return true;
  } catch (cause) {
    const words = cause instanceof Error ? cause.message : "";
    return /end of JSON|Unterminated/.test(words) || (positionOf(cause) ?? -1) >= beginning.length;
  }
};
