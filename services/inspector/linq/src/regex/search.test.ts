/** What a pattern finds is what the language's own engine finds, as long as neither goes back for ever; and no pattern takes more than its share. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { LinqError } from "../core/error.ts";
import { regexProgram } from "./program.ts";
import { searchRegex } from "./search.ts";

const atom = fc.constantFrom(
  "a",
  "b",
  "c",
  ".",
  "[ab]",
  "[^b]",
  "\\d",
  "\\w",
  "\\s",
  "\\W",
  "[a-c\\d]",
  "é",
  "😀",
  "\\.",
  "\\u0062",
);
const times = fc.constantFrom("", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,3}", "{0,2}?", "{2,}");
const assertion = fc.constantFrom("^", "$", "\\b", "\\B");

/** Patterns of choices of pieces, of groups in groups. What is repeated is never empty: JavaScript goes back from empty repetitions, which no other engine does. */
const patternOver = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> => {
  const repeated = fc.tuple(atom, inner, times);
  const piece = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(atom, times).map((parts) => parts.join("")) },
    { weight: 2, arbitrary: repeated.map(([first, rest, many]) => `(${first}(?:${rest}))${many}`) },
    inner.map((given) => `(${given})`),
    assertion,
  );
  const sequence = fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join(""));
  return fc.array(sequence, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("|"));
};
const pattern = patternOver(patternOver(patternOver(fc.constant(""))));
const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "1", " ", ".", "é", "\n"), maxLength: 6 });

const found = (wanted: string, given: string): readonly [number, number] | undefined => {
  const match = searchRegex(regexProgram(wanted), given);
  return match === undefined ? undefined : [match[0] ?? -1, match[1] ?? -1];
};

test.each(["", "i"])("any pattern finds what the engine of JavaScript finds, with flags '%s'", (flags) => {
  fc.assert(
    fc.property(pattern, text, (wanted, given) => {
      const own = new RegExp(wanted, `u${flags}`).exec(given);
      const expected = own === null ? undefined : [own.index, own.index + own[0].length];
      expect(found(flags === "" ? wanted : `(?i)${wanted}`, given)).toEqual(expected);
    }),
    { numRuns: 600 },
  );
});

test("a character beyond 16 bits is one character", () => {
  expect(found("^.$", "😀")).toEqual([0, 2]);
  expect(found("[^a]b", "a😀b")).toEqual([1, 4]);
});

test("groups are those of the match that was chosen", () => {
  const match = searchRegex(regexProgram("(?<year>\\d{4})-(\\d\\d)(-(\\d\\d))?"), "on 2026-11, or so");
  expect(match).toEqual([3, 10, 3, 7, 8, 10, -1, -1, -1, -1]);
});

test("patterns that take other engines for ever are done in the time of their length", () => {
  for (const wanted of ["(a+)+$", "(a|aa)+$", "(.*)*x", "(a?){30}a{30}"]) {
    const text = `${"a".repeat(3_000)}!`;
    expect(found(wanted, text)).toEqual(wanted.endsWith("}") ? [0, 60] : undefined);
  }
});

test.each([
  ["(?=a)", "linear time"],
  ["(?<!a)b", "linear time"],
  ["(a)\\1", "linear time"],
  ["\\k<a>", "linear time"],
  ["a++", "possessive"],
  ["a**", "repetition of a repetition"],
  ["*a", "nothing that could be repeated"],
  ["^*", "nothing that could be repeated"],
  ["(a", "no ')'"],
  ["a)", "without a '('"],
  ["[a", "an end"],
  ["[b-a]", "range"],
  ["a{3,2}", "most is less"],
  ["a{1001}", "1000 times"],
  ["(a{900}){900}", "2000 steps"],
  ["\\p{Nothing}", "property"],
  ["\\q", "escape"],
  ["\\", "an end"],
  ["(".repeat(200), "too many groups"],
])("%s is refused with words", (wanted, words) => {
  expect(() => regexProgram(wanted)).toThrow(words);
});

test("no text of any kind makes reading it fail otherwise", () => {
  const any = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."()[]{}|*+?^$\\.-,az09pPkbu<>:=!") }),
  );
  fc.assert(
    fc.property(any, text, (wanted, given) => {
      try {
        found(wanted, given);
      } catch (error) {
        expect(LinqError.is(error) && error.code === "bad_format").toBe(true);
      }
    }),
  );
});

test("nothing is nothing, however often it is repeated", () => {
  expect(found("(?:(?:(?:(?:){1000}){1000}){1000}){1000}a", "ba")).toEqual([1, 2]);
  expect(found("(?:){2,}|a", "a")).toEqual([0, 0]);
});

test("a text that is too long for a pattern is refused before it is looked at", () => {
  expect(() => found("a{500}", "b".repeat(10_000))).toThrow("too long for this pattern");
});
