import { defineContract, error, mutation, query, subscription, toolSummary } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { pascalCase, sentenceCase, snakeCase } from "./letter-case.ts";
import { buildServiceModel } from "./model.ts";
import { buildTool, listTools } from "./tool.ts";

const input = z.object({ at: z.iso.datetime().describe("When"), count: z.int().describe("How many") });
const output = z.object({ ok: z.boolean().describe("Whether") });

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
      move: query({
        summary: "Moves.",
        input: z.strictObject({ board: board.optional(), onto: board.describe("Onto it"), colour }),
        output: z.strictObject({ board }),
        errors: short,
        tool: "move",
      }),
      bounded: query({
        summary: "Has bounds.",
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
      }),
      chosen: query({
        summary: "Chooses.",
        description: "In many words.",
        input: z.strictObject({
          id: z.string().max(9).describe("Which"),
          colours: z.array(colour).describe("In all of these colours"),
          from: place.describe("Where it starts"),
          size: z.union([z.int(), z.string()]).optional().describe("How large"),
          rest: z.unknown().optional().describe("The rest"),
        }),
        output: z.object({
          cells: z.array(z.object({ at: place.describe("Where"), text: z.string().describe("What it says") })),
          ...Object.fromEntries(
            [..."abcdefghij"].map((name) => [`field_${name}`, z.string().nullable().describe(name)]),
          ),
        }),
        tool: {
          name: "choose",
          title: "Choose colours",
          description: "Picks one.",
          fields: { id: true, colours: "Which colours", from: "", size: "" },
          listed: "core",
        },
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

test("an output that is not an object is wrapped", () => {
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

test("errors and bounds are left out, and a definition is written where it is used", () => {
  expect(tool("fail")?.tool.description).toBe("Fails.");
  expect(tool("bounded")?.tool.inputSchema).toEqual({
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

test("a title is the contract's, or else the procedure's name in words, of a single word with its service", () => {
  const titles = listTools(model).map(({ tool: { title, annotations } }) => [title, annotations.title]);
  expect(titles.every(([title, hint]) => title === hint)).toBe(true);
  expect(titles.map(([title]) => title)).toEqual([
    "Read html page",
    "List (probe)",
    "Wipe (probe)",
    "Fail (probe)",
    "Move (probe)",
    "Bounded (probe)",
    "Choose colours",
  ]);
});

test("a contract says to models what it is for, and which fields", () => {
  expect(tool("chosen")).toMatchObject({ listed: "core", tool: { name: "choose", description: "Picks one." } });
  expect(tool("chosen")?.tool.inputSchema).toEqual({
    type: "object",
    properties: {
      id: { type: "string", description: "Which" },
      colours: { type: "array", items: { type: "string", enum: ["red", "green"] }, description: "Which colours" },
      from: { type: "string" },
      size: { type: ["integer", "string"] },
    },
    required: ["id", "colours", "from"],
  });
});

test("an output is listed as a whole where it is short, and else with its fields and their types", () => {
  expect(tool("readHTMLPage")?.tool.outputSchema).toEqual({
    type: "object",
    properties: { ok: { type: "boolean" } },
    required: ["ok"],
  });
  const { properties, required } = tool("chosen")?.tool.outputSchema ?? {};
  expect(properties).toMatchObject({ cells: { type: "array", items: { type: "object" } } });
  expect(properties?.field_a).toEqual({ type: ["string", "null"] });
  expect(required).toContain("cells");
});

test("of an output's fields what may be anything has no type, and a list of lists without end has one", () => {
  const words = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`word_${at}`, z.string()]));
  const lists: z.ZodType = z.array(z.lazy(() => lists)).meta({ id: "Lists" });
  const wide = defineContract({
    id: "wide",
    version: "1.0.0",
    summary: "Wide.",
    procedures: {
      read: query({ summary: "Reads.", input, output: z.strictObject({ ...words, any: z.unknown(), lists }) }),
    },
  });
  const [read] = listTools(buildServiceModel(wide, "wide.contract.ts"));
  expect(read?.tool.outputSchema.properties).toMatchObject({
    any: {},
    lists: { type: "array", items: {} },
    word_0: { type: "string" },
  });
  expect(JSON.stringify(read)).not.toContain('"type":""');
});

test("a schema with a sentence for tools is an object with that sentence, and what it alone needs is left out", () => {
  const sentence = { type: "object", description: "The board by value: {size, ...}" };
  expect(tool("move")?.tool.inputSchema).toEqual({
    type: "object",
    properties: {
      board: sentence,
      onto: sentence,
      colour: { type: "string", enum: ["red", "green"], description: "A colour" },
    },
    required: ["onto", "colour"],
  });
  const { input } = model.procedures.find(({ name }) => name === "move") ?? expect.fail("no move");
  expect(input.json.$defs).toHaveProperty("Board.properties.size");
  expect(JSON.stringify(tool("move")?.tool.outputSchema)).not.toContain(toolSummary);
});

test("a list with a sentence for tools is a list", () => {
  const route = z.array(z.string()).meta({ id: "Route", description: "A route", [toolSummary]: "Places by name" });
  const travel = defineContract({
    id: "travel",
    version: "1.0.0",
    summary: "Travels.",
    procedures: { go: query({ summary: "Goes.", input: z.strictObject({ route }), output }) },
  });
  const [go] = listTools(buildServiceModel(travel, "travel.contract.ts"));
  expect(go?.tool.inputSchema.properties).toEqual({
    route: { type: "array", items: { type: "string" }, description: "Places by name" },
  });
});

test("the tools of a service are in the order of its procedures", () => {
  const names = listTools(model).map(({ procedure }) => procedure.replace("probe.", ""));
  expect(names).toEqual(["readHTMLPage", "list", "wipe", "fail", "move", "bounded", "chosen"]);
});

test("what is not a tool has none", () => {
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
