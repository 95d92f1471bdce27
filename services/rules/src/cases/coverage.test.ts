/** That no rule goes unproved: every rule of the catalogue has a case that names it. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ruleIds } from "../data/catalogue.ts";

/** How a case names its rule: `source: "…"`, `runCases("…", "…"`, `describeRule("…", "…")`. */
const naming = /(?:source: |(?:runCases|describeRule)\(\s*"[^"]*",\s*)"([a-z0-9-]+)"/g;

const named = new Set(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith(".test.ts"))
    .flatMap((file) => [...readFileSync(`${import.meta.dirname}/${file}`, "utf8").matchAll(naming)])
    .map(([, rule]) => rule),
);

test.each(ruleIds)("%s", (rule) => {
  expect(named).toContain(rule);
});
