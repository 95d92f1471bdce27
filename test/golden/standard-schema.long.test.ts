/** Contracts in ArkType and Valibot themselves; `standard-schema.test.ts` of codegen tries what every such library has in common. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { decoder, type StandardSchema } from "@fairlead/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ForeignProgram, installForeign } from "../foreign/install.ts";
import { TemporaryProject } from "./project.ts";

let libraries: ForeignProgram;
let schemas: string;
beforeAll(async () => {
  libraries = await installForeign("standard-schema");
  schemas = pathToFileURL(join(libraries.folder, "schemas.js")).href;
});
afterAll(() => libraries.remove());

const generate = async (name: string) => {
  using project = new TemporaryProject();
  project.write(
    "contracts/shop.contract.js",
    `import { defineContract, query } from "@fairlead/contracts";
import { ${name} } from ${JSON.stringify(schemas)};
const look = query({ summary: "Looks.", input: ${name}, output: ${name} });
export default defineContract({ id: "shop", version: "1.0.0", summary: "Sells.", procedures: { look } });
`,
  );
  project.write("services/shop.service.js", "export default {};\n");
  const { ok, diagnostics } = await project.generate();
  return { ok, diagnostics, document: ok ? project.read("gen/openapi.json") : "{}" };
};

const fields = {
  name: { type: "string", minLength: 2, maxLength: 20 },
  size: { type: "number" },
  tags: { type: "array", items: { type: "string" } },
};

test.each(["arktype", "valibot"])("a contract in %s is published and decoded", async (name) => {
  const { diagnostics, document } = await generate(name);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(JSON.parse(document).components.schemas["shop.look.input"]).toMatchObject({
    type: "object",
    properties: fields,
    required: ["name", "size"],
  });
  const schema: StandardSchema = (await import(schemas))[name];
  const decode = decoder<unknown>(schema);
  for (const value of [
    { name: "Ada", size: 1 },
    { name: "Ada", size: 1, tags: ["x"] },
  ])
    expect(decode(value)).toEqual({ ok: true, value });
  expect(decode({ name: "A", size: "1", tags: [1] })).toMatchObject({
    ok: false,
    issues: [{ path: "name" }, { path: "size", expected: "a number" }, { path: "tags[0]", expected: "a string" }],
  });
});

test("Valibot's without its JSON Schema is refused by name", async () => {
  const { ok, diagnostics } = await generate("plain");
  expect(ok).toBe(false);
  expect(JSON.stringify(diagnostics)).toMatch(/one of valibot does not.*toStandardJsonSchema/);
});
