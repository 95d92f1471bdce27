import { defineContract, error, mutation, query, subscription } from "@fairlead/contracts";
import { expect, test } from "vitest";
import * as z from "zod";
import { pascalCase, sentenceCase, snakeCase } from "./letter-case.ts";
import { buildServiceModel } from "./model.ts";
import { buildTool, longestDescription } from "./tool.ts";

const input = z.object({ at: z.iso.datetime().describe("When"), count: z.int().describe("How many") });
const output = z.object({ ok: z.boolean().describe("Whether") });
const long = "It happens in very many words, and then in some more of them. ".repeat(4);

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
        errors: {
          short_one: error({ code: "not_found", when: "there is none" }),
        },
      }),
      failAtLength: query({
        summary: "Fails.",
        input,
        output,
        errors: Object.fromEntries(
          Array.from({ length: 9 }, (_, index) => [`reason_${index}`, error({ code: "not_found", when: long })]),
        ),
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
