import fc from "fast-check";
import { expect, test } from "vitest";
import { patternSource } from "./regex-flags.ts";

test.each<[Pick<RegExp, "source" | "flags">, string | undefined]>([
  [/^abc$/, "^abc$"],
  [/^aB1\.-$/i, "^[Aa][Bb]1\\.-$"],
  [/^[a-f0-9_]{2}\d$/i, "^[A-Fa-f0-9_]{2}\\d$"],
  [/^[^x]$/i, "^[^Xx]$"],
  [/^a.b$/s, "^a[\\s\\S]b$"],
  [/^(?<y>a|b)$/iu, "^(?<y>[Aa]|[Bb])$"],
  [/.*abc$/, "abc$"],
  [/^abc.*$/m, undefined],
  [/abc/y, undefined],
  [/^[A-z]$/i, undefined],
  [/^ß$/i, undefined],
  [/^\u0041$/i, undefined],
  [/(a)\1/i, undefined],
  [/[\p{L}--[a-z]]/v, undefined],
  [{ source: "^\\d{3}\\-[a-c]$", flags: "i" }, "^\\d{3}-[A-Ca-c]$"],
  [{ source: "^[\\w-.]+\\@x$", flags: "" }, "^[\\w\\-.]+@x$"],
  [{ source: "^\\u{2}$", flags: "" }, undefined],
  [/(?i:a)b/i, undefined],
  [/^ks$/iu, "^[Kk\\u212a][Ss\\u017f]$"],
  [/^[a-m]$/iu, "^[A-M\\u212aa-m]$"],
  [/^\w$/iu, undefined],
])("%s", (expression, source) => {
  expect(patternSource(expression)).toBe(source);
});

test("what is written takes what the flags took, and nothing else", () => {
  const sources = ["^abc$", "^[a-c]+x?$", "^(?:ab|C)+$", "^[^a-z]$", "^a.c$", "^\\w[B-D]*$", "^[aZ_-]+$", "^[-ab]$"];
  const text = fc.string({ unit: fc.constantFrom(..."abcxABCXzZ_-\n"), maxLength: 5 });
  fc.assert(
    fc.property(fc.constantFrom(...sources), fc.constantFrom("i", "s", "is"), text, (source, flags, given) => {
      const rewritten = patternSource(new RegExp(source, flags));
      if (rewritten === undefined) throw new Error(`${source} is not rewritten`);
      expect(new RegExp(rewritten, "u").test(given)).toBe(new RegExp(source, flags).test(given));
    }),
    { numRuns: 1_000 },
  );
});
