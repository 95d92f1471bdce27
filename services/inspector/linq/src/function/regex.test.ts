/** `Regex` in expressions. */
import { expect, test } from "vitest";
import { evaluate, plainHost } from "../index.ts";

const host = plainHost({
  Orders: [
    { id: 1, mail: "ann@example.com" },
    { id: 2, mail: "bob at home" },
  ],
  Text: "a1b22",
  Long: "a".repeat(20_000),
  Spaced: `${" ".repeat(100_000)}${"ab ".repeat(900)}`,
});
const value = (expr: string): unknown => JSON.parse(JSON.stringify(evaluate(expr, { host }).value));

test.each([
  ['Orders.Count(Regex.IsMatch(mail, "^[^@\\\\s]+@\\\\w+\\\\.com$"))', 1],
  ['Regex.IsMatch("ANN", "(?i)ann")', true],
  ['Regex.Match(Text, "\\\\d+")', "1"],
  ['Regex.Match("2026-11", "(\\\\d+)-(\\\\d+)", 2)', "11"],
  ['Regex.Match(Text, "x") == null', true],
  ['Regex.Count(Text, "\\\\d")', 3],
  ['Regex.Matches(Text, "\\\\d+").Last()', "22"],
  ['Regex.Replace(Text, "([a-z])(\\\\d+)", "$2$1$$")', "1a$22b$"],
  ['Regex.Replace("ab", "", "-")', "-a-b-"],
  ['Regex.Count(Spaced, "a(b)")', 900],
  ['Regex.IsMatch("a.b", Regex.Escape("a.b")) && !Regex.IsMatch("axb", Regex.Escape("a.b"))', true],
])("%s is %j", (expr, expected) => {
  expect(value(expr)).toEqual(expected);
});

test.each([
  ['Regex.IsMatch("a", "(?=a)")', /linear time/],
  ['Regex.IsMatch(null, "a")', /null/],
  // Each of its searches looks at the whole text.
  ['Regex.Count(Long, "a(?:.*z)?")', /too long for this pattern/],
  ['Regex.Matches(Long, "a(?:.*z)?")', /too long for this pattern/],
  ['Regex.Replace(Long, "a(?:.*z)?", "b")', /too long for this pattern/],
  ['Orders.Where(Regex.IsMatch(mail, "["))', /pattern/],
])("%s fails with words", (expr, words) => {
  expect(() => value(expr)).toThrow(words);
});
