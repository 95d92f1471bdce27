import { expect, test } from "vitest";
import { commands } from "./commands.ts";
import { main } from "./main.ts";
import type { Io } from "./terminal/io.ts";

const run = (...argv: string[]) => runWith({}, ...argv);

const runWith = async (env: Io["env"], ...argv: string[]) => {
  const written = { out: "", err: "" };
  const io: Io = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += `${text}\n`;
    },
    tty: { in: false, out: false, err: false, size: () => ({ columns: 80, rows: 24 }) },
    env,
    signal: new AbortController().signal,
    stdin: async () => "",
    flush: async () => undefined,
  };
  const code = await main(argv, io);
  return { code, ...written };
};

const errorLine = (err: string): unknown => JSON.parse(err.trimEnd().split("\n").at(-1) ?? "");

test("the root's help lists every command and every exit code", async () => {
  const { code, out, err } = await run("--help");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  for (const { name, summary } of commands) expect(out).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
  for (const exit of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 143]) expect(out).toMatch(new RegExp(`^  ${exit} `, "m"));
  expect((await run()).out).toBe(out);
});

test.each(commands.map(({ name }) => name))("%s --help says what it does", async (name) => {
  const { code, out, err } = await run(...name.split(" "), "--help");
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(`Usage: fairlead ${name}`);
  expect(out).toContain("--json");
  expect((await run("help", ...name.split(" "))).out).toBe(out);
});

test("a command's help has the flags that matter to it", async () => {
  for (const name of ["init", "new", "gen", "version", "up"])
    expect((await run(name, "--help")).out).not.toContain("--token-file");
  expect((await run("ls", "--help")).out).toContain("--token-file");
  expect((await run("version", "--url", "http://127.0.0.1:1")).code).toBe(0);
});

test("hints name the command as npm's caller has to type it", async () => {
  const { err } = await runWith({ npm_command: "exec" }, "verison");
  expect(err).toContain("hint: did you mean `npx fairlead version`?");
});

test("a group's help lists its commands", async () => {
  expect((await run("mcp", "--help")).out).toContain("mcp serve");
});

const mcpHint =
  "try `fairlead mcp serve` or `fairlead mcp add` or `fairlead mcp ls` or `fairlead mcp check` or `fairlead mcp remove`";

test.each([
  ["an unknown command", ["verison"], "did you mean `fairlead version`?"],
  ["an unknown service", ["rulse", "roll"], "did you mean `fairlead rules`?"],
  ["an unknown command of a group", ["mcp", "sreve"], "did you mean `fairlead mcp serve`?"],
  ["a group alone", ["mcp"], mcpHint],
  ["flags without a command", ["--quiet"], "run `fairlead --help` for the list"],
  ["an unknown flag", ["ls", "--jsn"], "did you mean --json?"],
  ["a flag without its value", ["ls", "--cwd"], "run `fairlead ls --help`"],
  ["a wrong timeout", ["version", "--timeout", "soon"], "give a whole number above 0"],
  ["a wrong address", ["version", "--url", "ftp://x"], "like http://127.0.0.1:5099"],
  [
    "a token file that is not there",
    ["ls", "--url", "http://127.0.0.1:1", "--token-file", "/none"],
    "correct --token-file",
  ],
])("%s is a usage error with a hint", async (_, argv, hint) => {
  const { code, out, err } = await run(...argv);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(/^error: /);
  expect(errorLine(err)).toMatchObject({ error: { code: "usage", hint } });
});

test("a flag may stand before its command", async () => {
  const { code, out } = await run("--json", "version");
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    schemaVersion: 1,
    fairlead: expect.any(String),
    node: process.versions.node,
  });
});
