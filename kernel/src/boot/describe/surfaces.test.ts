import type { Verb } from "@fairlead/contracts";
import { describe, expect, it } from "vitest";
import { readSurfaces } from "./surfaces.ts";

const offered = ["odds", "roll", "plain"].map((name) => ({ name, entry: { name: `dice.${name}` } }));
const inputSchema = { type: "object", properties: { sides: { type: "integer" } } };
const roll = {
  procedure: "dice.roll",
  wrapped: false,
  tool: { name: "roll_dice", title: "Roll", description: "Rolls dice", inputSchema, outputSchema: { type: "object" } },
};

const verb = (more: Partial<Verb>): Verb => ({
  summary: "shows odds",
  examples: ["fairlead odds"],
  steps: [{ call: "odds" }],
  show: "{value}",
  ...more,
});
const surfaces = (verbs: Readonly<Record<string, Verb>>) => readSurfaces(offered, { tools: [roll], verbs }).procedures;

describe("surfaces of procedures", () => {
  it("are the tool as a model reads it, with what it costs, and the view of a verb", () => {
    const [odds, rolled, ...none] = surfaces({ odds: verb({}) });
    expect(odds).toEqual({ procedure: "dice.odds", tool: null, view: { show: "{value}" } });
    const seen = { name: "roll_dice", description: "Rolls dice", inputSchema };
    const tokens = Math.ceil(JSON.stringify(seen).length / 4);
    expect(rolled).toEqual({ procedure: "dice.roll", tool: { ...seen, tokens }, view: null });
    expect(none).toEqual([]);
  });

  it.each([
    ["of several steps", { steps: [{ call: "odds" }, { call: "roll" }] }],
    ["with a document of its own", { document: { all: "." } }],
    ["that shows what was typed", { show: "{$name}: {value}" }],
    ["that shows what was typed, as a path", { show: { fields: "$name" } }],
  ] satisfies [string, Partial<Verb>][])("have no view of a verb %s", (_, more) => {
    expect(surfaces({ odds: verb(more) }).map(({ procedure }) => procedure)).toEqual(["dice.roll"]);
  });
});
