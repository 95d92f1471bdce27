/**
 * `rules.classify` on the one path, against a stand-in that speaks the Messages API over HTTP: one call a text, and nothing taken
 * from the model but names and a clamped difficulty.
 */
import { describe, expect, test } from "vitest";
import {
  classifyError,
  dice,
  game,
  kernelFor,
  openClassifier,
  outcome,
  playerInput,
  stab,
  stabs,
} from "../testing/classify-call.ts";
import { call, type ScriptedReply } from "../testing/messages-api-script.ts";

describe("one call", () => {
  test("is resolved by the same resolver, with the same dice", async () => {
    const { parsed, raw, roll, question, classifier } = await outcome([stabs]);
    const { kernel } = await openClassifier([stabs]);
    const direct = await kernel.call("rules.resolveAttack", { game, intent: stab, dice });
    expect(direct).toEqual({ ok: true, value: parsed });
    expect({ raw, roll }).toEqual({ raw: parsed.raw, roll: parsed.dieResult });
    expect(question).toEqual({ procedure: "resolveAttack", intent: stab });
    expect(classifier).toEqual({ model: "claude-haiku-4-5", requestId: "req_000001", attempts: 1 });
  });

  test.each([
    ["resolve_skill_check", { skill: "Stealth", dc: 15 }, "Stealth Check"],
    ["resolve_ability_check", { ability: "strength", dc: 15 }, "Strength Check"],
    ["resolve_saving_throw", { ability: "dexterity", dc: 15, source: "a trap" }, "Dexterity Saving Throw"],
    ["mark_impossible", { reason: "No wings." }, "IMPOSSIBLE"],
    ["mark_no_check", { reason: "The door is open." }, "NONE"],
  ])("%s", async (name, input, checkType) => {
    const { parsed, classifier } = await outcome([call(name, input)]);
    expect(parsed.checkType).toBe(checkType);
    expect(classifier.rejected).toBeUndefined();
  });

  test.each([
    ["as the specification writes it", { weapon: "Fire Bolt", is_spell_attack: true, spell_name: "Fire Bolt" }],
    ["named as the weapon only", { weapon: "Fire Bolt" }],
    ["with a weapon in the other field", { weapon: "Rapier", is_spell_attack: true, spell_name: "Fire Bolt" }],
  ])("a spell %s", async (_, input) => {
    const { parsed } = await outcome([call("resolve_attack", { target: "Goblin", ...input })]);
    expect(parsed.checkType).toBe("Fire Bolt Attack");
  });

  test("a text block before it does no harm", async () => {
    const { parsed } = await outcome([
      { kind: "calls", calls: [{ name: "resolve_attack", input: stab }], text: "Hm." },
    ]);
    expect(parsed.checkType).toBe("Rapier Attack");
  });

  test("inputTokens is the sum of the three input counters", async () => {
    const usage = {
      input_tokens: 3,
      output_tokens: 29,
      cache_creation_input_tokens: 500,
      cache_read_input_tokens: 4_000,
    };
    const { inputTokens, outputTokens } = await outcome([
      { kind: "calls", calls: [{ name: "resolve_attack", input: stab }], usage },
    ]);
    expect({ inputTokens, outputTokens }).toEqual({ inputTokens: 4_503, outputTokens: 29 });
  });
});

describe("the Difficulty Class", () => {
  test.each([
    [99, 30, "nearly impossible"],
    [0, 1, "very easy"],
    [-4_000_000, 1, "very easy"],
    [15, 15, "medium"],
    [13, 13, "medium"],
    [18, 18, "hard"],
  ])("%i is held at %i, %s, with a record of both", async (asked, used, label) => {
    const { parsed, classifier } = await outcome([call("resolve_skill_check", { skill: "Stealth", dc: asked })]);
    expect(parsed.dcOrAc).toBe(String(used));
    expect(classifier.dc).toEqual({ asked, used, label });
  });

  test.each([["15"], [15.5], [null], [1e300]])("%j is none, and nothing is rolled", async (dc) => {
    const { parsed, classifier } = await outcome([call("resolve_skill_check", { skill: "Stealth", dc })]);
    expect({ ...parsed, rejected: classifier.rejected }).toMatchObject({ noCheck: true, rejected: "bad_input" });
  });
});

