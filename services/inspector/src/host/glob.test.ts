import fc from "fast-check";
import { expect, test } from "vitest";
import { glob } from "./glob.ts";

test.each([
  ["*Monster*", "MonsterRarity", true],
  ["*monster*", "BigMONSTER", true],
  ["CurHP", "curhp", true],
  ["CurHP", "CurHPx", false],
  ["*Offsets", "LifeOffsets", true],
  ["*Offsets", "OffsetsX", false],
  ["?at", "cat", true],
  ["?at", "at", false],
  ["*", "", true],
  ["", "", true],
  ["", "x", false],
  ["a*b*c", "aXXbYYbZc", true],
  ["a**", "a", true],
  ["[a]", "a", false],
  [".*", "x", false],
])("%s on %s is %s", (pattern, text, matches) => {
  expect(glob(pattern)(text)).toBe(matches);
});

/** The obvious recursive definition. */
const slow = (pattern: string, text: string): boolean => {
  if (pattern === "") return text === "";
  if (pattern[0] === "*") return slow(pattern.slice(1), text) || (text !== "" && slow(pattern, text.slice(1)));
  return text !== "" && (pattern[0] === "?" || pattern[0] === text[0]) && slow(pattern.slice(1), text.slice(1));
};

test("property: agrees with the obvious definition", () => {
  const letters = (from: string, maxLength: number) =>
    fc.array(fc.constantFrom(...from), { maxLength }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(letters("ab*?", 8), letters("ab", 10), (pattern, text) => glob(pattern)(text) === slow(pattern, text)),
    { numRuns: 5_000 },
  );
});

test("many stars on a long text end", () => {
  expect(glob(`${"*a".repeat(50)}b`)("a".repeat(20_000))).toBe(false);
});
