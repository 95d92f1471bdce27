import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { type Fixture, send, startFixture } from "../../testing/wire-fixture.ts";
import { visibleOpenApi, visibleVerbs } from "./visible.ts";

const generated = (name: string): string =>
  readFileSync(new URL(`../../../../contracts/gen/${name}`, import.meta.url), "utf8");
const whole = generated("openapi.json");

describe("the OpenAPI document for a token of one service", () => {
  const text = visibleOpenApi(whole, ["rules"]);
  const document = JSON.parse(text);

  test("has the paths and the tag of that service, and no other", () => {
    expect(Object.keys(document.paths).length).toBeGreaterThan(3);
    const operations = Object.values<Record<string, { readonly tags: readonly string[] }>>(document.paths);
    expect(new Set(operations.flatMap((methods) => Object.values(methods).flatMap(({ tags }) => tags)))).toEqual(
      new Set(["rules"]),
    );
    expect(document.tags.map(({ name }: { readonly name: string }) => name)).toEqual(["rules"]);
    for (const other of ["loop.", "pob.", "inspector.", "connections.", "kernel."]) {
      expect(Object.keys(document.components.schemas).filter((name) => name.startsWith(other))).toEqual([]);
    }
  });

  test("has all that it refers to", () => {
    const references = [...text.matchAll(/"#\/components\/([^/"]+)\/([^/"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, kind = "", name = ""] of references) expect(document.components[kind]).toHaveProperty([name]);
  });
});

test.each([
  ["OpenAPI", visibleOpenApi(whole, ["rules"])],
  ["verbs", visibleVerbs(generated("verbs.json"), ["rules"])],
])("the document of %s says to a token of one service neither names nor versions of the others", (_, text) => {
  expect(text).toContain("rules");
  expect(text).not.toMatch(/\b(?:connections|inspector|kernel|loop|pob) \d/);
});

test("a procedure that is off is not listed, by no method", () => {
  const without = JSON.parse(visibleOpenApi(whole, undefined, ["pob.luaGetTree"]));
  expect(JSON.parse(whole).paths["/api/pob/luaGetTree"]).toHaveProperty(["get", "operationId"], "pob.luaGetTree_get");
  expect(without.paths).not.toHaveProperty(["/api/pob/luaGetTree"]);
  expect(without.paths).toHaveProperty(["/api/pob/luaGetStats"]);
});

describe("a token of another service", () => {
  let fixture: Fixture | undefined;
  afterEach(() => fixture?.close());

  test("sees nothing of this one in documents, readiness and metrics", async () => {
    const principal = { id: "p", access: ["read" as const, "call" as const, "admin" as const], services: ["other"] };
    fixture = await startFixture({ rules: { authenticate: () => principal } });
    const { port } = fixture;
    for (const path of [
      "/openapi.json",
      "/readyz",
      "/metrics",
      "/version",
      "/livez",
      "/",
      "/llms.txt",
      "/docs/openapi.json",
    ]) {
      const answer = await send(port, { path });
      expect(answer.status, path).toBe(200);
      expect(answer.text, path).not.toContain("wire");
    }
    for (const path of ["/schema/wire.json", "/docs/wire.md"])
      expect((await send(port, { path })).status, path).toBe(404);
  });
});
