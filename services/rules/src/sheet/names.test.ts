/** Names: the order of stages, and that nothing matches in the middle. */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baseName, matchName, statedBonus } from "./names.ts";

const named = (...names: readonly string[]) => names.map((name) => ({ name, aliases: [baseName(name)], value: name }));
const found = (wanted: string, ...names: readonly string[]) => {
  const result = matchName(wanted, named(...names));
  switch (result.kind) {
    case "one":
      return result.found.name;
    case "several":
      return result.found.map(({ name }) => name);
    case "none":
      return undefined;
  }
};

describe("match", () => {
  test.each([
    ["Goblin", ["Goblin", "Hobgoblin"], "Goblin"],
    ["goblin", ["Goblin", "GOBLIN King"], "Goblin"],
    ["gob", ["Goblin", "Hobgoblin"], "Goblin"],
    ["goblin", ["Hobgoblin"], undefined],
    ["go", ["Goblin", "Golem"], ["Goblin", "Golem"]],
    ["goblin", ["goblin", "Goblin"], "goblin"],
    ["GOBLIN", ["goblin", "Goblin"], ["goblin", "Goblin"]],
    ["Longsword", ["Longsword +1"], "Longsword +1"],
    ["Longsword", ["Longsword", "Longsword +1"], "Longsword"],
    ["Hunter’s Mark", ["Hunter's Mark"], "Hunter's Mark"],
    ["  two   words ", ["Two Words"], "Two Words"],
    ["", ["Goblin"], undefined],
    ["   ", ["Goblin"], undefined],
  ] as const)("%j among %j", (wanted, names, expected) => {
    expect(found(wanted, ...names)).toEqual(expected);
  });

  test("whatever the names, a whole name that stands alone is found", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1 }),
        fc.nat(),
        (names, pick) => {
          const wanted = names[pick % names.length] ?? "";
          fc.pre(wanted.trim() !== "");
          expect(found(wanted, ...names)).toBe(wanted);
        },
      ),
    );
  });
});

test.each([
  ["Longsword +1", "Longsword", 1],
  ["+2 Longsword", "Longsword", 2],
  ["Longsword, +3", "Longsword", 3],
  ["Crossbow, hand", "Crossbow, hand", 0],
  ["Dagger (poisoned)", "Dagger", 0],
  ["2 Daggers", "Daggers", 0],
  ["C++ manual", "C++ manual", 0],
  ["", "", 0],
])("%j is %j, +%i", (written, base, bonus) => {
  expect(baseName(written)).toBe(base);
  expect(statedBonus(written)).toBe(bonus);
});
