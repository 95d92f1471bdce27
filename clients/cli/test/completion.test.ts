/** `fairlead completion`: what follows the words on a command line, and that bash takes it. */
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../src/commands.ts";
import { completeWords } from "../src/completion/candidates.ts";
import { shells } from "../src/completion/scripts.ts";
import type { Io } from "../src/terminal/io.ts";
import { runHere } from "./in-process.ts";
import { type OutsideProject, outsideProject } from "./outside-project.ts";

let project: OutsideProject;

beforeAll(async () => {
  project = outsideProject();
  expect((await runHere(["gen"], { cwd: project.folder })).code).toBe(0);
});
afterAll(() => project.remove());

const nothing = (): void => undefined;
const io: Io = {
  out: nothing,
  err: nothing,
  tty: { in: false, out: false, err: false, size: () => ({ columns: 80, rows: 24 }) },
  env: {},
  signal: new AbortController().signal,
  stdin: async () => "",
  flush: async () => undefined,
};

/** In the folder of the project: the flag that says so is before the words. */
const complete = async (shell: string, ...words: readonly string[]): Promise<readonly string[]> => {
  const found = await completeWords(["--cwd", project.folder, ...words], { commands, io });
  return found.map((each) => shells[shell]?.line(each) ?? "");
};

test.each([
  [["prob"], ["probe"]],
  [["sta"], ["status"]],
  [
    ["services", ""],
    ["ls", "restart", "logs", "events"],
  ],
  [["probe", "ec"], ["echo"]],
  [["call", "probe.s"], ["probe.short"]],
  [["probe", "short", "--le"], ["--level"]],
  [["up", "--po"], ["--port"]],
  [["probe", "short", "--ur"], ["--url"]],
  [["call", "probe.short", ""], []],
  [["no", "such"], []],
])("after %j", async (words, expected) => {
  expect(await complete("bash", ...words)).toEqual(expected);
});

test("zsh and fish get what it is about as well", async () => {
  expect(await complete("zsh", "probe", "short", "--le")).toEqual(["--level:A level. (default: 1)"]);
  expect(await complete("fish", "sta")).toEqual(["status\tShow which kernel owns the project's state"]);
});

test("bash takes the script, and gives its words to the command", async () => {
  const { out } = await runHere(["completion", "bash"], { cwd: project.folder });
  const show = 'fairlead() { printf "%s\\n" "$@"; }; COMP_WORDS=(fairlead todo "" ignored); COMP_CWORD=2; _fairlead;';
  const words = execFileSync("bash", ["-c", `${out}\n${show} printf "%s|" "\${COMPREPLY[@]}"`], { encoding: "utf8" });
  expect(words).toBe("completion|bash|--|todo|");
  expect((await runHere(["completion", "tcsh"], { cwd: project.folder })).code).toBe(2);
});
