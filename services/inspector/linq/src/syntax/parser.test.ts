import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LinqError } from "../core/error.ts";
import { arbitraryNode, placeless } from "../testing/arbitrary-node.ts";
import { treeDepth } from "./ast.ts";
import { parse, parseOrdering } from "./parser.ts";
import { print } from "./printer.ts";

/** The quick tier runs a sample of these tests. */
const inLongTier = process.env.TESTS_TIER === "long";

describe("what the text means, by its canonical form", () => {
  test.each([
    ["1 << 2 + 1", "1 << 2 + 1"],
    ["a ?? b ?? c", "a ?? b ?? c"],
    ["(a ?? b) ?? c", "(a ?? b) ?? c"],
    ["a and b or c and d", "a && b || c && d"],
    ["a AndAlso b OrElse c", "a && b || c"],
    ["not x in (1)", "!x in (1)"],
    ["x not in (1, 2)", "x not in (1, 2)"],
    ["x not_in (1)", "x not in (1)"],
    ["x !in (1)", "x not in (1)"],
    ["1 + 1 in (2)", "1 + 1 in (2)"],
    ["a = b", "a == b"],
    ["a <> b", "a != b"],
    ["a eq b", "a == b"],
    ["a GreaterThanEqual b", "a >= b"],
    ["a mod b", "a % b"],
    ["6 & 3 | 8", "6 & 3 | 8"],
    ["-5", "-5"],
    ["-(5)", "-(5)"],
    ["- x", "-x"],
    ["a - -5", "a - -5"],
    ["0xFF", "255"],
    ["0b101UL", "5UL"],
    ["3000000000", "3000000000U"],
    ["IIF(a, b, c)", "a ? b : c"],
    ["a ? b : c ? d : e", "a ? b : c ? d : e"],
    ["isnull(a, b)", "a ?? b"],
    ["x is T", 'is(x, "T")'],
    ["x is T?", 'is(x, "T?")'],
    ["x is int ? 1 : 2", 'is(x, "int") ? 1 : 2'],
    ['as(x, "T")', 'as(x, "T")'],
    ["x as A.B.C", 'as(x, "A.B.C")'],
    ['is("T")', 'is("T")'],
    ["np(a.b, 1)", "np(a.b, 1)"],
    ["$.x + ^.y + ~.z", "it.x + parent.y + root.z"],
    ["@it", "@it"],
    ["TRUE && False", "true && false"],
    ["new { A, B.C, X + 1 as N, Name = x.Prop }", "new (A, B.C, X + 1 as N, x.Prop as Name)"],
    ["new (A = B as C)", "new (A == B as C)"],
    ["new { A = b == c ? d : e }", "new (b == c ? d : e as A)"],
    ["new { (x as T) as N }", 'new (as(x, "T") as N)'],
    ["new { x as T }", "new (x as T)"],
    ["new[] { 1, 2 }", "new [] { 1, 2 }"],
    ["new int[] { 1 }", "new int[] { 1 }"],
    ["Player?.GetComponent<Life>()?.CurHP", "Player?.GetComponent<Life>()?.CurHP"],
    ["A<B> (c)", "A<B>(c)"],
    ["a < b && c > (d)", "a < b && c > d"],
    ["a?[0]", "a?[0]"],
    ["a ? [0] : b", null],
    ["m => m.Buffs.Any(b => b.Timer > m.Level)", "m => m.Buffs.Any(b => b.Timer > m.Level)"],
    ["(x, y) => x + y", "(x, y) => x + y"],
    ['DateTime"2026-01-02"', 'DateTime"2026-01-02"'],
    ["int?(x)", "int?(x)"],
    ['"\\x41\\u0042\\n\\""', '"AB\\u000a\\""'],
    ["'\\''", "'\\''"],
    ["it.Parent.Root.And", "it.Parent.Root.And"],
    ["a.@b", "a.b"],
  ])("%s", (text, canonical) => {
    if (canonical === null) expect(() => parse(text)).toThrow(LinqError);
    else expect(print(parse(text))).toBe(canonical);
  });
});

