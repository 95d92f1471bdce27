/** Members that undeclared objects have from their classes: they are named, never run, and never read as null. */
import "../testing/natives.ts";
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";

const ran: string[] = [];

class Order {
  readonly total: number;
  constructor(total: number) {
    this.total = total;
  }
  get net(): number {
    return ran.push("net");
  }
  taxed(): number {
    return ran.push("taxed");
  }
}
class Rush extends Order {}

let open: InspectionHandle | undefined;
afterEach(() => {
  open?.close();
  expect(ran.splice(0)).toEqual([]);
});

const answer = (tool: "eval" | "query", input: Readonly<Record<string, unknown>>): unknown => {
  open ??= inspect({
    Orders: Array.from({ length: 3_000 }, (_, id) => new Rush(id)),
    First: new Rush(7),
    Map: new Map(),
  });
  const reply = open.ask(tool, input);
  if (reply.ok) return reply.value;
  return "problem" in reply ? { ...reply.problem } : reply;
};

const getter = { code: "not_readable", message: "'net' is a getter, which would run" };

test.each([
  ["eval", { expr: "First.net" }, 6],
  ["eval", { expr: "First.Net" }, 6],
  ["eval", { expr: "Orders.Sum(net)" }, 11],
  ["eval", { expr: "np(First.net, 3)" }, 9],
  ["query", { from: "Orders", where: "net > 3" }, 0],
  ["query", { from: "Orders", select: "new { total, net }" }, 13],
  ["query", { from: "Orders", orderBy: "net", take: 1 }, 0],
] as const)("a getter of the class: %s %j", (tool, input, position) => {
  expect(answer(tool, input)).toMatchObject({ ...getter, position });
});

test("a method of the class is not a value; own data, and what no object has, is read as ever", () => {
  expect(answer("eval", { expr: "First.taxed" })).toMatchObject({ message: "'taxed' is a method, which would run" });
  expect(answer("eval", { expr: "Orders.Sum(total)" })).toBe(4_498_500);
  expect(answer("query", { from: "Orders", where: "total > 2997", select: "total" })).toMatchObject({
    rows: [2_998, 2_999],
    path: "generated",
  });
  expect(answer("eval", { expr: "First.discount" })).toBe(null);
  expect(answer("eval", { expr: "First.hasOwnProperty" })).toBe(null);
  expect(answer("eval", { expr: "Map.Count" })).toBe(0);
});
