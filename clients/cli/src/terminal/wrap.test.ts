import fc from "fast-check";
import { expect, test } from "vitest";
import { wrap } from "./wrap.ts";

test("a short text stays one line", () => {
  expect(wrap("Numbers.", 6)).toBe("Numbers.");
  expect(wrap("", 6)).toBe("");
});

test("no line is longer than 100 columns, and no word is lost", () => {
  const words = fc.array(fc.stringMatching(/^[a-z]{1,30}$/), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 20 }), (given, indent) => {
      const text = wrap(given.join(" "), indent);
      expect(text.split(/\s+/)).toEqual(given);
      for (const [at, line] of text.split("\n").entries()) {
        expect(line.length + (at === 0 ? indent : 0)).toBeLessThanOrEqual(100);
      }
    }),
  );
});
