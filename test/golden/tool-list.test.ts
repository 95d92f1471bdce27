/**
 * The tool list that ships: what models pay for it, tool by tool, and that it never refuses what the services take, although it
 * shows fewer fields and words than a contract has (`docs/adr/0197-a-tool-list-is-written-for-models.md`). After a wanted
 * change: `npx vitest run test/golden/tool-list -u`, and read the diff.
 */
import { join } from "node:path";
import rules from "@fairlead/contracts/rules";
import { openKernel } from "@fairlead/kernel";
import { Ajv2020 } from "ajv/dist/2020.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";

const kernel = await openKernel({ services: [], env: {} });
const tools = await kernel.manifest.tools();
await kernel.close();

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const listed = tools.filter(({ procedure }) => procedure.startsWith("rules."));

const serviceOf = ({ procedure }: (typeof tools)[number]): string => procedure.split(".")[0] ?? "";

/** Tokens of what a model sees of a tool, and of all that a client is sent. */
const costs = tools.map((entry) => {
  const { name, description, inputSchema } = entry.tool;
  return {
    ...entry,
    service: serviceOf(entry),
    seen: countTokens(JSON.stringify({ name, description, inputSchema })),
    sent: countTokens(JSON.stringify(entry.tool)),
  };
});
const byDefault = costs.filter((entry) => entry.listed !== "full");
const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

test.each([
  ["rules", 2_000],
  ["loop", 900],
  ["pob", 900],
  ["inspector", 600],
  ["connections, kernel", 600],
])("what a model sees of %s costs at most %i tokens", (services, budget) => {
  const of = byDefault.filter(({ service }) => services.split(", ").includes(service));
  expect(of.length).toBeGreaterThan(0);
  expect(sum(of.map(({ seen }) => seen))).toBeLessThanOrEqual(budget);
});

test("what a model sees costs at most 5,000 tokens, 600 for any tool; the list with output schemas 14,000", () => {
  expect(sum(byDefault.map(({ seen }) => seen))).toBeLessThanOrEqual(5_000);
  expect(costs.filter(({ seen }) => seen > 600)).toEqual([]);
  expect(sum(byDefault.map(({ sent }) => sent))).toBeLessThanOrEqual(14_000);
});

test.each(costs.map((cost) => [cost.tool.name, cost] as const))("%s is listed as reviewed", async (name, cost) => {
  const { listed: when = "default", seen, sent, tool } = cost;
  const { description, inputSchema, outputSchema } = tool;
  const text = JSON.stringify(
    { listed: when, tokens: { seen, sent }, name, description, inputSchema, outputSchema },
    undefined,
    2,
  );
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, "expected/tools", `${name}.json`));
});

test("the services' domains are in their tools' words, for models that search", () => {
  const domains = {
    rules: /D&D/,
    pob: /Path of (?:Exile|Building)|build/,
    loop: /session|ticket/,
    inspector: /live objects/,
  };
  for (const [service, words] of Object.entries(domains))
    for (const { tool } of byDefault.filter((entry) => entry.service === service))
      expect(`${tool.name}: ${String(tool.description)}`).toMatch(words);
});

test("lists in inputs say what is in them, since several vendors refuse those that do not", () => {
  for (const { tool } of tools) expect(listsWithoutItems(tool.inputSchema), tool.name).toEqual([]);
});

const listsWithoutItems = (schema: unknown): readonly unknown[] => {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "type" in schema && schema.type === "array" && !("items" in schema) ? [schema] : [];
  return [...own, ...Object.values(schema).flatMap(listsWithoutItems)];
};

const procedures = new Map(Object.entries(rules.procedures).map(([name, procedure]) => [`rules.${name}`, procedure]));

/** They take the handle of a fight, which no example can know. */
const byHandle = ["encounter_state", "end_turn", "undo_action", "end_encounter"];
const withExamples = listed.filter(({ tool }) => !byHandle.includes(tool.name));

test.each(withExamples.map(({ procedure, tool }) => [tool.name, procedure, tool.inputSchema] as const))(
  "%s takes its examples as it is listed, and refuses a call without its intent",
  (_, procedure, schema) => {
    const fits = ajv.compile(schema as object);
    const examples = procedures.get(procedure)?.examples ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const { input } of examples)
      expect({ fits: fits(input), errors: fits.errors }).toEqual({ fits: true, errors: null });
    expect(fits({})).toBe(false);
  },
);
