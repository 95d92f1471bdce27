import { type Procedure, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import * as z3 from "zod/v3";
import { withoutInputNames } from "./fit.ts";

const procedure = query({
  summary: "Takes rows.",
  input: z.object({ rows: z.array(z.object({ size: z.int() })), by: z.record(z.string(), z.int()) }),
  output: z.int(),
});
const issue = (path: string, expected: string, fix: string) => ({ path, expected, fix });
const redacted = (one: ReturnType<typeof issue>, of?: Procedure) =>
  withoutInputNames({ code: "invalid_argument", message: "no", issues: [one], retryable: false }, of).issues?.[0];

test.each([
  [issue("rows[3].size", "a whole number", "give `rows[3].size` one"), "rows[3].size", "give `rows[3].size` one"],
  [
    issue("rows[3].colour", "a known field", 'remove "colour", or check its spelling'),
    "rows[3].*",
    "remove what is not a field here, or check its spelling",
  ],
  [issue("rows[3].sise", "a known field", "did you mean size?"), "rows[3].*", "did you mean size?"],
  [issue('by["two words"]', "a whole number", 'give `by["two words"]` one'), "by.*", "give what is there one"],
  [issue("rows[3].siz…", "a whole number", "change it"), "rows[3].siz…", "change it"],
  [issue("rows[3].__proto__", "no such member", "remove it"), "rows[3].__proto__", "remove it"],
  [issue('by["cut of', "a whole number", "change it"), "by.*", "change it"],
])("%o", (one, path, fix) => {
  expect(redacted(one, procedure)).toMatchObject({ path, fix });
});

test("the fields of a Zod 3 schema are known, at any depth", () => {
  const inner = z3.object({ size: z3.number().int() });
  const input = z3.object({ rows: z3.array(inner).optional(), one: z3.lazy(() => inner) });
  const old = query({ summary: "Takes rows.", input, output: z.int() });
  for (const path of ["rows[3].size", "one.size"])
    expect(redacted(issue(path, "a whole number", "change it"), old)).toMatchObject({ path });
  expect(redacted(issue("rows[3].sise", "a known field", "remove it"), old)).toMatchObject({ path: "rows[3].*" });
});

test("no name is known where no procedure is", () => {
  expect(redacted(issue("rows[3].size", "each member once", "name `rows[3].size` once"))).toEqual({
    path: "*[3].*",
    expected: "each member once",
    fix: "name what is there once",
  });
});
