import fc from "fast-check";
import { expect, test } from "vitest";
import { parseOpenapi } from "./openapi.ts";

test("reads path, kind, retry safety and tool of every operation", () => {
  const operation = (operationId: string, kind: string, retry: string, tool?: string) => ({
    operationId,
    "x-fairlead": { kind, retry, tool },
  });
  const offered = parseOpenapi({
    paths: {
      "/api/a/list": {
        get: { operationId: "a.list_get", "x-fairlead": { procedure: "a.list" } },
        post: operation("a.list", "query", "safe"),
      },
      "/api/a/make": { post: operation("a.make", "mutation", "keyed", "make_it") },
      "/api/a/watch": { post: operation("a.watch", "subscription", "safe") },
      "/api/foreign": { post: { operationId: "foreign" }, put: operation("a.put", "query", "safe") },
    },
  });
  expect([...(offered?.routes.values() ?? [])]).toEqual([
    { name: "a.list", kind: "query", path: "/api/a/list", retry: "safe" },
    { name: "a.make", kind: "mutation", path: "/api/a/make", retry: "keyed" },
    { name: "a.watch", kind: "subscription", path: "/api/a/watch", retry: "safe" },
  ]);
  expect([...(offered?.tools ?? [])]).toEqual([["make_it", "a.make"]]);
});

test("never throws, and takes what it does not know for unsafe", () => {
  const method = fc.record({ operationId: fc.jsonValue(), "x-fairlead": fc.jsonValue() }, { requiredKeys: [] });
  const item = fc.oneof(fc.jsonValue(), fc.record({ get: method, post: method }, { requiredKeys: [] }));
  const document = fc.oneof(fc.jsonValue(), fc.record({ paths: fc.dictionary(fc.string(), item) }));
  fc.assert(
    fc.property(document, (value) => {
      for (const { retry } of parseOpenapi(value)?.routes.values() ?? []) expect(retry).toBe("unsafe");
    }),
  );
  expect(parseOpenapi("<html>")).toBeUndefined();
});
