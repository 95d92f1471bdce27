import fc from "fast-check";
import { expect, test } from "vitest";
import { nearest } from "./suggest.ts";

const known = ["up", "call", "ls", "describe", "gen", "version"];

test.each([
  ["verison", "version"],
  ["VERSION", "version"],
  ["cal", "call"],
  ["desc", "describe"],
  ["sl", "ls"],
  ["xylophone", undefined],
  ["", undefined],
])("%s is near to %s", (typed, word) => {
  expect(nearest(typed, known)).toBe(word);
});

test("a known word is nearest to itself, and any text gives a known word or none", () => {
  for (const word of known) expect(nearest(word, known)).toBe(word);
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (typed) => [...known, undefined].includes(nearest(typed, known))),
  );
});
