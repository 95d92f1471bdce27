import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowedCommands, parseCommand } from "./allow-list.ts";
import { attemptsByClass, classifyFailure } from "./failure-class.ts";

describe("a verification command", () => {
  it.each([
    ["npm test", ["npm", "test"]],
    ["npx vitest run src/a.test.ts", ["npx", "vitest", "run", "src/a.test.ts"]],
    ['npx vitest -t "two words"', ["npx", "vitest", "-t", "two words"]],
    ["  go   test ./... ", ["go", "test", "./..."]],
    ["pytest 'a b'", ["pytest", "a b"]],
    ["node test/parser.js", ["node", "test/parser.js"]],
    ["node src/parser.test.mjs", ["node", "src/parser.test.mjs"]],
    ["./scripts/test.sh", ["./scripts/test.sh"]],
  ])("%s", (command, argv) => {
    expect(parseCommand(command)).toEqual({ ok: true, argv });
  });

  it.each([
    "",
    "rm -rf /",
    "npm testing",
    "npmtest",
    "npm",
    "npm install",
    "npx evil",
    "npm test; rm x",
    "npm test && x",
    "npm test | x",
    "npm test `x`",
    "npm test $(x)",
    "npm test > x",
    "npm test < x",
    "npm test\nrm",
    "npm test \\x",
    'npm test "open',
    "NPM TEST",
    "/bin/npm test",
    "sh -c 'npm test'",
    "npm test --prefix /etc",
    "npm test --prefix=..",
    "npm run x --script-shell=sh",
    "make -C ..",
    "make -f /tmp/x",
    "make -f x",
    "go test -exec sh",
    "go test -toolexec=sh",
    "npx vitest --root ../..",
    "npx eslint --rulesdir=~/x",
    "pytest -c x.ini",
    "npx mocha -r ./x",
    "npx mocha --require ./x",
    "gradle test --init-script x",
    "cargo test --config ../x",
    "node --test --import=./x.js",
    "mvn test -Dexec=sh",
    "node src/parser.js",
    "node ../test/x.js",
    "node /test/x.js",
    "node test/../../x.js",
    "node --require ./x.js test/a.js",
    "node -e test/x.js",
    "./evil.sh",
    "./test/evil",
    "npm test \0",
    `npm test ${"x".repeat(5_000)}`,
  ])("%j is refused", (command) => {
    expect(parseCommand(command).ok).toBe(false);
  });

  it("that passes starts with allowed words and holds nothing for a shell", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...allowedCommands),
        fc.string({ unit: "grapheme-ascii", maxLength: 30 }),
        (start, rest) => {
          const verdict = parseCommand(`${start} ${rest}`);
          if (!verdict.ok) return;
          expect(verdict.argv.slice(0, start.split(" ").length).join(" ")).toBe(start);
          expect(verdict.argv.join("")).not.toMatch(/[;&|`$><\n]/);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("failure classes", () => {
  it.each([
    ["sh: 1: vitest: not found\ncommand not found", "environment"],
    ["Error: Cannot find module 'x'", "environment"],
    ["Test timed out in 5000ms", "timeout"],
    ["deadline exceeded", "timeout"],
    ["AssertionError: expected 1 to be 2", "code"],
    ["src/a.ts(1,2): error TS2322", "code"],
    ["something else", "unknown"],
  ] as const)("%s is %s", (error, expected) => {
    expect(classifyFailure(error)).toBe(expected);
  });

  it("have the reference's attempts", () => {
    expect(attemptsByClass).toEqual({ environment: 1, timeout: 2, code: 3, unknown: 3 });
  });
});
