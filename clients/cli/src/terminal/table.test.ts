import { expect, test } from "vitest";
import { table } from "./table.ts";

test("columns are as wide as their widest cell, and lines end without spaces", () => {
  expect(
    table([
      ["A", "B"],
      ["long", ""],
      ["x", "y", "z"],
    ]),
  ).toBe("A     B\nlong\nx     y  z");
  expect(table([])).toBe("");
});
