/** What different runtimes write when a program of theirs dies. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { findErrorLine } from "./error-line.ts";

it.each([
  [
    "an error of Node",
    `[eval]:1
throw new TypeError('the real error')
^

TypeError: the real error
    at [eval]:1:7
    at runScriptInThisContext (node:internal/vm:219:10)

Node.js v24.21.0`,
    "TypeError: the real error",
  ],
  [
    "a module that Node does not find",
    `node:internal/modules/cjs/loader:1424
  throw err;
  ^

Error: Cannot find module '/srv/server.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1421:15) {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v24.21.0`,
    "Error: Cannot find module '/srv/server.js'",
  ],
  [
    "Python",
    `Traceback (most recent call last):
  File "server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`,
    "ModuleNotFoundError: No module named 'mcp'",
  ],
  ["a shell", "sh: 1: surely-not-there: not found\n", "sh: 1: surely-not-there: not found"],
  [
    "Rust",
    "thread 'main' panicked at src/main.rs:2:5:\nno port left\nnote: run with `RUST_BACKTRACE=1`",
    "thread 'main' panicked at src/main.rs:2:5:",
  ],
  ["a server that says it ends", "listening\nbye\n\n", "bye"],
  ["lines of which none tells more", "  indented\n  more\n", "more"],
  ["nothing", "\n \n", ""],
])("%s", (_, stderr, words) => expect(findErrorLine(stderr)).toBe(words));

it("is one of the lines, whatever they are", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (lines) => {
      const words = findErrorLine(lines.join("\n"));
      expect(lines.join("\n")).toContain(words);
      expect(words === "").toBe(lines.join("\n").trim() === "");
    }),
  );
});
