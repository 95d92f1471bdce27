/** Values of JavaScript that .NET has not, as people expect them: exact whole numbers, patterns, addresses. Nothing of them runs. */
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";

let open: InspectionHandle | undefined;
afterEach(() => open?.close());

const fired: string[] = [];
const sly = Object.defineProperty(/x+/gi, "flags", { get: () => fired.push("flags") });
class OrderError extends TypeError {
  override name = "OrderError";
}
class SlyError extends Error {
  override get message(): string {
    fired.push("message");
    return "";
  }
  get [Symbol.toStringTag](): string {
    fired.push("tag");
    return "";
  }
}
const trapped = new Proxy(Error.prototype, { getOwnPropertyDescriptor: () => void fired.push("trap") });
const tagged = {
  plain: 1,
  [Symbol("batch")]: { size: 2 },
  [Symbol("password")]: "s3cret",
  get [Symbol("live")](): number {
    return fired.push("live");
  },
};
const roots = {
  Failed: { error: new OrderError("no stock, Bearer abcdefghijklmnop", { cause: new RangeError("count") }) },
  SlyFailed: [
    new SlyError("x"),
    Object.setPrototypeOf(new Error("kept"), trapped),
    Object.assign(new Error(""), { name: sly }),
  ],
  Calls: { total: (a: number) => a, Order: OrderError, odd: new Proxy(() => 1, { get: () => fired.push("get") }) },
  Tagged: tagged,
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
  ["Failed", { error: expect.objectContaining({ name: "OrderError", cause: "RangeError: count" }) }],
  ["Failed.error.cause.message", "count"],
  ["new { Failed.error as e }.e.cause", expect.objectContaining({ message: "count" })],
  ["SlyFailed", expect.objectContaining({ count: 3 })],
  ["Calls", { total: "(function total)", Order: "(class OrderError)", odd: "(function)" }],
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

test("an error's text is its name and message, of data alone, and its stack is not read", () => {
  open = inspect(roots);
  const ask = (input: object) => open?.ask("explore", { depth: 1, ...input });
  expect(ask({ target: "Failed" })).toMatchObject({
    value: { members: [{ name: "error", type: "OrderError", value: "OrderError: no stock, Bearer …" }] },
  });
  expect(ask({ target: "Failed.error" })).toMatchObject({
    value: {
      value: "OrderError: no stock, Bearer …",
      members: expect.arrayContaining([
        expect.objectContaining({ name: "stack", unreadable: expect.stringContaining("getter") }),
        expect.objectContaining({ name: "cause", value: "RangeError: count" }),
      ]),
    },
  });
  expect(ask({ target: "SlyFailed" })).toMatchObject({
    value: { items: [{ value: "Error: x" }, { value: "Error: kept" }, { value: "Error" }] },
  });
  expect(fired).toEqual([]);
  open.close();
  open = inspect(roots, { redact: { names: ["message"] } });
  expect(ask({ target: "Failed" })).toMatchObject({ value: { members: [{ name: "error", value: "(Error)" }] } });
});

test("members under symbols are listed, and read by no expression", () => {
  open = inspect(roots);
  expect(open.ask("explore", { target: "Tagged" })).toMatchObject({
    value: {
      members: [
        { name: "plain", value: 1 },
        { name: "[Symbol(batch)]", kind: "field", type: "Object", value: "Object" },
        { name: "[Symbol(password)]", type: "string", redacted: true },
        { name: "[Symbol(live)]", kind: "accessor", unreadable: expect.stringContaining("getter") },
      ],
    },
  });
  expect(fired).toEqual([]);
});
