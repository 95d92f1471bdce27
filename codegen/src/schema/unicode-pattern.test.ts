import fc from "fast-check";
import { expect, test } from "vitest";
import { unicodeSource } from "./unicode-pattern.ts";

/** As written: a formatter takes escapes that are not needed out of a literal. */
test.each<[string, string | undefined]>([
  ["^\\d{3}\\-\\d{4}$", "^\\d{3}-\\d{4}$"],
  ["^[\\w-.]+\\@x$", "^[\\w\\-.]+@x$"],
  ["^[.-\\d][a\\-z]$", "^[.\\-\\d][a\\-z]$"],
  ["^\\_\\'\\\"\\ \\q$", "^_'\" q$"],
  ["^a{,3}]}{$", "^a\\{,3\\}\\]\\}\\{$"],
  ["^a{2}b{1,}c{1,2}?$", "^a{2}b{1,}c{1,2}?$"],
  ["^[\\_\\B\\b]$", "^[_B\\b]$"],
  ["^\\/\\x41\\u0042\\cA\\0(?<n>a)\\k<n>\\1$", "^\\/\\x41\\u0042\\cA\\0(?<n>a)\\k<n>\\1$"],
  ["^😀$", "^😀$"],
  ["[]|[^]", "[]|[^]"],
  // What their authors meant is not what they say without the flag, or has no words with it.
  ["^\\u{2}$", undefined],
  ["^\\p{L}$", undefined],
  ["^\\07$", undefined],
  ["^\\1$", undefined],
  ["^[\\1]$", undefined],
  ["^\\k$", undefined],
  ["^\\c$", undefined],
  ["^(?=a)*b$", undefined],
  ["^😀+$", undefined],
  ["^[😀]$", undefined],
  ["^\\ud83d$", undefined],
])("%s", (source, written) => {
  expect(unicodeSource(new RegExp(source).source)).toBe(written);
});

test("what is written takes the same texts with the flag as the expression does without it", () => {
  const parts = [
    "a",
    "\\-",
    "[\\w-.]",
    "[a-\\d]",
    "[^\\s-_]",
    "\\_",
    "{",
    "}",
    "]",
    "(?:b|\\@)",
    "\\d",
    ".",
    "{2}",
    "+",
    "?",
  ];
  const source = fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((each) => each.join(""));
  const text = fc.string({ unit: fc.constantFrom(..."ab1-._@{}] \n"), maxLength: 5 });
  fc.assert(
    fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (given, texts) => {
      let plain: RegExp;
      try {
        plain = new RegExp(given);
      } catch {
        return;
      }
      const rewritten = unicodeSource(given);
      if (rewritten === undefined) throw new Error(`/${given}/ is not rewritten`);
      for (const each of texts) expect(new RegExp(rewritten, "u").test(each)).toBe(plain.test(each));
    }),
    { numRuns: 1_000 },
  );
});
