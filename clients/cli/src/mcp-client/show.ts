/** A planned change as people see it before it is made, and their answer. */
import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import type { Context } from "../command/context.ts";
import type { PlannedChange } from "./change.ts";

/** Where copies of changed files are kept. */
export const copiesFolder = (stateFolder: string): string => join(stateFolder, "client-files");

/** The exact commands, or the exact change of the file. */
export const planWords = ({ file, after, commands }: PlannedChange, { paint }: Pick<Context, "paint">): string => {
  if (commands.length > 0) return commands.map((words) => `$ ${words.map(quote).join(" ")}`).join("\n");
  const name = file.exists ? file.path : "/dev/null";
  const lines = createTwoFilesPatch(name, file.path, file.text, after, undefined, undefined, { context: 2 }).split(
    "\n",
  );
  const shown = lines.filter((line) => !/^(?:={4}|Index: )/.test(line) && !line.startsWith("\\"));
  return shown
    .map((line) => (/^\+/.test(line) ? paint("green", line) : /^-/.test(line) ? paint("red", line) : line))
    .join("\n")
    .trimEnd();
};

/** As a shell would want it typed. */
const quote = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** Asks at a terminal, where what is asked about is shown whatever else is silent. */
export const confirmed = async (
  { io, say }: Context,
  words: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<boolean> => {
  if (io.prompt === undefined || flags.yes === true) {
    say(words);
    return true;
  }
  io.err(words);
  return /^y(?:es)?$/i.test((await io.prompt("Write this? [y/N] ")).trim());
};
