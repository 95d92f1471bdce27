/** The README's table of differences: each line gives what it says. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { evaluate, LinqError, plainHost } from "./index.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const lines = [...readme.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| .+ \|$/gm)];
const host = plainHost({ xs: [3, 1, 2], people: [{ name: "Ann", age: 30 }, { name: "bob" }] });

const found = (expr: string): string => {
  try {
    return JSON.stringify(evaluate(expr, { host }).value);
  } catch (error) {
    return error instanceof LinqError ? error.code : String(error);
  }
};

test("the table has lines", () => {
  expect(lines.length).toBeGreaterThan(8);
});

test.each(lines.map(([, expr = "", shown = ""]) => [expr, shown] as const))("%s is %s", (expr, shown) => {
  expect(found(expr)).toBe(shown);
});
