import { query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { withoutInputNames } from "./fit.ts";

const procedure = query({
  summary: "Takes rows.",
  input: z.object({ rows: z.array(z.object({ size: z.int() })), by: z.record(z.string(), z.int()) }),
  output: z.int(),
});
const issue = (path: string, expected: string, fix: string) => ({ path, expected, fix });
const redacted = (one: ReturnType<typeof issue>, of?: typeof procedure) =>
  withoutInputNames({ code: "invalid_argument", message: "no", issues: [one], retryable: false }, of).issues?.[0];

test.each([
  [issue("rows[3].size", "a whole number", "give `rows[3].size` one"), "rows[3].size", "give `rows[3].size` one"],
  [
    issue("rows[3].colour", "a known field", 'remove "colour", or check its spelling'),
    "rows[3].*",
    "remove what is no field here, or check its spelling",
  ],
  [issue("rows[3].sise", "a known field", "did you mean size?"), "rows[3].*", "did you mean size?"],
  [issue('by["two words"]', "a whole number", 'give `by["two words"]` one'), "by.*", "give what is there one"],
  [issue('by["cut of', "a whole number", "change it"), "by.*", "change it"],
])("%o", (one, path, fix) => {
  expect(redacted(one, procedure)).toMatchObject({ path, fix });
});

test("no name is known where no procedure is", () => {
  expect(redacted(issue("rows[3].size", "each member once", "name `rows[3].size` once"))).toEqual({
    path: "*[3].*",
    expected: "each member once",
    fix: "name what is there once",
  });
});
