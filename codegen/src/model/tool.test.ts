import { defineContract, error, mutation, query, subscription, toolSummary } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { pascalCase, sentenceCase, snakeCase } from "./letter-case.ts";
import { buildServiceModel } from "./model.ts";
import { buildTool, listTools, longestDescription } from "./tool.ts";

const input = z.object({ at: z.iso.datetime().describe("When"), count: z.int().describe("How many") });
const output = z.object({ ok: z.boolean().describe("Whether") });
const long = "It happens in very many words, and then in some more of them. ".repeat(4);

const colour = z.enum(["red", "green"]).meta({ id: "Colour", description: "A colour" });
const place = z.string().max(9).meta({ id: "Place", description: "A place" });
const board = z
  .strictObject({ size: z.int().describe("Squares a side"), colour })
  .meta({ id: "Board", description: "The board", [toolSummary]: "The board by value: {size, ...}" });
const short = { short_one: error({ code: "not_found", when: "there is none" }) };

const model = buildServiceModel(
  defineContract({
    id: "probe",
    version: "1.0.0",
    summary: "Probes.",
    procedures: {
      readHTMLPage: query({ summary: "Reads.", description: "More.", input, output, hints: { openWorld: true } }),
      list: query({ summary: "Lists.", input, output: z.array(z.string()) }),
      wipe: mutation({
        summary: "Wipes.",
        input,
        output,
        retry: "keyed",
        hints: { destructive: true },
        tool: "wipe_all",
      }),
      fail: query({
        summary: "Fails.",
        input,
        output,
        errors: short,
      }),
      failAtLength: query({
        summary: "Fails.",
        input,
        output,
        errors: Object.fromEntries(
          Array.from({ length: 9 }, (_, index) => [`reason_${index}`, error({ code: "not_found", when: long })]),
        ),
      }),
      move: query({
        summary: "Moves.",
        input: z.strictObject({ board: board.optional(), onto: board.describe("Onto it"), colour }),
        output: z.strictObject({ board }),
        errors: short,
        tool: "move",
      }),
      lean: query({
        summary: "Leans.",
        input: z
          .strictObject({
            name: z.string().min(1).max(9).regex(/^a/).describe("Name"),
            counts: z.array(z.int().min(2).max(7)).min(1).max(3).describe("Counts"),
            colour,
            from: place,
            to: place,
          })
          .describe("The whole"),
        output,
        errors: short,
        tool: { lean: true },
      }),
      hidden: query({ summary: "Hides.", input, output, tool: false }),
      events: subscription({ summary: "Streams.", input, output }),
    },
  }),
  "test",
);

const tool = (name: string) => {
  const procedure = model.procedures.find((each) => each.name === name);
  return procedure === undefined ? undefined : buildTool(procedure);
};

test("names, words and annotations follow from the procedure", () => {
  expect(tool("readHTMLPage")).toMatchObject({
    procedure: "probe.readHTMLPage",
    wrapped: false,
    tool: {
      name: "probe_read_html_page",
      title: "Read html page",
      description: "Reads.\n\nMore.",
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    },
  });
  expect(tool("wipe")?.tool).toMatchObject({
    name: "wipe_all",
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  });
});

test("an output that is no object is wrapped", () => {
  expect(tool("list")).toMatchObject({
    wrapped: true,
    tool: { outputSchema: { type: "object", properties: { value: { type: "array" } }, required: ["value"] } },
  });
});

test("schemas leave out what a model does not need", () => {
  expect(tool("list")?.tool.inputSchema).toEqual({
    type: "object",
    properties: {
      at: { type: "string", format: "date-time", description: "When" },
      count: { type: "integer", description: "How many" },
    },
    required: ["at", "count"],
  });
});

test("errors are listed in full where there is room, by name where there is not", () => {
  expect(tool("fail")?.tool.description).toBe("Fails.\n\nErrors:\n- short_one: there is none");
  const { description = "" } = tool("failAtLength")?.tool ?? {};
  expect(description).toContain("Errors: reason_0, reason_1");
  expect(description.length).toBeLessThanOrEqual(longestDescription);
});

test("a lean tool has no errors and no bounds, and a definition where it is used", () => {
  expect(tool("lean")?.tool).toMatchObject({ name: "probe_lean", description: "Leans." });
  expect(tool("lean")?.tool.inputSchema).toEqual({
    type: "object",
    properties: {
      name: { type: "string", description: "Name" },
      counts: { type: "array", items: { type: "integer" }, description: "Counts" },
      colour: { type: "string", enum: ["red", "green"], description: "A colour" },
      from: { $ref: "#/$defs/Place" },
      to: { $ref: "#/$defs/Place" },
    },
    required: ["name", "counts", "colour", "from", "to"],
    $defs: { Place: { type: "string", description: "A place" } },
  });
});

test("a schema with a sentence for tools is an object with that sentence, and what it alone needs is left out", () => {
  const sentence = { type: "object", description: "The board by value: {size, ...}" };
  expect(tool("move")?.tool.inputSchema).toEqual({
    type: "object",
    properties: { board: sentence, onto: sentence, colour: { $ref: "#/$defs/Colour" } },
    required: ["onto", "colour"],
    additionalProperties: false,
    $defs: { Colour: { type: "string", enum: ["red", "green"], description: "A colour" } },
  });
  const { input } = model.procedures.find(({ name }) => name === "move") ?? expect.fail("no move");
  expect(input.json.$defs).toHaveProperty("Board.properties.size");
  expect(JSON.stringify(tool("move")?.tool.outputSchema)).not.toContain(toolSummary);
});

test("the tools of a service are in the order of its procedures", () => {
  const names = listTools(model).map(({ procedure }) => procedure.replace("probe.", ""));
  expect(names).toEqual(["readHTMLPage", "list", "wipe", "fail", "failAtLength", "move", "lean"]);
});

test("what is no tool has none", () => {
  expect(tool("hidden")).toBeUndefined();
  expect(tool("events")).toBeUndefined();
});

test.each([
  ["resolveAttack", "resolve_attack", "Resolve attack", "ResolveAttack"],
  ["toJSON2", "to_json2", "To json2", "ToJSON2"],
  ["ping", "ping", "Ping", "Ping"],
])("%s in other cases", (name, snake, sentence, pascal) => {
  expect([snakeCase(name), sentenceCase(name), pascalCase(name)]).toEqual([snake, sentence, pascal]);
});
