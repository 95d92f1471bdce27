/**
 * The tool list that ships: what models pay for it, and that it never refuses what the service takes, although a later tool shows
 * only the outline of a document (`docs/adr/0012-a-tool-list-shows-a-document-once.md`).
 */
import rules from "@fairlead/contracts/rules";
import { openKernel } from "@fairlead/kernel";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";

const kernel = await openKernel({ services: [], env: {} });
const tools = await kernel.manifest.tools();
await kernel.close();

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const listed = tools.filter(({ procedure }) => procedure.startsWith("rules."));
const bytes = listed.reduce((sum, { tool }) => sum + Buffer.byteLength(JSON.stringify(tool)), 0);

test("the list of the rules stays under 14,000 tokens, at four bytes each", () => {
  expect(bytes / 4).toBeLessThan(14_000);
});

const procedures = new Map(Object.entries(rules.procedures).map(([name, procedure]) => [`rules.${name}`, procedure]));

test.each(listed.map(({ procedure, tool }) => [tool.name, procedure, tool.inputSchema] as const))(
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

test("one tool lists the whole game, the others its outline", () => {
  const fields = listed.flatMap(({ tool }) => {
    const { $defs } = tool.inputSchema as { $defs?: { Game?: { properties: object } } };
    return $defs?.Game === undefined ? [] : [[tool.name, Object.keys($defs.Game.properties)]];
  });
  expect(fields).toEqual([
    ["resolve_attack", ["edition", "player", "npcs", "scene", "rulings"]],
    ["resolve_skill_check", ["player"]],
    ["resolve_saving_throw", ["player"]],
    ["rules_odds", ["player"]],
  ]);
});