describe("what is refused, and where", () => {
  test.each([
    ["", "expected", 0],
    ["   ", "expected", 3],
    [".5", "expected", 0],
    ["5.", "bad_number", 2],
    ["1.e3", "bad_number", 2],
    ["5.ToString()", "bad_number", 2],
    ["1e", "bad_number", 2],
    ["0x", "bad_number", 2],
    ["1_000", "bad_number", 1],
    ["5l", "bad_number", 1],
    ["18446744073709551616", "bad_number", 0],
    ["-5U", "bad_number", 0],
    ["1e400", "bad_number", 0],
    ['"abc', "unterminated_string", 0],
    ["'ab'", "bad_char", 0],
    ["''", "bad_char", 0],
    ["x == 'a", "unterminated_string", 5],
    ['"a\\qb"', "bad_escape", 2],
    ['x == "\\x4"', "bad_escape", 6],
    ["a ; b", "unexpected_character", 2],
    ["a # b", "unexpected_character", 2],
    ["`a`", "unexpected_character", 0],
    ['"a" "b"', "syntax", 4],
    ["a b", "syntax", 2],
    ["+x", "expected", 0],
    ["a === b", "expected", 4],
    ["a ^ b", "syntax", 2],
    ["x++", "expected", 2],
    ["(a", "expected", 2],
    ["a)", "syntax", 1],
    ["f(a, ", "expected", 5],
    ["f(a b", "expected", 4],
    ["a[1", "expected", 3],
    ["a[]", "expected", 2],
    ["a ? b", "expected", 5],
    ["a.", "expected", 2],
    ["a.1", "expected", 2],
    ["x in ()", "expected", 6],
    ["4 in (1 2)", "expected", 8],
    ["iif(a, b)", "wrong_arguments", 0],
    ["np()", "wrong_arguments", 0],
    ["isnull(a)", "wrong_arguments", 0],
    ["new { }", "expected", 6],
    ["new { a )", "expected", 8],
    ["new ( a }", "expected", 8],
    ["@", "expected", 1],
    ["a => ", "expected", 5],
    ["x is", "expected", 4],
    ["a //comment", "expected", 3],
    ["a = ", "expected", 4],
    ["{ a }", "expected", 0],
    ["a; drop", "unexpected_character", 1],
  ])("%s", (text, code, position) => {
    try {
      parse(text);
    } catch (error) {
      expect(error).toBeInstanceOf(LinqError);
      expect(error).toMatchObject({ code, position, text });
      return;
    }
    expect.unreachable("it parsed");
  });

  test("the caret points at the character", () => {
    try {
      parse("Level > ; 3");
    } catch (error) {
      expect(error instanceof LinqError && error.caret()).toBe("Level > ; 3\n        ^");
    }
  });
});

describe("limits", () => {
  test("text of 4 KB", () => {
    expect(() => parse(`"${"a".repeat(4_094)}"`)).not.toThrow();
    expect(() => parse(`"${"a".repeat(4_095)}"`)).toThrow(/4097 bytes/);
    expect(() => parse(`"${"ä".repeat(2_048)}"`)).toThrow(/4098 bytes/);
  });
  test.each(["(", "a[", "f(", "-", "!", "not ", "new {", "a ? b : ", "a ?? ", "x => ", "np(", "x in (-"])(
    "a thousand times %s ends in an error, not in a full stack",
    (part) => {
      expect(() => parse(part.repeat(1_000).slice(0, 4_000))).toThrow(LinqError);
    },
  );
  test("64 levels are allowed, 65 are not", () => {
    expect(treeDepth(parse(Array(64).fill("a").join("+")))).toBe(64);
    expect(() => parse(Array(65).fill("a").join("+"))).toThrow(/65 levels/);
    expect(treeDepth(parse(Array(500).fill("a").join(" || ")))).toBe(2);
    expect(treeDepth(parse(`x in (${Array(700).fill("1").join(",")})`))).toBe(2);
  });
});

test("orderings", () => {
  const keys = parseOrdering("Timer desc, Name, a > 3 ? 0 : 1 ascending, -Level DESCENDING");
  expect(keys.map(({ value, descending }) => [print(value), descending])).toEqual([
    ["Timer", true],
    ["Name", false],
    ["a > 3 ? 0 : 1", false],
    ["-Level", true],
  ]);
  expect(() => parseOrdering("a desc b")).toThrow(/Syntax error/);
  expect(() => parseOrdering("a,")).toThrow(/Expression expected/);
});

test("property: parse(print(tree)) is the tree", () => {
  fc.assert(
    fc.property(arbitraryNode, (tree) => {
      expect(placeless(parse(print(tree), { ...limits, depth: 500 }))).toEqual(placeless(tree));
    }),
    { numRuns: inLongTier ? 3_000 : 800 },
  );
});

const limits = { ...(await import("../core/limits.ts")).defaultLimits, textBytes: 100_000 };

const pieces = [
  "Level",
  ".",
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  "?",
  ":",
  "??",
  "?.",
  "=>",
  "==",
  "!",
  "not",
  "in",
  "is",
  "as",
  "new",
  "np",
  "iif",
  "1",
  "-",
  "1.5",
  '"a"',
  "'b'",
  "it",
  "and",
  "or",
  "@",
  "$",
  "\\",
  '"',
  "'",
  "0x",
  "1e",
  "<",
  ">",
  "&",
  "|",
  " ",
  "null",
  "DateTime",
] as const;

test("property: no text throws anything but our error", () => {
  const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(fc.oneof(soup, fc.string({ unit: "binary", maxLength: 60 })), (text) => {
      for (const read of [parse, parseOrdering]) {
        try {
          read(text);
        } catch (error) {
          if (!(error instanceof LinqError)) throw error;
          expect(error.position).toBeGreaterThanOrEqual(0);
          expect(error.position).toBeLessThanOrEqual(text.length);
        }
      }
    }),
    { numRuns: inLongTier ? 5_000 : 1_000 },
  );
});
