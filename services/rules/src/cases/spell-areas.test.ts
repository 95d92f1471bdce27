/** A spell on several creatures in one call, exact odds of what needs no roll, and the tables of spells. */
import { describe, expect, test } from "vitest";
import { allSureSpells } from "../data/boon-spells.ts";
import { allSaveSpells } from "../data/condition-spells.ts";
import { conditionNames } from "../data/conditions.ts";
import { sureSpells } from "../data/sure-spells.ts";
import { scriptedDice, seededDice } from "../dice/source.ts";
import { computeOdds } from "../odds/odds.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { replay } from "../resolve/replay.ts";
import { resolvers } from "../resolve/resolvers.ts";
import { buildGame, describeRule } from "../testing/case.ts";

const caster = {
  characterClass: "Wizard",
  level: 5,
  spellcastingAbility: "intelligence" as const,
  stats: { intelligence: 16 },
};
const slots = { spellSlots: { "1": 2, "2": 2, "3": 2, "5": 1, "6": 1, "7": 1, "8": 1 } };

describe(describeRule("an area in one call", "save-for-half"), () => {
  const player = {
    ...caster,
    knownSpells: ["Fireball", "Mass Healing Word", "Hold Person", "Cure Wounds", "Magic Missile"],
    cantrips: ["Fire Bolt"],
    ...slots,
  };
  const one = buildGame({ player, npc: { name: "Goblin", id: "goblin-1", currentHp: 30 } }, "5.1");
  const [goblin] = one.npcs;
  if (goblin === undefined) throw new Error("no goblin");
  const game = {
    ...one,
    npcs: [goblin, { ...goblin, id: "goblin-2", resistances: ["fire" as const] }, { ...goblin, id: "goblin-3" }],
  };
  const fireball = { weapon: "Fireball", target: "Goblin 1; goblin-2; Goblin #3" };

  test("one damage roll, a save and the defences of each, one slot", () => {
    const eight = [1, 2, 3, 4, 5, 6, 1, 2];
    const result = resolveAttack(game, fireball, scriptedDice([5, ...eight, 6, 18]));
    expect(result.targets).toEqual([
      { target: "Goblin 1", total: 5, success: true, damage: 24 },
      { target: "goblin-2", total: 6, success: true, damage: 12 },
      { target: "Goblin #3", total: 18, success: false, damage: 12 },
    ]);
    expect(result.changes.map(({ id, field, value }) => `${id ?? "Aria"} ${field} ${value}`)).toEqual([
      "Aria spellSlotsUsed.3 1",
      "Aria scene.usedThisTurn Fireball",
      "goblin-1 currentHp 6",
      "goblin-2 currentHp 18",
      "goblin-3 currentHp 18",
    ]);
    expect(result.dice?.draws).toHaveLength(11);
  });

  test.each([
    ["Hold Person", undefined, 1],
    ["Hold Person", 3, 2],
    ["Hold Person", 5, 3],
    ["Mass Healing Word", undefined, 3],
    ["Fireball", undefined, 3],
  ] as const)("%s with a slot of level %s is on at most %s of three", (weapon, slotLevel, most) => {
    const scene = { ...game.scene, ...(slotLevel !== undefined && { slotLevel }) };
    const names = ["goblin-1", "goblin-2", "goblin-3"];
    for (const count of [1, 2, 3]) {
      const target = names.slice(0, count).join("; ");
      const { impossible: refused } = resolveAttack(
        { ...game, scene },
        { weapon, target },
        seededDice("most", "caller"),
      );
      expect([count, refused === true]).toEqual([count, count > most]);
    }
  });

  test("is what a call for each gives with one seed", () => {
    const seed = () => seededDice("an area", "caller");
    const whole = resolveAttack(game, fireball, seed());
    const apart = ["Goblin 1", "Goblin 2", "Goblin 3"].map((target) =>
      resolveAttack(game, { weapon: "Fireball", target }, seed()),
    );
    expect(whole.targets?.map(({ total, damage }) => [total, damage])).toEqual(
      apart.map(({ total, damage }) => [total, damage?.totalDamage]),
    );
  });

  test("is proved by its dice", () => {
    const input = { game, intent: fireball };
    const result = resolvers.resolveAttack(input, seededDice("an area", "caller"));
    expect(replay({ procedure: "resolveAttack", input }, result).proved).toBe(true);
  });

  test.each([
    ["5.1", 6],
    ["5.2", 5],
  ] as const)("of %s Prayer of Healing is on %i at most", (edition, most) => {
    expect(sureSpells[edition].find(({ name }) => name === "Prayer of Healing")).toMatchObject({ most });
  });

  test("heals several with one roll", () => {
    const hurt = { ...game, npcs: game.npcs.map((npc) => ({ ...npc, currentHp: 10, maxHp: 30 })) };
    const result = resolveAttack(
      hurt,
      { weapon: "Mass Healing Word", target: "goblin-1; goblin-3; Aria" },
      scriptedDice([4]),
    );
    expect(result.changes.map(({ who, id, value }) => [id ?? who, value])).toEqual([
      ["Aria", 1],
      ["Aria", "Mass Healing Word"],
      ["goblin-1", 17],
      ["goblin-3", 17],
    ]);
    expect(result.notes).toContain("Aria regains 0");
  });

  test.each([
    ["an attack roll", { weapon: "Fire Bolt", target: "goblin-1; goblin-2" }, "an attack roll is against one creature"],
    ["healing of one", { weapon: "Cure Wounds", target: "goblin-1; goblin-2" }, "is on 1 creature at most"],
    [
      "more creatures than darts",
      { weapon: "Magic Missile", target: "goblin-1; goblin-2; goblin-3; Aria" },
      "is on 3 creatures at most",
    ],
    ["a creature named twice", { weapon: "Fireball", target: "goblin-1; Goblin-1" }, "is named twice"],
    ["a creature under two names", { weapon: "Fireball", target: "goblin-1; Goblin 1" }, "is named twice"],
  ])("%s is refused", (_, intent, why) => {
    const result = resolveAttack(game, intent, scriptedDice([]));
    expect(result.impossible).toBe(true);
    expect(result.notes).toContain(why);
    expect(result.changes).toEqual([]);
  });
});