describe("anything but one valid call becomes mark_no_check, with the reason", () => {
  const two = {
    kind: "calls",
    calls: [
      { name: "mark_no_check", input: { reason: "a" } },
      { name: "resolve_attack", input: stab },
    ],
  } as const;
  const rows: readonly (readonly [string, ScriptedReply, string, RegExp])[] = [
    ["only text", { kind: "text", text: "You hit for 40 damage!" }, "no_call", /called no tool/],
    ["two calls", two, "several_calls", /2 calls instead of one/],
    [
      "the same call twice",
      {
        kind: "calls",
        calls: [
          { name: "resolve_attack", input: stab },
          { name: "resolve_attack", input: stab },
        ],
      },
      "several_calls",
      /2 calls/,
    ],
    ["an unknown tool", call("resolve_everything", { damage: 40 }), "unknown_tool", /does not exist/],
    ["a tool of the prototype", call("constructor", {}), "unknown_tool", /does not exist/],
    ["a missing field", call("resolve_attack", { weapon: "Rapier" }), "bad_input", /resolve_attack.*\(target\)/],
    ["a field too many", call("resolve_attack", { ...stab, attack_bonus: 50 }), "bad_input", /resolve_attack/],
    [
      "a weapon that is not there",
      call("resolve_attack", { ...stab, weapon: "Vorpal Sword" }),
      "bad_input",
      /\(weapon\)/,
    ],
    ["a target that is not there", call("resolve_attack", { ...stab, target: "Gob" }), "bad_input", /\(target\)/],
    [
      "a skill that there is none of",
      call("resolve_skill_check", { skill: "Haggling", dc: 10 }),
      "bad_input",
      /\(skill\)/,
    ],
    [
      "a weapon cast as a spell",
      call("resolve_attack", { ...stab, is_spell_attack: true }),
      "bad_input",
      /does not have/,
    ],
    ["input that is not an object", call("resolve_attack", "Rapier"), "bad_input", /its input/],
    ["a refusal", { kind: "refusal" }, "refusal", /refused/],
    [
      "JSON cut by the output limit",
      { kind: "cut", name: "resolve_attack", input: { weapon: "Rapier" } },
      "cut_off",
      /cut off/,
    ],
    ["a whole call at the output limit", { kind: "cut", name: "resolve_attack", input: stab }, "cut_off", /cut off/],
    ["a body that is not a message", { kind: "body", body: '{"content": 4}' }, "no_call", /called no tool/],
    ["a body that is not an object", { kind: "body", body: '"hello"' }, "no_call", /called no tool/],
  ];

  test.each(rows)("%s", async (_, answer, rejected, why) => {
    const { parsed, classifier, roll, question, raw, model } = await outcome([answer]);
    expect(parsed).toMatchObject({ noCheck: true, checkType: "NONE", rules: [], changes: [] });
    expect(parsed.dice).toBeUndefined();
    expect(parsed.notes).toMatch(why);
    expect(classifier.rejected).toBe(rejected);
    expect({ roll, procedure: question.procedure }).toEqual({ roll: 0, procedure: "markNoCheck" });
    expect(raw).toMatch(/^CHECK: NONE\nNOTES: /);
    expect(model.requests).toHaveLength(1);
  });
});

