/**
 * The tool list that ships: what models pay for it, and that it never refuses what the service takes, although it shows a
 * sentence in place of a document (`docs/adr/0190-a-tool-list-shows-a-sentence-for-a-document.md`).
 */
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

test("the rules cost a model at most 2,000 tokens: name, description and input schema", () => {
  const tokens = listed.map(({ tool: { name, description, inputSchema } }) =>
    countTokens(JSON.stringify({ name, description, inputSchema })),
  );
  expect(tokens.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(2_000);
});

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
