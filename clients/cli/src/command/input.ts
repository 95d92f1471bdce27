/** The input of a call: JSON on the command line, in a file (`@path`), or on stdin (`-`). An empty object when none is given. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseJson } from "../text/json-text.ts";
import { CommandError, UsageError } from "./failure.ts";

interface InputSource {
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

/** Parses the text; invalid JSON breaks every contract. Pure. */
export const parseInput = (text: string, where: string): unknown => {
  const parsed = parseJson(text);
  if (parsed.ok) return parsed.value;
  const { place, cause, fix } = parsed;
  throw new CommandError(
    { code: "invalid_argument", exit: 7 },
    {
      message: `the input from ${where} is not valid JSON${place}`,
      issues: [{ path: "", expected: "JSON", fix }],
      hint: "in a shell, quote it: -d '{\"key\": 1}'",
    },
    { cause },
  );
};
