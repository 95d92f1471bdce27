/** Hostile objects: no getter, trap or coercion of theirs runs, whatever is done with them. */
import { describe, expect, test } from "vitest";
import { checkUnchanged, evaluated, leaks } from "../testing/attack.ts";
import { objects, onLists, read, uses } from "../testing/hostile-inputs.ts";

const inLongTier = process.env.TESTS_TIER === "long";

checkUnchanged();

describe("getters, traps and coercion", () => {
  const cases = objects.map((object) => [object, uses.map((use) => use.replaceAll("$", object))] as const);
  test.each(cases.filter((_, at) => inLongTier || at % 3 === 0))("%s in every use", (_, texts) => {
    for (const text of texts) expect(evaluated(text)).not.toMatch(leaks);
  });
  test.each(objects.filter((_, at) => inLongTier || at % 3 === 0))("lists of %s in every method", (object) => {
    for (const use of onLists) expect(evaluated(use.replaceAll("$", object))).not.toMatch(leaks);
  });
  test.each(read.filter((_, at) => inLongTier || at % 3 === 0))("%s", (text) => {
    expect(evaluated(text)).not.toMatch(leaks);
  });
});
