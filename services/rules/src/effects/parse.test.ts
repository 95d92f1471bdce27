/** The language of effects: what is read, and what is said of a line that cannot be read. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scriptedDice } from "../dice/source.ts";
import { computeOdds } from "../odds/odds.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { rollInitiative } from "../resolve/initiative.ts";
import { resolveSavingThrow } from "../resolve/save.ts";
import { isRefusal } from "../result/refusal.ts";
import { buildGame } from "../testing/case.ts";
import { findUnread } from "../unread/find-unread.ts";
import { parseEffects } from "./parse.ts";
import { srdEffects } from "./table.ts";

const readProblem = (text: string): string => {
  const parsed = parseEffects(text);
  return parsed.ok ? "" : `${parsed.problem.line}: ${parsed.problem.message}`;
};

describe("a line that cannot be read is named, with what was expected", () => {
  test.each([
    ["effect Bless | attack", "1: expected `what brings it | when it counts | what it changes`"],
    ["# ours\n\nefect Hymn | save | +1", "3: `efect` is not a kind of source: perhaps `effect`"],
    ["effect | save | +1", "1: expected a name"],
    ["effect Hymn | sav | +1", "1: `sav` is not a word for a roll: perhaps `save`"],
    [
      "effect Hymn | wisdom | +1",
      "1: expected one of attack, check, save, initiative, hit, attacked, armor, damage in `wisdom`",
    ],
    ["effect Hymn | armor | advantage", "1: `advantage` does nothing to a roll of the kind `armor`"],
    ["effect Hymn | attacked | +1", "1: `+1` does nothing to a roll of the kind `attacked`"],
    ["effect Hymn | save | at least 16", "1: `at least 16` does nothing to a roll of the kind `save`"],
    ["effect Hymn | attack save | +1", "1: expected one kind of roll"],
    ["effect Hymn | save against cold | +1", "1: `cold` is not a danger"],
    ["effect Hymn | save against | +1", "1: expected one of poison, charm, fear, disease, magic after `against`"],
    ["effect Hymn | save if blinde | +1", "1: `blinde` is not a state of a character: perhaps `blinded`"],
    ["effect Hymn | save if exhaustion 7 | +1", "1: `exhaustion 7` is not a state"],
    ["effect Hymn | save | 1d4", "1: `1d4` is not a change"],
    ["effect Hymn | save | +charm", "1: `+charm` is not a change"],
    ["effect Hymn | save | +2 on failure", "1: `on failure` is for dice"],
    ["effect Hymn | save | crit 17", "1: `crit 17` is not a change"],
    ["effect Hymn | save | +1 | no-rule | why", "1: `no-rule` is not a rule"],
    ["effect Hymn | hit | -1d4", "1: `-1d4` does nothing to a roll of the kind `hit`"],
    ["effect Hymn | attack, hit | advantage", "1: `advantage` does nothing to a roll of the kind `hit`"],
    ["effect Hymn | save | crit 19", "1: `crit 19` does nothing to a roll of the kind `save`"],
    ["effect Hymn | attack | +1d6 fire", "1: `+1d6 fire` does nothing to a roll of the kind `attack`"],
    ["feature Hymn | attack | +1d4 once", "1: `once` is for an `effect`"],
    ["effect Hymn | save if raging if blinded | +1", "1: expected one `if`; write `and`"],
    ["effect Hymn | save unless raging unless blinded | +1", "1: expected one `unless`; write `or`"],
    ["effect Hymn | fire save | +1", "1: types of damage, `chosen` and `nonmagical` are for `damage`, not `save`"],
    ["effect Hymn | nonmagical attack | +1", "are for `damage`, not `attack`"],
    ["effect Hymn | damage | advantage", "1: `advantage` does nothing to a roll of the kind `damage`"],
    ["effect Hymn | damage | -1d4", "does nothing to a roll of the kind `damage`"],
    ["effect Hymn | save | resistance", "1: `resistance` does nothing to a roll of the kind `save`"],
    ["effect constructor | constructor save | +1", "1: `constructor` is not a word for a roll"],
  ])("%j", (text, expected) => {
    expect(readProblem(text)).toContain(expected);
  });

  test("nothing else is thrown, whatever is written", () => {
    const words = [
      "effect",
      "feature",
      "|",
      "save",
      "attack",
      "if",
      "unless",
      "+1d4",
      "+2",
      "\n",
      "once",
      "as",
      "raging",
      "5.1",
      ",",
      "per",
    ];
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ maxLength: 200 }),
          fc.array(fc.constantFrom(...words)).map((all) => all.join(" ")),
        ),
        (text) => {
          const parsed = parseEffects(text);
          if (!parsed.ok) expect(parsed.problem.line).toBeLessThanOrEqual(text.split("\n").length);
        },
      ),
    );
  });
});

test("the tables say every rule once", () => {
  const texts = srdEffects.map((rule) => JSON.stringify(rule));
  expect(new Set(texts).size).toBe(texts.length);
});

describe("a table's own rules", () => {
  const game = buildGame(
    {
      player: { effects: [{ name: "Battle Hymn" }], features: [{ name: "Iron Will" }] },
      rulings: { houseRules: "effect Battle Hymn | save | +1d4\nfeature Iron Will | wisdom save | +2" },
    },
    "5.2",
  );

  test("are in the exact odds as in the roll", () => {
    const intent = { ability: "wisdom", dc: 15 } as const;
    const { success } = computeOdds(game, { kind: "save", intent });
    let passed = 0;
    for (let face = 1; face <= 20; face += 1)
      for (let die = 1; die <= 4; die += 1)
        if (resolveSavingThrow(game, intent, scriptedDice([face, die])).success) passed += 1;
    expect(passed).toBe(42);
    expect(success).toMatchObject({ fraction: `${passed / 2}/40` });
  });

  const ruled = (houseRules: string) => buildGame({ player: { inventory: ["Club"] }, rulings: { houseRules } }, "5.2");

  test("that add more dice than exact odds can take are refused", () => {
    const asked = { kind: "save", intent: { ability: "wisdom", dc: 15 } } as const;
    expect(() => computeOdds(ruled("always Storm | save | +99d99"), asked)).toThrow("possible values");
  });

  test("add dice and a number to one hit, and of two alike the best counts", () => {
    const both = ruled("always Flame | hit | +2\nalways Flame | hit | +1d4 fire\nalways Flame | hit | +1d6 fire");
    const { damage } = resolveAttack(both, { weapon: "Club", target: "Goblin" }, scriptedDice([15, 3, 5]));
    expect(damage?.totalDamage).toBe(10);
  });

  test("of a check and of initiative count once for initiative", () => {
    const { components } = rollInitiative(
      ruled("always Luck | check, initiative | +2"),
      { surprised: false },
      scriptedDice([9]),
    );
    expect(components).toBe("DEX +0, Luck +2 = +2");
  });

  test("that take a number away take at least so much", () => {
    const { components } = resolveSavingThrow(
      ruled("always Doom | save | -charisma at least 1"),
      { ability: "wisdom", dc: 9 },
      scriptedDice([9]),
    );
    expect(components).toBe("WIS +0, Doom -1 = -1");
  });

  test("are names that a rule reads", () => {
    expect(findUnread(game)).toBeUndefined();
  });

  test("that cannot be read refuse the call by the line", () => {
    const wrong = { ...game, rulings: { ...game.rulings, houseRules: "effect A | save | +1\neffect B | save | lots" } };
    try {
      resolveSavingThrow(wrong, { ability: "wisdom", dc: 15 }, scriptedDice([10]));
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      expect(thrown.reason).toBe("bad_house_rule");
      expect(thrown.data).toMatchObject({ line: 2, problem: expect.stringContaining("`lots` is not a change") });
      return;
    }
    expect.fail("nothing was refused");
  });
});
