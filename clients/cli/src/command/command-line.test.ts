import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommandLine, readPlain } from "./command-line.ts";

test.each([
  [
    ["call", "rules.x", "-d", "{}"],
    ["call", "rules.x", "{}"],
  ],
  [["--json", "ls"], ["ls"]],
  [
    ["--url", "http://x", "call", "a.b"],
    ["call", "a.b"],
  ],
  [["--url=http://x", "ls"], ["ls"]],
  [
    ["call", "-d", "-"],
    ["call", "-"],
  ],
  [["call", "--", "--json"], ["call"]],
  [["--cwd"], []],
])("%j has the words %j", (argv, positionals) => {
  expect(parseCommandLine(argv).positionals).toEqual(positionals);
});

test("help and --json count only before --", () => {
  expect(parseCommandLine(["ls", "--help", "--json", "-v"])).toMatchObject({ help: true, json: true, verbose: true });
  expect(parseCommandLine(["ls", "--", "--help", "--json", "-v"])).toMatchObject({
    help: false,
    json: false,
    verbose: false,
  });
});

test("the command's own words are taken out, and nothing else", () => {
  expect(parseCommandLine(["--json", "mcp", "-q", "serve", "mcp"]).without(["mcp", "serve"])).toEqual([
    "--json",
    "-q",
    "mcp",
  ]);
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom("--", "-q", "--url", "ls", "-", "--cwd=x"), fc.string())), (argv) => {
      const words = parseCommandLine(argv);
      expect(words.without([])).toEqual(argv);
      const first = words.positionals.slice(0, 1);
      expect(words.without(first)).toHaveLength(argv.length - first.length);
    }),
  );
});

const plain = { flags: ["--stdio"], words: 1 };
test.each([
  [["--stdio"], { args: [], flags: { stdio: true } }],
  [["rules", "--stdio", "--cwd", "/x"], { args: ["rules"], flags: { stdio: true, cwd: "/x" } }],
  [["--stdio", "--cwd"], undefined],
  [["--stdio", "--cwd", "--json"], undefined],
  [["--stdoi"], undefined],
  [["a", "b", "--stdio"], undefined],
  [["--", "a"], undefined],
  [["--cwd=/x"], undefined],
])("%j without the argument parser", (argv, expected) => expect(readPlain(argv, plain)).toEqual(expected));
