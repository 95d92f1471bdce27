import { describe, expect, test } from "vitest";
import { slownessOf } from "./pattern.ts";

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
    expect(slownessOf(source)).toBe(slowness);
    expect(slownessOf(source)).toBe(slowness);
  });

  test("depends on the flags", () => {
    expect(slownessOf("^[a-z]*K+$", "i")).toBe("polynomial");
    expect(slownessOf("^[a-z]*K+$")).toBe(undefined);
  });

  test("is not known for what is no expression", () => {
    expect(() => slownessOf("(")).toThrow();
  });
});
