/** `POST /api/roll` and `POST /api/chat`, with the body of the specification's client, on a kernel without any key and with a model. */
import { describe, expect, test } from "vitest";
import { kernelFor, openClassifier } from "../testing/classify-call.ts";
import { call } from "../testing/messages-api-script.ts";

const player = {
  name: "Aria",
  characterClass: "Rogue",
  level: 5,
  stats: { dexterity: 18 },
  features: [{ name: "Sneak Attack", level: 1, description: "Extra damage" }],
  inventory: ["Rapier"],
  gold: 12,
};
const gameState = {
  player,
  story: { activeNPCs: [{ id: "g1", name: "Goblin", ac: 15, currentHp: 7, engaged: true }], campaignSummary: "So far" },
  conversationHistory: [],
};
const dice = { values: [12, 5, 1, 2, 3] };

const offline = () => kernelFor({});
const rollOf = (input: object, kernel = offline()) => kernel.call("rules.playerRoll", input);
const chatOf = (input: object, kernel = offline()) => kernel.call("rules.playerChat", input);

const answerOf = (reply: Awaited<ReturnType<typeof rollOf>>): Record<string, unknown> => {
  if (!reply.ok) throw new Error(JSON.stringify(reply.error));
  return reply.value as Record<string, unknown>;
};

describe("playerRoll", () => {
  test("rolls what is contested, on a fresh machine", async () => {
    const kernel = offline();
    const value = answerOf(
      await rollOf({ characterId: "aria", playerInput: "I stab the goblin", gameState, dice }, kernel),
    );
    const direct = await kernel.call("rules.resolveAttack", {
      game: { player, npcs: gameState.story.activeNPCs },
      intent: { weapon: "Rapier", target: "Goblin" },
      dice,
    });
    expect(direct).toEqual({ ok: true, value: value.parsed });
    expect(value).toMatchObject({
      isContested: true,
      roll: 12,
      raw: expect.stringMatching(/^CHECK: Rapier Attack/),
      rulesCost: 0,
      tokensUsed: { input: 0, output: 0 },
      classifier: { model: "offline", attempts: 0 },
    });
  });

  test("what needs no roll is not contested", async () => {
    const value = answerOf(await rollOf({ playerInput: "I open the door", gameState }));
    expect(value).toMatchObject({ isContested: false, roll: 0, parsed: { noCheck: true } });
  });

  test("a name that the model made up cannot be done, and the known names are said", async () => {
    const { kernel } = await openClassifier([
      call("resolve_attack", { weapon: "Rapier", target: "Goblin", is_spell_attack: true }),
    ]);
    const value = answerOf(await rollOf({ playerInput: "I cast it", gameState }, kernel));
    expect(value).toMatchObject({
      isContested: true,
      parsed: { impossible: true, notes: expect.stringContaining("known: ") },
      question: { procedure: "markImpossible" },
    });
  });

  test("a model's tokens have a price", async () => {
    const usage = {
      input_tokens: 1_000,
      output_tokens: 100,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const stab = { name: "resolve_attack", input: { weapon: "Rapier", target: "Goblin" } };
    const { kernel } = await openClassifier([{ kind: "calls", calls: [stab], usage }], {
      dollarsPerMillion: { input: 1, output: 5 },
    });
    const value = answerOf(await rollOf({ playerInput: "I stab the goblin", gameState, dice }, kernel));
    expect(value).toMatchObject({ rulesCost: 0.0015, tokensUsed: { input: 1_000, output: 100 } });
  });

  test("a character's id alone names nothing here", async () => {
    expect(await rollOf({ playerInput: "I stab", characterId: "aria" })).toMatchObject({
      ok: false,
      error: { code: "failed_precondition", reason: "no_game_state" },
    });
  });

  test("a mistyped key of the envelope is refused by name", async () => {
    expect(await rollOf({ playerInputs: "I stab", gameState })).toMatchObject({
      ok: false,
      error: {
        code: "invalid_argument",
        issues: expect.arrayContaining([expect.objectContaining({ fix: "did you mean playerInput?" })]),
      },
    });
  });
});

describe("playerChat", () => {
  const turn = { playerInput: "I stab the goblin", gameState, dice };

  test("computes where nothing was computed before", async () => {
    expect(answerOf(await chatOf(turn))).toMatchObject({ proof: "computed", isContested: true, roll: 12 });
  });

  test("proves an outcome with its question", async () => {
    const { raw, roll, parsed, question } = answerOf(await rollOf(turn));
    const precomputedRules = { raw, roll, parsed, question, rulesCost: 0, damageTotal: 9 };
    const value = answerOf(await chatOf({ playerInput: turn.playerInput, gameState, precomputedRules }));
    expect(value).toMatchObject({ proof: "proved", raw, roll, parsed, isContested: true });
  });

  test("says that a changed outcome does not follow from its dice", async () => {
    const { raw, roll, parsed, question } = answerOf(await rollOf(turn));
    const changed = { ...(parsed as object), total: 40 };
    const reply = await chatOf({ ...turn, precomputedRules: { raw, roll, parsed: changed, question } });
    expect(reply).toMatchObject({ ok: false, error: { reason: "not_proved", data: { differences: ["total"] } } });
  });

  test("what is not a result of these rules is not proved either", async () => {
    const { question } = answerOf(await rollOf(turn));
    const reply = await chatOf({ ...turn, precomputedRules: { raw: "HIT", roll: 12, parsed: { total: 3 }, question } });
    expect(reply).toMatchObject({ ok: false, error: { reason: "not_proved" } });
  });

  test("passes on an outcome without a question, and says so", async () => {
    const precomputedRules = { raw: "RESULT: HIT", roll: 17, damageTotal: 9, damageBreakdown: "Rapier: [4]+4=8" };
    const value = answerOf(await chatOf({ playerInput: "I stab", characterId: "aria", precomputedRules }));
    expect(value).toEqual({
      proof: "unproved",
      isContested: true,
      roll: 17,
      raw: "RESULT: HIT",
      rulesCost: 0,
      tokensUsed: { input: 0, output: 0 },
    });
  });
});
