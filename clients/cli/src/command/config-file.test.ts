import { expect, test } from "vitest";
import { readVariables, unsetHint } from "./config-file.ts";

test.each([
  ["process.env.KEY", ["KEY"]],
  ['process.env["KEY"]; process.env?.OTHER', ["KEY", "OTHER"]],
  ['env("KEY")', ["KEY"]],
  ['import { env } from "node:process"; env.KEY; env.KEY', ["KEY"]],
  ["const { KEY, PORT = 1, OTHER: other } = process.env;", ["KEY", "OTHER"]],
  ["Number(process.env.PORT ?? 5099) || process.env.HOST || 1", []],
  ["environment.name; process.env", []],
])("%s reads what it has no other value for", (text, names) => {
  expect(readVariables(text)).toEqual(names);
});

test("a built project, which is without the file, has a hint as well", () => {
  expect(unsetHint("/nowhere/fairlead.config.ts", {})).toContain("fairlead build");
});
