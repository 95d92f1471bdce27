import { readFileSync } from "node:fs";
import { join } from "node:path";
import { genConfigSchema } from "@fairlead/contracts";
import { expect, test } from "vitest";
import { generate } from "../../generate.ts";
import { temporaryProject } from "../../testing/fixture.ts";
import { importOpenApi } from "./import-openapi.ts";

const config = genConfigSchema.parse({ loadTimeoutMs: 240_000 });

const json = (schema: unknown) => ({ content: { "application/json": { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const ok = { 200: { description: "Fine", ...json(ref("Pet")) } };

const shop = {
  openapi: "3.0.3",
  info: { title: "Pet shop", version: "2.1" },
  servers: [{ url: "https://{host}/v2", variables: { host: { default: "pets.example" } } }],
  paths: {
    "/pets": {
      get: {
        operationId: "pets/list-all",
        summary: "Lists pets",
        parameters: [
          { name: "tag[]", in: "query", schema: { type: "array", items: { type: "string" } } },
          {
            name: "limit",
            in: "query",
            required: true,
            schema: { type: "integer", maximum: 50 },
            description: "How many.",
          },
          { name: "X-Trace", in: "header", schema: { type: "string" } },
          { name: "Authorization", in: "header", schema: { type: "string" } },
          { name: "session", in: "cookie", schema: { type: "string" } },
        ],
        responses: {
          200: { description: "All", ...json({ type: "array", items: ref("Pet") }) },
          default: { $ref: "#/components/responses/Bad" },
        },
      },
      post: {
        operationId: "createPet",
        requestBody: { required: true, ...json(ref("Pet")) },
        responses: {
          201: { description: "Made", ...json(ref("Pet")) },
          409: { description: "Taken. Choose another." },
          422: { $ref: "#/components/responses/Bad" },
        },
      },
    },
    "/pets/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      get: { operationId: "get", summary: "One", deprecated: true, responses: { ...ok, 404: { description: "None" } } },
      put: {
        requestBody: { content: { "application/x-www-form-urlencoded": { schema: ref("Pet") } } },
        responses: { 204: { description: "Done" } },
      },
      delete: { operationId: "constructor", responses: { 204: { description: "Gone" } } },
    },
    "/pets/{id}/photo": {
      put: { requestBody: { required: true, content: { "image/png": {} } }, responses: ok },
      get: { responses: { 200: { description: "A picture", content: { "image/png": {} } } } },
    },
    "/lost/{where}": { get: { responses: ok } },
    "/motd": { get: { responses: { 200: { description: "Today", content: { "text/plain": {} } } } } },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } },
    responses: { Bad: { description: "Wrong", ...json(ref("Problem")) } },
    schemas: {
      Problem: { type: "object", properties: { message: { type: "string" } } },
      Pet: {
        type: "object",
        required: ["id", "name"],
        properties: {
          id: { type: "integer", readOnly: true },
          name: { type: "string", minLength: 1, description: "What it is called." },
          born: { type: "string", format: "date-time", nullable: true },
          size: { type: "number", minimum: 0, exclusiveMinimum: true },
          kind: { type: "string", enum: ["cat", "dog"], nullable: true },
          readonly: { type: "boolean" },
          owner: ref("Owner"),
        },
      },
      Owner: {
        type: "object",
        properties: {
          pets: { type: "array", items: ref("Pet") },
          also: { allOf: [ref("Problem"), { type: "object", properties: { more: { type: "boolean" } } }] },
        },
      },
    },
  },
};

test("a document becomes a contract that generates without a complaint, and a service that asks the API", async () => {
  using project = temporaryProject();
  const { root } = project;
  const options = { root, config, id: "pets", document: shop, source: "shop.json" };
  const made = await importOpenApi(options);
  expect(made).toEqual({
    ok: true,
    written: ["contracts/pets.contract.ts", "services/pets/operations.ts", "services/pets/service.ts"],
    procedures: 6,
    left: [
      { operation: "GET /pets/{id}/photo", what: "its answer is neither JSON nor text" },
      { operation: "PUT /pets/{id}/photo", what: "its body is image/png" },
      { operation: "GET /lost/{where}", what: "its path has where, which it does not describe" },
    ],
    losses: [{ operation: "GET /pets", what: "the cookie session" }],
    next: ["run `fairlead gen`", "put its credentials (key) under services.pets.headers in the configuration"],
  });
  expect(await generate({ root, config })).toMatchObject({ ok: true, diagnostics: [] });
  const contract = readFileSync(join(root, "contracts/pets.contract.ts"), "utf8");
  expect(contract).toContain('.meta({ format: "date-time" }).nullable()');
  expect(contract).toContain('.meta({ id: "PetsPet" })');
  const client = readFileSync(join(root, "gen/pets.ts"), "utf8");
  for (const [name, kind, retry] of [
    ["petsListAll", "query", "safe"],
    ["createPet", "mutation", "unsafe"],
    ["get", "query", "safe"],
    ["putPetsId", "mutation", "idempotent"],
    ["constructorOperation", "mutation", "idempotent"],
    ["getMotd", "query", "safe"],
  ])
    expect(client).toMatch(new RegExp(`name: "pets.${name}", kind: "${kind}".*retry: "${retry}"`));
  expect(readFileSync(join(root, "services/pets/service.ts"), "utf8")).toContain('url: "https://pets.example/v2"');
  project.write("services/pets/service.ts", "// mine\n");
  expect(await importOpenApi({ ...options, paths: ["/motd"] })).toMatchObject({ ok: true, procedures: 1 });
  expect(readFileSync(join(root, "services/pets/service.ts"), "utf8")).toBe("// mine\n");
  expect(readFileSync(join(root, "contracts/pets.contract.ts"), "utf8")).not.toContain("createPet");
});

test.each([
  [{ swagger: "2.0" }, "it is Swagger 2.0"],
  [{ openapi: "4.0.0" }, 'it says `openapi: "4.0.0"`'],
  [[], "it is not an object"],
  [{ ...shop, paths: {} }, "shop.json has no operation to import: it has none"],
])("what is no such document is refused: %#", async (document, words) => {
  using project = temporaryProject();
  const made = await importOpenApi({ root: project.root, config, id: "pets", document, source: "shop.json" });
  expect(made).toMatchObject({ ok: false, message: expect.stringContaining(words) });
});

test("what people wrote is not written over", async () => {
  using project = temporaryProject({ "contracts/pets.contract.ts": "export {};\n" });
  const made = await importOpenApi({ root: project.root, config, id: "pets", document: shop, source: "shop.json" });
  expect(made).toMatchObject({ ok: false, message: "contracts/pets.contract.ts exists already" });
});
