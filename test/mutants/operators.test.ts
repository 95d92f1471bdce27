/** The operators of the mutation run. */
import { expect, it } from "vitest";
import { apply, mutantsIn } from "./operators.ts";

const mutated = (text: string): readonly string[] => mutantsIn("x.ts", text).map((mutant) => apply(text, mutant));

it.each([
  ["f(a < b);", ["f(a <= b);"]],
  ["f(a && b);", ["f(a || b);"]],
  ["f(!a);", ["f(a);"]],
  ["f(true);", ["f(false);"]],
  ["f(a ? 1 : 2);", ["f(!(a) ? 1 : 2);"]],
  ["if (a) f();", ["if (false) f();"]],
  ["f(1);", []],
  ["const a: true | B = f();", []],
])("%s", (text, expected) => {
  expect(mutated(text)).toEqual(expected);
});

it("says where, and what it becomes", () => {
  expect(mutantsIn("x.ts", "f();\ng(a >= b);\n")[0]?.title).toBe("x.ts:2: g(a >= b);  ->  g(a > b);");
});
