import { expect, test } from "vitest";
import { exampleInput } from "./example-input.ts";
import { printSnippet } from "./snippet.ts";
import type { SnippetCall } from "./snippet-call.ts";

const ticks: SnippetCall = {
  url: "http://[::1]:5099",
  needsToken: true,
  service: "shop",
  procedure: "ticks",
  kind: "subscription",
  retry: "safe",
  path: "/api/shop/ticks",
  input: { from: 1 },
};

const python = { package: "shop_client", class: "Shop", method: "ticks", arguments: new Map([["from", "from_"]]) };

test("a stream is read event by event, and reads its token from the environment", () => {
  expect(printSnippet("curl", ticks)).toBe(
    `curl -sN 'http://[::1]:5099/api/shop/ticks' -H 'content-type: application/json' -H "authorization: Bearer $FAIRLEAD_TOKEN" -d '{"from":1}'`,
  );
  expect(printSnippet("typescript", { ...ticks, typescriptModule: "./gen/shop.ts" })).toBe(`\
import { createClient, fetchTransport } from "@fairlead/client";
import { shop, type ShopTypes } from "./gen/shop.ts";

const client = createClient<ShopTypes>(shop, fetchTransport({ url: "http://[::1]:5099", token: process.env.FAIRLEAD_TOKEN }));
for await (const event of client.ticks({ from: 1 })) console.log(event);`);
  expect(printSnippet("python", { ...ticks, python })).toBe(`\
import os

import fairlead
from shop_client.shop import Shop

client = fairlead.Client("http://[::1]:5099", token=os.environ["FAIRLEAD_TOKEN"])
with Shop(client).ticks(from_=1) as events:
    for event in events:
        print(event)`);
  expect(printSnippet("mcp", ticks)).toBeUndefined();
});

test("an idempotency key goes along in every form", () => {
  const add = { ...ticks, kind: "mutation", retry: "keyed", tool: "shop_add", idempotencyKey: 'a"b' } as const;
  expect(printSnippet("curl", add)).toContain(`-H 'idempotency-key: a"b'`);
  expect(printSnippet("typescript", add)).toContain(String.raw`{ idempotencyKey: "a\"b" }`);
  expect(printSnippet("python", { ...add, python })).toContain(
    String.raw`.with_options(idempotency_key="a\"b").ticks(`,
  );
  expect(printSnippet("python", add)).toContain(String.raw`fairlead.CallOptions(idempotency_key="a\"b"))`);
  expect(JSON.parse(printSnippet("mcp", add) ?? "").params).toEqual({
    name: "shop_add",
    arguments: { from: 1 },
    _meta: { "fairlead/idempotencyKey": 'a"b' },
  });
});

test("long values take a line each member", () => {
  const input = { note: "x".repeat(60), list: ["y".repeat(40), "z"], "a-b": {}, ["__proto__"]: 1 };
  expect(printSnippet("typescript", { ...ticks, kind: "query", input })).toContain(`client.ticks({
  note: "${"x".repeat(60)}",
  list: ["${"y".repeat(40)}", "z"],
  "a-b": {},
  ["__proto__"]: 1,
})`);
});

test("an input is made up of what is required", () => {
  const $defs = { Size: { enum: ["small", "large"] } };
  const properties = {
    name: { type: "string" },
    size: { $ref: "#/$defs/Size" },
    count: { type: "integer", minimum: 3 },
    price: { type: "number", exclusiveMinimum: 0 },
    tags: { type: "array", minItems: 1, items: { type: "string" } },
    parts: { type: "array", items: { type: "string" } },
    gift: { anyOf: [{ type: "null" }, { type: "boolean" }] },
    only: { const: "this" },
    more: { type: "string" },
  };
  const required = Object.keys(properties).filter((name) => name !== "more");
  expect(exampleInput({ type: "object", properties, required, $defs })).toEqual({
    name: "name",
    size: "small",
    count: 3,
    price: 1,
    tags: ["tags"],
    parts: [],
    gift: null,
    only: "this",
  });
});
