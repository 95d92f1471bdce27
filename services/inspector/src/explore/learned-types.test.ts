/** Classes without a declaration: found by `type:` and `search:` from what roots lead to, without running anything of theirs. */
import { dynamic } from "@fairlead/linq";
import { afterEach, expect, test } from "vitest";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import { type InspectOptions, inspect } from "../host.ts";
import { learnTypes } from "./learned-types.ts";
import { V8View } from "./v8-view.ts";

const fired: string[] = [];
class Base {
  shared = true;
  get label(): string {
    fired.push("label");
    return "base";
  }
}
class Order extends Base {
  total: number | null = 3;
  lines = [new Line()];
  password = "x";
  #rank = 1;
  taxed(rate: number): number {
    fired.push("taxed");
    return this.total === null ? this.#rank : this.total * rate;
  }
}
class Line {
  sku = "a";
}
class Far {}

const other = new Order();
other.total = null;
const roots = {
  App: { orders: new Map([["first", new Order()]]), more: [other] },
  Broken: () => {
    throw new Error("no");
  },
  Sly: new Proxy(
    {},
    {
      ownKeys: () => {
        fired.push("trap");
        return [];
      },
    },
  ),
};

let open: ReturnType<typeof inspect> | undefined;
afterEach(() => {
  open?.close();
  open = undefined;
});

const explored = (target: string, options: InspectOptions = {}, more = {}): unknown => {
  open = inspect({ ...roots, ...more }, options);
  const reply = open.ask("explore", { target, depth: 1, includePrivate: true, limit: 50, offset: 0 });
  if (reply.ok) return reply.value;
  return "problem" in reply ? reply.problem : reply;
};

test("type: shows members, accessors and methods, bases' included, and no value", () => {
  expect(explored("type:order")).toEqual({
    type: "Order",
    kind: "class",
    base: "Base",
    attributes: [],
    members: [
      { name: "shared", kind: "field", type: "boolean", access: "public" },
      { name: "total", kind: "field", type: "number | null", access: "public" },
      { name: "lines", kind: "field", type: "Array", access: "public" },
      { name: "password", kind: "field", type: "string", access: "public", redacted: true },
      { name: "#rank", kind: "field", type: "number", access: "private" },
      { name: "label", kind: "accessor", type: "get", access: "public" },
    ],
    methods: [{ name: "taxed", signature: "taxed(rate)", access: "public", callable: false }],
    hint: expect.stringMatching(/^learned from 2 objects; \d+ objects were looked at, from the roots on$/),
  });
  expect(explored("type:Base")).toMatchObject({
    members: [{ name: "label" }],
    hint: expect.stringContaining("learned as a base"),
  });
  expect(fired).toEqual([]);
});

test("search: finds classes and members by patterns", () => {
  expect(explored("search:*rder*")).toMatchObject({
    types: [{ type: "Order", kind: "class", target: "type:Order" }],
    members: [],
    count: 1,
  });
  expect(explored("search:taxed")).toMatchObject({ members: [{ type: "Order", kind: "method" }] });
  expect(explored("type:*Lin*")).toMatchObject({ types: [{ type: "Line" }], members: [] });
  expect(fired).toEqual([]);
});

test("what is not there is an error with what is near, and a walk that was cut says so", () => {
  expect(explored("type:Ordr")).toMatchObject({ code: "unknown_type", hint: "did you mean 'Order'?" });
  const Many = [...Array.from({ length: 300 }, () => ({})), new Far()];
  expect(explored("search:Far", {}, { Many })).toMatchObject({
    count: 0,
    hint: expect.stringMatching(/^whole names.*; \d+ objects were looked at.*not all/),
  });
  expect(explored("search:Line", {}, { Many })).toMatchObject({ count: 1, hint: expect.stringContaining("not all") });
});

test("a walk pauses by time, and asks once for the names of an object", () => {
  let now = 0;
  let asked = 0;
  const registry = new Registry([]);
  const access = hostAccess({ registry, roots: [], now: () => 0 });
  const wide = Array.from({ length: 12 }, () => new Line());
  const fieldNames = (value: object): readonly string[] => {
    now += 2;
    asked++;
    return access.fieldNames(value);
  };
  const host = { ...access, fieldNames, roots: [{ name: "Wide", type: dynamic, read: () => wide }] };
  const walk = learnTypes({ host, hidden: new V8View(), elapsed: () => now, wallMs: 5000 });
  let pauses = 0;
  while (walk.next().done !== true) pauses++;
  expect({ asked, pauses }).toEqual({ asked: 13, pauses: 14 });
});

test("a declared class keeps its declaration", () => {
  const types = [{ kind: "class" as const, name: "Shop.Order", constructs: Order, members: [] }];
  expect(explored("type:Order", { types })).toMatchObject({ type: "Shop.Order", members: [] });
  expect(explored("search:Order", { types })).toMatchObject({ types: [{ type: "Shop.Order" }], count: 1 });
});