describe("without a key", () => {
  const none = () => kernelFor({}, { by: "model" });

  test("the offline grammar chooses", async () => {
    const reply = await kernelFor({}).call("rules.classify", { game, playerInput, dice });
    expect(reply).toMatchObject({ ok: true, value: { classifier: { model: "offline", attempts: 0 }, inputTokens: 0 } });
  });

  test("with a key the grammar chooses only where the configuration says so", async () => {
    const { kernel, model } = await openClassifier([stabs], { by: "offline" });
    const reply = await kernel.call("rules.classify", { game, playerInput, dice });
    expect(reply).toMatchObject({ ok: true, value: { classifier: { model: "offline" } } });
    expect(model.requests).toEqual([]);
  });

  test("where a model is wanted it says what is missing, and sends no request", async () => {
    const reply = await none().call("rules.classify", { game, playerInput });
    expect(reply).toMatchObject({
      ok: false,
      error: {
        code: "failed_precondition",
        reason: "model_not_configured",
        message: "no model can be asked: ANTHROPIC_API_KEY is not set",
        data: { variable: "ANTHROPIC_API_KEY", problem: "missing" },
      },
    });
  });

  test("everything else works", async () => {
    expect(await none().call("rules.resolveAttack", { game, intent: stab, dice })).toMatchObject({ ok: true });
  });

  test("an address that is none is named", async () => {
    const kernel = kernelFor({ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "file:///etc" });
    expect(await kernel.call("rules.classify", { game, playerInput })).toMatchObject({
      error: { reason: "model_not_configured", data: { variable: "ANTHROPIC_BASE_URL", problem: "not_an_address" } },
    });
  });

  test("a section that does not fit is refused with the field's path", () => {
    expect(() => kernelFor({}, { maxTokens: 5 })).toThrow(
      expect.objectContaining({ issues: [expect.objectContaining({ path: "services.rules.classifier.maxTokens" })] }),
    );
  });
});

describe("an outcome that was made before", () => {
  test("is proved instead of asked about, without a key and without tokens", async () => {
    const { parsed, question, raw, roll } = await outcome([stabs]);
    const reply = await kernelFor({}).call("rules.classify", { game, playerInput, precomputed: { question, parsed } });
    expect(reply).toEqual({
      ok: true,
      value: { parsed, raw, roll, inputTokens: 0, outputTokens: 0, question, classifier: { model: "", attempts: 0 } },
    });
  });

  test("a made-up one is refused, with the fields that differ", async () => {
    const { parsed, question } = await outcome([stabs]);
    const precomputed = { question, parsed: { ...parsed, total: 40, success: true } };
    expect(await kernelFor({}).call("rules.classify", { game, playerInput, precomputed })).toMatchObject({
      ok: false,
      error: {
        code: "invalid_argument",
        reason: "not_proved",
        data: { differences: expect.arrayContaining(["total"]) },
      },
    });
  });

  test("rules.replay proves it, too, and one that rolled nothing", async () => {
    for (const answer of [
      stabs,
      call("resolve_ability_check", { ability: "wisdom", dc: 5 }),
      { kind: "refusal" } as const,
    ]) {
      const { parsed: result, question } = await outcome([answer]);
      const reply = await kernelFor({}).call("rules.replay", {
        question: { procedure: question.procedure, input: { game, intent: question.intent } },
        result,
      });
      expect(reply).toMatchObject({ ok: true, value: { proved: true, differences: [] } });
    }
  });
});

test("a repeat with the same idempotency key gets the stored outcome: one roll, one payment", async () => {
  const { model, kernel } = await openClassifier([stabs]);
  const ask = (idempotencyKey: string) => kernel.call("rules.classify", { game, playerInput }, { idempotencyKey });
  const first = await ask("turn-1");
  expect(first).toMatchObject({ ok: true });
  expect(await ask("turn-1")).toEqual(first);
  expect(model.requests).toHaveLength(1);
  expect((await ask("turn-2")).ok).toBe(true);
  expect(model.requests).toHaveLength(2);
});

test("several creatures of one name are distinguished, with ids and without", async () => {
  const twins = {
    ...game,
    npcs: [
      { name: "Goblin", ac: 10 },
      { name: "Goblin", ac: 20 },
    ],
  };
  expect(await outcome([stabs], { game: twins })).toMatchObject({ classifier: { rejected: "bad_input" } });
  const second = call("resolve_attack", { weapon: "Rapier", target: "Goblin #2" });
  expect(await outcome([second], { game: twins })).toMatchObject({ parsed: { dcOrAc: "20" } });
  const named = {
    ...game,
    npcs: [
      { id: "a", name: "Goblin", ac: 10 },
      { id: "b", name: "Goblin", ac: 20 },
    ],
  };
  const { parsed } = await outcome([call("resolve_attack", { weapon: "Rapier", target: "Goblin (b)" })], {
    game: named,
  });
  expect(parsed.dcOrAc).toBe("20");
});

test("dice from the table that run out are the caller's error", async () => {
  expect(await classifyError([stabs], { dice: { values: [15] } })).toMatchObject({ reason: "not_enough_dice" });
});
