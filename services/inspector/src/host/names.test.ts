/** Objects with very many names: listed where the caller allows it, and found out without listing them. */
import { LinqError } from "@fairlead/linq";
import { afterEach, expect, test } from "vitest";
import { type InspectionHandle, inspect } from "../host.ts";
import { NameReader } from "./names.ts";

const many = 100_000;
const keyed = (name: (index: number) => PropertyKey): object => {
  const made: Record<PropertyKey, unknown> = {};
  for (let index = 0; index < many; index++) made[name(index)] = index;
  return made;
};
const ByName = keyed((index) => `order${index}`);
const ById = keyed((index) => index + 1_000);
const BySymbol = keyed((index) => Symbol(index));
class Order {
  id = 1;
  #rank = 2;
  rank(): number {
    return this.#rank;
  }
}
const Below = Object.create(ByName) as object;
const roots = { ByName, ById, Below, App: { small: new Order(), byName: ByName } };

let open: InspectionHandle | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

const ask = (tool: "explore" | "eval" | "query", input: Readonly<Record<string, unknown>>): unknown => {
  open = inspect(roots, { limits: { wallMs: 600_000 } });
  const reply = open.ask(tool, input);
  if (reply.ok) return reply.value;
  return "problem" in reply ? reply.problem : reply;
};

const refused = {
  code: "pause_needed",
  message: expect.stringMatching(
    /^The object has about [\d,]+ names: to list them stops the program for about \d+ ms$/,
  ),
  hint: expect.stringContaining("`pause: true`"),
};

test.each([
  ["texts", ByName],
  ["whole numbers", ById],
  ["symbols", BySymbol],
])("%s as names are counted without a list of them", (_, value) => {
  expect(() => new NameReader().read(value)).toThrow(LinqError);
  const allowed = new NameReader({ isAllowed: true });
  expect(allowed.read(value)).toEqual(Object.getOwnPropertyNames(value));
  expect(allowed.estimatedMs).toBeGreaterThan(0);
});

test("what an object has few of is listed: names, numbers far apart, elements, a proxy's none", () => {
  const reader = new NameReader();
  const few = [
    { a: 1 },
    { 65536: 1, 131072: 2 },
    Array.from({ length: many }),
    new Uint8Array(many),
    new Proxy(ByName, {}),
  ];
  expect(few.map((value) => reader.read(value).length)).toEqual([1, 2, 0, 0, 0]);
});

test("a search for symbols that something else made slow is repeated", () => {
  const times = [0, 5, 5, 5.1];
  expect(new NameReader({ now: () => times.shift() ?? Number.NaN }).read({ a: 1 })).toEqual(["a"]);
});

test("an object that has shrunk is listed again once that was allowed", () => {
  const value = keyed((index) => `k${index}`);
  expect(() => new NameReader().read(value)).toThrow();
  for (const name of Object.getOwnPropertyNames(value).slice(1)) Reflect.deleteProperty(value, name);
  expect(new NameReader({ isAllowed: true }).read(value)).toEqual(["k0"]);
  expect(new NameReader().read(value)).toEqual(["k0"]);
});

test.each([
  ["explore", { target: "ByName" }],
  ["explore", { target: "ById" }],
  ["eval", { expr: "ByName" }],
  ["eval", { expr: "ByName.nothing" }],
  ["eval", { expr: "Below.nothing" }],
  ["eval", { expr: "new { ById.nothing as n }" }],
] as const)("%s %j is refused with what it would cost", (tool, input) => {
  expect(ask(tool, input)).toMatchObject(refused);
});

test("members by name, and what is around such an object, need no leave", () => {
  expect(ask("eval", { expr: 'ByName.order7 + ById["1008"]' })).toBe(15);
  expect(ask("explore", { target: "" })).toMatchObject({ members: [{ name: "ByName" }, {}, {}, { name: "App" }] });
  expect(ask("explore", { target: "App" })).toMatchObject({
    members: [{ name: "small" }, { name: "byName", value: "(object)" }],
  });
  expect(ask("explore", { target: "App", depth: 2 })).toMatchObject({
    members: [
      { name: "small", members: [{ name: "id" }, { name: "#rank" }] },
      { name: "byName", value: "(object)" },
    ],
    hint: expect.stringMatching(/^App\.byName is not opened: .*`pause: true`/),
  });
  expect(ask("eval", { expr: "App" })).toMatchObject({ small: { id: 1 }, byName: { $unreadable: expect.any(String) } });
});

test("a search passes over them and says so", () => {
  expect(ask("explore", { target: "search:Order" })).toMatchObject({
    types: [{ type: "Order" }],
    hint: expect.stringMatching(/; 2 with very many names passed over/),
  });
  expect(ask("explore", { target: "search:Order", pause: true })).toMatchObject({
    hint: expect.not.stringContaining("passed over"),
    pause: { estimatedMs: expect.any(Number), measuredMs: expect.any(Number) },
  });
});

test("a search goes on where a class has very many methods, or an object with private fields very many names", () => {
  class Stock {
    #level = 1;
    level(): number {
      return this.#level;
    }
  }
  class Service {}
  Object.assign(Service.prototype, ByName);
  open = inspect({ Wide: Object.assign(new Stock(), ByName), Served: new Service(), Small: new Order() });
  expect(open.ask("explore", { target: "search:Order" })).toMatchObject({
    value: { types: [{ type: "Order" }], hint: expect.stringMatching(/; 2 with very many names passed over/) },
  });
});

test("with `pause: true` the answer says what was expected and what was measured", () => {
  const explored = ask("explore", { target: "ByName", pause: true, limit: 3 }) as {
    readonly pause: { readonly estimatedMs: number; readonly measuredMs: number };
  };
  expect(explored).toMatchObject({
    members: expect.arrayContaining([expect.objectContaining({ name: "order0", value: 0 })]),
  });
  expect(explored.pause.estimatedMs).toBeGreaterThan(10);
  expect(explored.pause.measuredMs).toBeGreaterThan(0);
  expect(ask("eval", { expr: "ByName.ORDER5", pause: true })).toEqual({
    value: 5,
    pause: { estimatedMs: expect.any(Number), measuredMs: expect.any(Number) },
  });
  expect(ask("query", { from: "App.small", where: "id == 1", pause: true })).toMatchObject({
    code: "not_a_collection",
  });
  expect(ask("query", { from: "new[] { ByName }", select: "order3", pause: true })).toMatchObject({
    rows: [3],
    pause: { measuredMs: expect.any(Number) },
  });
});
