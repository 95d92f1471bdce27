/** Replay: what any procedure that rolls has answered is proved, and what was changed afterwards is found. */
import { type CallerInput, decoder } from "@fairlead/contracts";
import rules, { type ClaimedResult, type RollingCall, type RollResult } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { type Dice, scriptedDice, seededDice } from "../dice/source.ts";
import { buildGame } from "../testing/case.ts";
import { replay } from "./replay.ts";
import { resolve, resolvers } from "./resolvers.ts";

const { procedures } = rules;
type Sent = CallerInput<(typeof procedures)["replay"]>;
const decode = decoder<{ readonly question: RollingCall; readonly result: ClaimedResult }>(procedures.replay.input);

/** What goes over the wire: JSON, decoded by the contract. */
const proof = ({ procedure, input }: { procedure: string; input: unknown }, result: unknown) => {
  const decoded = decode(JSON.parse(JSON.stringify({ question: { procedure, input }, result })));
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  return replay(decoded.value.question, decoded.value.result);
};

/** Every example of a procedure that rolls, without its dice. */
const examples = (Object.keys(resolvers) as (keyof typeof resolvers)[]).flatMap((procedure) =>
  (procedures[procedure].examples ?? []).map(({ summary, input }) => {
    const { dice: _, ...bare } = structuredClone(input) as { dice?: unknown };
    return { procedure, summary, input: bare };
  }),
);

/** They are proved by the call that they chose. */
const choosing = ["classify", "playerRoll", "playerChat"];
/** By value they are the calls above in other words; in an encounter its log proves them. */
const acting = ["attack", "skillCheck", "abilityCheck", "savingThrow", "startEncounter", "endTurn", "rest"];
const elsewhere = new Set([...choosing, ...acting]);

test("every procedure that takes dice can be proved, or chooses one that can", () => {
  const takesDice = (name: keyof typeof procedures): boolean => "dice" in procedures[name].input.shape;
  const names = (Object.keys(procedures) as (keyof typeof procedures)[]).filter((name) => !elsewhere.has(name));
  expect(Object.keys(resolvers).sort()).toEqual(names.filter(takesDice).sort());
});

const decodeExample = (example: (typeof examples)[number]): RollingCall => {
  const { procedure, input } = example;
  const decoded = decode({ question: { procedure, input }, result: {} });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.issues));
  return decoded.value.question;
};

describe.each(examples)("$procedure: $summary", (example) => {
  const question = decodeExample(example);
  const rolls = (dice: Dice) => resolve(question, dice);
  const fromSeed = rolls(seededDice("proof", "server", "second"));

  test("its seeded result is proved", () => {
    const dice = "dice" in fromSeed ? "seed" : "values";
    expect(proof(example, fromSeed)).toEqual({ proved: true, differences: [], dice });
  });

  test("its result of given dice, spare ones included, is proved", () => {
    const given = rolls(scriptedDice([1, 1, 1, 1, 1, 1, 1, 1, 1, 1]));
    expect(proof(example, given)).toEqual({ proved: true, differences: [], dice: "values" });
  });

  test("a change to any field of it is found, and so is one left out or added", () => {
    for (const field of Object.keys(fromSeed)) {
      if (field === "dice") continue;
      const { [field]: _, ...without } = fromSeed as Readonly<Record<string, unknown>>;
      const found = proof(example, without);
      expect({ field, proved: found.proved }).toEqual({ field, proved: false });
      const changed = proof(example, { ...fromSeed, [field]: "changed" });
      expect(changed.differences.map(({ path }) => path.split(/[.[]/)[0])).toContain(field);
    }
    expect(proof(example, { ...fromSeed, luck: 7 }).differences.map(({ path }) => path)).toEqual(["luck"]);
  });

  test("better dice, seed kept, are found", () => {
    const { dice } = fromSeed as ClaimedResult;
    const draws = dice?.draws.map((draw) => ({ ...draw, value: draw.value + 1 })) ?? [];
    const found = proof(example, { ...fromSeed, ...(dice !== undefined && { dice: { ...dice, draws } }) });
    expect(found.differences.map(({ path }) => path)).toEqual(draws.map((_, index) => `dice.draws[${index}].value`));
    expect(draws.length > 0).toBe(!example.procedure.startsWith("mark"));
  });
});

describe("the dice that were sent with the call", () => {
  const game = buildGame({ player: { inventory: ["Mace"], stats: { strength: 16 } }, npc: { ac: 5 } }, "5.1");
  const input: Extract<Sent["question"], { procedure: "resolveAttack" }>["input"] = {
    game,
    intent: { weapon: "Mace", target: "Goblin" },
  };
  const call = { procedure: "resolveAttack", input } as const;
  const result: RollResult = resolve(
    { procedure: "resolveAttack", input: { game, intent: { weapon: "Mace", target: "Goblin" } } },
    seededDice("mine", "caller"),
  );

  test("prove it when they are its own", () => {
    expect(proof({ ...call, input: { ...input, dice: { seed: "mine" } } }, result)).toMatchObject({ proved: true });
  });

  test("disprove a result of other dice", () => {
    const { proved, differences } = proof({ ...call, input: { ...input, dice: { seed: "theirs" } } }, result);
    expect({ proved, paths: differences.map(({ path }) => path) }).toMatchObject({ proved: false });
    expect(differences.map(({ path }) => path)).toContain("dice.seed");
  });

  test("are missed by name when neither the call nor the result has any", () => {
    const { dice: _, ...withoutDice } = result;
    expect(() => proof(call, withoutDice)).toThrow(/`result\.dice` is missing/);
  });
});