describe("exact odds of what needs no roll", () => {
  const game = buildGame(
    { player: { ...caster, knownSpells: ["Magic Missile", "Cure Wounds", "Hold Person"] } },
    "5.2",
  );
  const odds = (weapon: string) => computeOdds(game, { kind: "attack", intent: { weapon, target: "Goblin" } });

  test("a dart is certain, and 2 to 5", () => {
    expect(odds("Magic Missile")).toMatchObject({
      success: { fraction: "1" },
      mean: { fraction: "7/2" },
      measured: "damage",
    });
    expect(odds("Magic Missile").distribution.map(({ value }) => value)).toEqual([2, 3, 4, 5]);
  });

  test("healing by every fall of its dice", () => {
    let sum = 0;
    for (let a = 1; a <= 8; a += 1) for (let b = 1; b <= 8; b += 1) sum += a + b + 3;
    expect(odds("Cure Wounds")).toMatchObject({ mean: { fraction: String(sum / 64) }, measured: "total" });
  });

  test("a condition: the odds of the failed save", () => {
    expect(odds("Hold Person").success.fraction).toBe("13/20");
  });
});

describe("the tables", () => {
  test("every spell is once in each edition, and its level is one", () => {
    for (const edition of ["5.1", "5.2"] as const) {
      for (const table of [allSaveSpells[edition], allSureSpells[edition]])
        expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
      for (const { level, range } of [...allSaveSpells[edition], ...allSureSpells[edition]]) {
        expect(level).toBeLessThanOrEqual(9);
        expect(range).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test("what they leave is a condition or the spell's own mark", () => {
    for (const edition of ["5.1", "5.2"] as const)
      for (const spell of allSaveSpells[edition])
        for (const name of "lasting" in spell ? spell.lasting.names : [])
          expect([...conditionNames, spell.name, "Dead", "Reduce"]).toContain(name);
  });
});
