/** Prompts of contracts: how they are listed, filled in, and completed. */
import { type Contract, defineContract, query } from "@fairlead/contracts";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { completeArgument, fillPrompt, listPrompts, type PromptSource } from "./prompts.ts";

const birds = defineContract({
  id: "birds",
  version: "1.0.0",
  summary: "Birds.",
  procedures: { look: query({ summary: "Looks.", input: z.object({}), output: z.object({}) }) },
  prompts: {
    watchBirds: {
      title: "Watch birds",
      summary: "Watches birds.",
      arguments: {
        place: { about: "Where", choices: { call: "look", path: "places.name" } },
        kind: { about: "Which", default: "all", choices: ["robin", "gull", "Great tit"] },
      },
      text: "Use `look` at {place} for {kind} birds, and `nothing` else.",
    },
  },
});

const source: PromptSource = {
  contracts: [birds as Contract],
  tool: (procedure) => (procedure === "birds.look" ? "birds_look" : undefined),
};

const said = (args?: Readonly<Record<string, unknown>>): string | undefined => {
  const [message] = fillPrompt(source, "birds_watch_birds", args).messages;
  return message?.content.type === "text" ? message.content.text : undefined;
};

test("the list says which arguments must be given, and what the others are", () =>
  expect(listPrompts(source)).toEqual([
    {
      name: "birds_watch_birds",
      title: "Watch birds",
      description: "Watches birds.",
      arguments: [
        { name: "place", description: "Where", required: true },
        { name: "kind", description: "Which; left out: all", required: false },
      ],
    },
  ]));

describe("a prompt", () => {
  test("has its arguments filled in, and names tools", () => {
    expect(said({ place: "the sea" })).toBe("Use `birds_look` at the sea for all birds, and `nothing` else.");
    expect(said({ place: "the sea", kind: "gull" })).toContain("for gull birds");
    expect(said({ place: "the sea", kind: " " })).toContain("for all birds");
  });

  test("takes an argument as it is: what looks like a place or a tool in it stays", () =>
    expect(said({ place: "{kind} `look` $& $1" })).toContain("at {kind} `birds_look` $& $1 for"));

  test("is refused without what it needs, and with what it does not have", () => {
    expect(() => said()).toThrow(/needs its argument place: Where/);
    expect(() => said({ place: "" })).toThrow(/needs/);
    expect(() => said({ place: "x", colour: "red" })).toThrow(/there are place, kind/);
    expect(() => fillPrompt(source, "birds_watch_bird")).toThrow(/did you mean birds_watch_birds/);
    expect(() => fillPrompt(source, "__proto__")).toThrow(/no such prompt/);
  });
});

describe("an argument", () => {
  const complete = async (argument: string, typed: string, output?: unknown) => {
    const asked: string[] = [];
    const ask = async (procedure: string) => {
      asked.push(procedure);
      return output;
    };
    const { completion } = await completeArgument(
      source,
      { name: "birds_watch_birds", argument, typed, values: {} },
      ask,
    );
    return { ...completion, asked };
  };

  test("is completed by what begins so, then by what has it elsewhere, in any case", async () => {
    expect(await complete("kind", "")).toMatchObject({
      values: ["robin", "gull", "Great tit"],
      total: 3,
      hasMore: false,
    });
    expect(await complete("kind", "G")).toMatchObject({ values: ["gull", "Great tit"], asked: [] });
    expect(await complete("kind", "t")).toMatchObject({ values: ["Great tit"] });
    expect(await complete("kind", "owl")).toMatchObject({ values: [], total: 0 });
  });

  test("is completed by what a query answers, at most a hundred values", async () => {
    const places = Array.from({ length: 250 }, (_, at) => ({ name: `place ${at}` }));
    const found = await complete("place", "place", { places });
    expect(found).toMatchObject({ total: 250, hasMore: true, asked: ["birds.look"] });
    expect(found.values).toHaveLength(100);
    expect(await complete("place", "place 249", { places })).toMatchObject({ values: ["place 249"], hasMore: false });
  });

  test("of which nothing is known is completed by nothing", async () => {
    for (const output of [undefined, null, "text", { places: "none" }, { places: [{ name: {} }, null] }])
      expect(await complete("place", "", output)).toMatchObject({ values: [], total: 0, hasMore: false });
    for (const argument of ["colour", "__proto__"]) expect(await complete(argument, "")).toMatchObject({ values: [] });
  });
});
