/** Values of JavaScript that .NET has not, as people expect them: exact whole numbers, patterns, addresses. Nothing of them runs. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const fired: string[] = [];
const sly = Object.defineProperty(/x+/gi, "flags", { get: () => fired.push("flags") });
const roots = {
  Big: 2n ** 64n + 1n,
  Huge: 2n ** 70_000n,
  Long: 2n ** 62n,
  Pattern: Object.assign(/a\/b+/dgs, { lastIndex: 3 }),
  Sly: sly,
  Address: new URL("https://user:s3cret@x.example/a?b=1"),
  Like: Object.create(URL.prototype, { own: { value: 1, enumerable: true } }),
};

const evaluate = (expr: string): unknown => {
  open = inspect(roots);
  const reply = open.ask("eval", { expr });
  return reply.ok ? reply.value : "problem" in reply ? reply.problem.code : reply;
};

test.each([
  ["Big + 1", "18446744073709551618"],
  ["Big - Big", 0],
  ["Big * 2", "36893488147419103234"],
  ["Big / 2", "9223372036854775808"],
  ["Big % 10", 7],
  ["1 - Big", "-18446744073709551616"],
  ["Huge / Huge + 1", 2],
  ["Huge - Huge == 0 && Huge > Big", true],
  ["Big / 0", "divide_by_zero"],
  ["Huge * Huge * Huge * Huge * Huge", "overflow"],
  ["Big * 0.5", 2 ** 63],
  ["Long + 1", "4611686018427387905"],
  ["Pattern", "/a\\/b+/dgs"],
  ["Sly", { flags: { $unreadable: expect.stringContaining("getter") } }],
  ["Address", "https://user:…@x.example/a?b=1"],
  ["Like", { own: 1 }],
])("%s", (expr, value) => {
  expect(evaluate(expr)).toEqual(value);
  expect(fired).toEqual([]);
});

test("explore shows a pattern and an address as their text", () => {
  open = inspect(roots);
  expect(open.ask("explore", { target: "Pattern", depth: 0 })).toMatchObject({ value: { value: "/a\\/b+/dgs" } });
  expect(open.ask("explore", { target: "Address", depth: 0 })).toMatchObject({
    value: { type: "URL", value: "https://user:…@x.example/a?b=1" },
  });
});
