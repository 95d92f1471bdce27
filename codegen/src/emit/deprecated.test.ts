/** What a contract deprecates is said in every document that is made of it. */
import { defineContract, deprecated, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { checkService } from "../check/service.ts";
import { buildServiceModel } from "../model/model.ts";
import { buildTool } from "../model/tool.ts";
import { emitClient } from "./client.ts";
import { emitOpenapi } from "./openapi.ts";

const old = z
  .string()
  .max(9)
  .optional()
  .describe("The old title.")
  .meta(deprecated({ since: "1.1.0", use: "title" }));
const notes = defineContract({
  id: "notes",
  version: "1.2.0",
  summary: "Notes.",
  procedures: {
    look: query({
      summary: "Looks.",
      description: "At all of them.",
      deprecated: { since: "1.2.0", use: "notes.find" },
      input: z.object({ name: old, title: z.string().max(9).optional().describe("Title.") }),
      output: z.object({ it: z.string().describe("It") }),
    }),
    list: query({
      summary: "Lists.",
      input: z.object({ inner: z.object({ name: old }).describe("Inner.") }),
      output: z.null(),
    }),
    all: query({
      summary: "Lists all.",
      input: z.object({}),
      output: z.null(),
      renamedFrom: { everything: { since: "1.2.0" } },
    }),
  },
});
const model = buildServiceModel(notes, "notes.contract.ts");
const project = {
  services: [model],
  modules: [],
  out: { schemas: "gen", kernel: "gen", client: "gen" },
  imports: { manifest: "m", call: "c", router: "r", descriptor: "d", schemas: { from: "folder", base: "." } },
} as const;
const written = "Deprecated since 1.2.0: use `notes.find`.";
const field = "The old title. Deprecated since 1.1.0: use `title`.";

test("OpenAPI marks operations, parameters and fields", () => {
  const document = JSON.parse(emitOpenapi(project)[0]?.text ?? "");
  const { get, post } = document.paths["/api/notes/look"];
  expect(get).toMatchObject({ deprecated: true, description: `${written}\n\nAt all of them.` });
  expect(post).toMatchObject({ deprecated: true, description: get.description });
  expect(get.parameters[0]).toMatchObject({ name: "name", deprecated: true, description: field });
  expect(get.parameters[1]).not.toHaveProperty("deprecated");
  const { inner } = document.components.schemas["notes.list.input"].properties;
  expect(inner.properties.name).toEqual({ type: "string", maxLength: 9, deprecated: true, description: field });
  expect(document.paths["/api/notes/list"].post).not.toHaveProperty("deprecated");
});

test("an old name of a procedure is on every surface", () => {
  const { post, get } = JSON.parse(emitOpenapi(project)[0]?.text ?? "").paths["/api/notes/everything"];
  for (const operation of [post, get])
    expect(operation).toMatchObject({ deprecated: true, description: "Deprecated since 1.2.0: use `notes.all`." });
  expect(model.procedures.map(({ name, tool, path }) => [name, tool, path]).slice(2)).toEqual([
    ["all", "notes_all", "/api/notes/all"],
    ["everything", "notes_everything", "/api/notes/everything"],
  ]);
  expect(emitClient(project)[0]?.text).toContain("@deprecated since 1.2.0: use `notes.all`.");
});

test("what is wrong with a renamed procedure is reported once", () => {
  const about = { summary: "", input: z.object({ it: z.string() }), output: z.null() };
  const renamed = query({ ...about, renamedFrom: { see: { since: "1.2.0" } } });
  const contract = defineContract({ id: "notes", version: "1.2.0", summary: "Notes.", procedures: { look: renamed } });
  const found = checkService(buildServiceModel(contract, "notes.contract.ts"), false);
  expect(found.map(({ code, where }) => `${code} ${where}`)).toEqual([
    "summary_missing notes.look",
    "field_undescribed notes.look input it",
  ]);
});

test("tools say it before all else that is long", () => {
  const tool = model.procedures[0] === undefined ? undefined : buildTool(model.procedures[0])?.tool;
  expect(tool?.description).toBe(`Looks.\n\n${written}\n\nAt all of them.`);
  expect(tool?.inputSchema.properties?.name).toMatchObject({ deprecated: true, description: field });
});

test("types have the tag", () => {
  const text = emitClient(project)[0]?.text ?? "";
  expect(text).toContain(" * At all of them.\n   *\n   * @deprecated since 1.2.0: use `notes.find`.\n");
  expect(text).toContain(` * ${field}\n   *\n   * @deprecated\n`);
});
