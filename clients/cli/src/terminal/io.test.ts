import { expect, test } from "vitest";
import { nameInShell } from "./io.ts";

test("commands are named as the caller can type them", () => {
  const text = "run `fairlead gen`, then `fairlead up`";
  expect(nameInShell(text, {})).toBe(text);
  expect(nameInShell(text, { npm_command: "exec" })).toBe("run `npx fairlead gen`, then `npx fairlead up`");
});
