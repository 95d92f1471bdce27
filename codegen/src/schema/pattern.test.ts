import { analyse } from "scslre";
import { describe, expect, test } from "vitest";
import { formatPatterns, patternSlowness } from "./pattern.ts";

describe("the time that an expression takes", () => {
  test.each([
    ["exponential", "^(a+)+$"],
    ["exponential", "^(?:\\s*[-?:]\\s+){9,}"],
    ["polynomial", "^\\d+_\\d+\\w*$"],
    ["polynomial", "a+$"],
    [undefined, "^(?:a|b)+$"],
    [undefined, "(?<!a)a+$"],
    [undefined, "^[a-z]{1,40}$"],
  ])("is %s for /%s/", (slowness, source) => {
    expect(patternSlowness(source)).toBe(slowness);
    expect(patternSlowness(source)).toBe(slowness);
  });

  test("depends on the flags", () => {
    expect(patternSlowness("^[a-z]*K+$", "i")).toBe("polynomial");
    expect(patternSlowness("^[a-z]*K+$")).toBe(undefined);
  });

  test("is in proportion to the text for the formats that are known before", () => {
    const reports = formatPatterns.map(({ source, flags }) => analyse({ source, flags }).reports.length);
    expect(reports).toEqual(formatPatterns.map(() => 0));
  });

  test("is not known for what is not an expression", () => {
    expect(() => patternSlowness("(")).toThrow();
  });
});
