import { defineContract, listOnce, query } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { buildServiceModel } from "./model.ts";
import { listTools } from "./tool-list.ts";

const colour = z.enum(["red", "green"]).meta({ id: "Colour", description: "A colour" });
const board = z
  .strictObject({
    size: z.int().describe("Squares a side"),
    owner: z
      .strictObject({ name: z.string().describe("Name"), age: z.int().optional().describe("Years") })
      .describe("Whose"),
    colour: colour.optional(),
  })
  .meta({ id: "Board", description: "The board", [listOnce]: true });
const output = z.strictObject({ ok: z.boolean().describe("Whether") });
const taking = (field: string, tool?: false) =>
  query({ summary: "Does.", input: z.strictObject({ [field]: board }), output, ...(tool === false && { tool }) });

const service = buildServiceModel(
  defineContract({
    id: "probe",
    version: "1.0.0",
    summary: "Probes.",
    procedures: {
      hidden: taking("board", false),
      look: taking("board"),
      move: taking("onto"),
      ask: query({ summary: "Asks.", input: output, output }),
    },
  }),
  "test",
);
const schemas = Object.fromEntries(
  listTools(service).map(({ tool }) => [tool.name.replace("probe_", ""), tool.inputSchema]),
);

test("the first tool of the list writes the definition out", () => {
  expect(schemas.look?.$defs).toEqual({
    Board: {
      type: "object",
      description: "The board",
      properties: {
        size: { type: "integer", description: "Squares a side" },
        owner: {
          type: "object",
          description: "Whose",
          properties: { name: { type: "string", description: "Name" }, age: { type: "integer", description: "Years" } },
          required: ["name"],
          additionalProperties: false,
        },
        colour: { $ref: "#/$defs/Colour" },
      },
      required: ["size", "owner"],
      additionalProperties: false,
    },
    Colour: { type: "string", enum: ["red", "green"], description: "A colour" },
  });
});

test("a later tool shows its outline, open, says where the rest stands, and carries nothing unused", () => {
  expect(schemas.move?.$defs).toEqual({
    Board: {
      type: "object",
      description: "The board; all its fields are in probe_look",
      properties: {
        size: { type: "integer", description: "Squares a side" },
        owner: {
          type: "object",
          description: "Whose",
          properties: { name: { type: "string", description: "Name" } },
          required: ["name"],
        },
      },
      required: ["size", "owner"],
    },
  });
});

test("a tool without such a definition is listed as it is, and no other document changes", () => {
  expect(schemas.ask).toMatchObject({ properties: { ok: { type: "boolean" } } });
  const move = service.procedures.find(({ name }) => name === "move");
  expect(move?.input.json.$defs).toHaveProperty("Board.properties.colour");
  expect(move?.input.json.$defs).toHaveProperty("Colour");
});
