/** Classes that no declaration knows, by their names, in a process of its own: `is`, `as`, `OfType`, what is mistyped, and that nothing of the program runs. */

import { defaultLimits } from "@fairlead/linq/limits";
import { expect, onTestFinished, test } from "vitest";
import { Targets } from "../attach/targets.ts";
import type { ToolName } from "../protocol/message.ts";
import { startProgram } from "../testing/program.ts";

const program = `
class Item { constructor(id) { this.id = id; } }
class Order extends Item { constructor(id, total) { super(id); this.total = total; } }
class Refund extends Order {}
class Sly { static get name() { globalThis.fired = true; return "Order"; } }
class HttpError extends Error {}
const bare = Object.assign(Object.create(null), { id: 9 });
const liar = { id: 8, constructor: Order };
const proxy = new Proxy(new Order(7, 1), { getPrototypeOf() { globalThis.fired = true; return Order.prototype; } });
module.exports = {
  items: [new Item(1), new Order(2, 20), new Refund(3, 30), null, 4, "Order", bare, liar, proxy, new Sly(), new Map([[1, new Order(5, 50)]]), new HttpError("no")],
  get fired() { return globalThis.fired; },
};
globalThis.shop = module.exports;
setInterval(() => 0, 1000); console.log("ready");`;

const { signal } = new AbortController();

const asked = async () => {
  const { pid } = await startProgram(["--inspect-port=127.0.0.1:0", "-e", program]);
  const none = { ask: () => Promise.reject(new Error("not asked")), close: () => Promise.resolve() };
  const options = { limits: defaultLimits, timeoutMs: 60_000, redact: {}, heapMb: 0, now: () => 0 };
  const targets = new Targets(options, none);
  onTestFinished(() => targets.close());
  await targets.attach(pid, "refused");
  return async (tool: ToolName, input: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const answer = await targets.ask(tool, input, signal);
    return answer.kind === "value" ? answer.value : answer;
  };
};

const items = "Global.shop.items";

test("objects are of the classes that their prototypes' constructors name, of those of the language as well", async () => {
  const ask = await asked();
  const values = Object.entries({
    [`${items}.OfType<Order>().Sum(total)`]: 50,
    [`${items}.OfType("Item").Count()`]: 3,
    [`${items}.Count(it is Order)`]: 2,
    [`${items}.Where(it is Refund).Single().id`]: 3,
    [`(${items}[1] as Refund) == null`]: true,
    [`(${items}[2] as Order).total`]: 30,
    [`${items}.Count(it is Map)`]: 1,
    [`${items}.Count(it is Error)`]: 1,
    [`${items}[1] is string`]: false,
    [`${items}.Take(3).Any(it is Nowhere)`]: false,
    "Global.fired": null,
  });
  for (const [expr, value] of values) expect([expr, await ask("eval", { expr, depth: 2 })]).toEqual([expr, value]);
  expect(await ask("query", { from: items, where: "it is Order && total > 20", select: "id" })).toMatchObject({
    rows: [3],
  });
  expect(await ask("query", { from: items, where: "it is Ordr" })).toMatchObject({
    rows: [],
    note: expect.stringContaining("no value that was tested is of a class 'Ordr'; did you mean 'Order'?"),
  });
  expect(await ask("eval", { expr: `${items}.OfType<order>().Count()`, depth: 1 })).toMatchObject({
    problem: { code: "unknown_type", message: expect.stringContaining("did you mean 'Order'?") },
  });
  expect(await ask("eval", { expr: `${items}.Take(1).Cast<Order>().Count()`, depth: 1 })).toMatchObject({
    problem: { code: "type_mismatch", message: "An element is not of type Order" },
  });
  expect(await ask("eval", { expr: "a.b.Order(1)", depth: 1 })).toMatchObject({ kind: "problem" });
});
