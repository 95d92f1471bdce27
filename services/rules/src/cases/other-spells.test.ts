/** Spells without an attack roll and without damage of a save: conditions, darts, healing, temporary hit points, areas. */
import { describe, expect, test } from "vitest";
import { allSaveSpells } from "../data/condition-spells.ts";
import { conditionNames } from "../data/conditions.ts";
import { sureSpells } from "../data/sure-spells.ts";
import { scriptedDice, seededDice } from "../dice/source.ts";
import { computeOdds } from "../odds/odds.ts";
import { resolveAttack } from "../resolve/attack.ts";
import { replay } from "../resolve/replay.ts";
import { resolvers } from "../resolve/resolvers.ts";
import { buildGame, type Case, describeRule, runCases } from "../testing/case.ts";

const caster = {
  characterClass: "Wizard",
  level: 5,
  spellcastingAbility: "intelligence" as const,
  stats: { intelligence: 16 },
};
const knows = (spell: string, more: Case["player"] = {}) => ({
  player: { ...caster, knownSpells: [spell], ...more },
  attack: { weapon: spell },
});
const slots = { spellSlots: { "1": 2, "2": 2, "3": 2, "5": 1, "6": 1, "7": 1, "8": 1 } };

runCases("spells that leave a condition", "spell-effect", [
  {
    name: "Hold Person on a humanoid that fails",
    ...knows("Hold Person"),
    npc: { creatureType: "humanoid" },
    dice: [5],
    want: {
      success: true,
      total: 5,
      ac: "14",
      damage: 0,
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Hold Person",
        "Aria conditions+Concentrating (Hold Person)",
        "Goblin conditions+Paralyzed",
      ],
      notes: /save at the end of each of its turns/,
    },
    in52: {
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Spell Slot",
        "Aria scene.usedThisTurn+Hold Person",
        "Aria conditions+Concentrating (Hold Person)",
        "Goblin conditions+Paralyzed",
      ],
    },
  },
  {
    name: "Hold Person on a humanoid that saves",
    editions: ["5.1"],
    ...knows("Hold Person"),
    npc: { creatureType: "humanoid", savingThrows: { wisdom: 9 } },
    dice: [5],
    want: {
      success: false,
      total: 14,
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Hold Person",
        "Aria conditions+Concentrating (Hold Person)",
      ],
    },
  },
  {
    name: "Hold Person on a beast",
    ...knows("Hold Person"),
    npc: { creatureType: "beast" },
    dice: [],
    want: { impossible: /works on humanoids/ },
  },
  {
    name: "Hold Person on what the game does not state",
    editions: ["5.1"],
    ...knows("Hold Person"),
    dice: [5],
    want: { success: true },
  },
  {
    name: "Hold Monster on an undead",
    editions: ["5.1"],
    ...knows("Hold Monster", { level: 9 }),
    npc: { creatureType: "undead" },
    dice: [],
    want: { impossible: /does nothing/ },
  },
  {
    name: "Hold Monster on an undead of 5.2",
    editions: ["5.2"],
    ...knows("Hold Monster", { level: 9 }),
    npc: { creatureType: "undead" },
    dice: [5],
    want: { success: true },
  },
  {
    name: "a second spell of concentration ends the first",
    editions: ["5.1"],
    ...knows("Web", { conditions: ["Concentrating (Fly)"] }),
    dice: [5],
    want: {
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Web",
        "Aria conditions-Concentrating (Fly)",
        "Aria conditions+Concentrating (Web)",
        "Goblin conditions+Restrained",
      ],
    },
  },
  {
    name: "Hideous Laughter leaves two conditions",
    editions: ["5.1"],
    ...knows("Hideous Laughter"),
    dice: [5],
    want: {
      changes: [
        "Aria spellSlotsUsed.1=1",
        "Aria scene.usedThisTurn+Hideous Laughter",
        "Aria conditions+Concentrating (Hideous Laughter)",
        "Goblin conditions+Prone",
        "Goblin conditions+Incapacitated",
      ],
    },
  },
  {
    name: "Magic Resistance helps",
    editions: ["5.1"],
    ...knows("Charm Person"),
    npc: { traits: ["Magic Resistance"] },
    dice: [5, 15],
    want: { success: false, total: 15 },
  },
  { name: "Sleep has a save in 5.2", editions: ["5.2"], ...knows("Sleep"), dice: [5], want: { success: true } },
  {
    name: "Faerie Fire gives advantage to attacks",
    player: { inventory: ["Club"] },
    npc: { conditions: ["Faerie Fire"] },
    dice: [3, 16, 2],
    want: { die: 16 },
  },
  {
    name: "Banishment from 60 feet",
    editions: ["5.1"],
    ...knows("Banishment", { level: 7 }),
    npc: { distance: 60 },
    dice: [5],
    want: { success: true },
  },
  {
    name: "Banishment from 60 feet in 5.2",
    editions: ["5.2"],
    ...knows("Banishment", { level: 7 }),
    npc: { distance: 60 },
    dice: [],
    want: { impossible: /beyond the range of 30 feet/ },
  },
]);

runCases("darts that hit without a roll", "spell-damage", [
  {
    name: "a dart of Magic Missile",
    editions: ["5.1"],
    ...knows("Magic Missile"),
    dice: [3],
    want: {
      damage: 4,
      lines: ["Magic Missile 1d4+1 force"],
      notes: /makes 3 darts/,
      changes: ["Aria spellSlotsUsed.1=1", "Aria scene.usedThisTurn+Magic Missile", "Goblin currentHp=96"],
    },
  },
  {
    name: "with a slot of level 3",
    editions: ["5.1"],
    ...knows("Magic Missile"),
    scene: { slotLevel: 3 },
    dice: [1],
    want: { damage: 2, notes: /makes 5 darts/ },
  },
  {
    name: "a later dart costs nothing",
    editions: ["5.1"],
    ...knows("Magic Missile"),
    scene: { usedThisTurn: ["Magic Missile"] },
    dice: [4],
    want: { damage: 5, changes: ["Goblin currentHp=95"] },
  },
  {
    name: "against force resistance",
    ...knows("Magic Missile"),
    npc: { resistances: ["force"] },
    dice: [4],
    want: { damage: 2 },
  },
  {
    name: "into total cover",
    ...knows("Magic Missile"),
    npc: { cover: "total" },
    dice: [],
    want: { impossible: /total cover/ },
  },
]);

runCases("healing", "healing", [
  {
    name: "Cure Wounds on an ally",
    editions: ["5.1"],
    ...knows("Cure Wounds"),
    npc: { currentHp: 20, maxHp: 100 },
    dice: [6],
    want: {
      success: true,
      notes: /Goblin regains 9 hit points/,
      changes: ["Aria spellSlotsUsed.1=1", "Goblin currentHp=29"],
    },
  },
  {
    name: "Cure Wounds of 5.2",
    editions: ["5.2"],
    ...knows("Cure Wounds"),
    npc: { currentHp: 20, maxHp: 100 },
    dice: [6, 2],
    want: { notes: /regains 11/ },
  },
  {
    name: "with a slot of level 3",
    editions: ["5.2"],
    ...knows("Cure Wounds"),
    npc: { currentHp: 20, maxHp: 100 },
    scene: { slotLevel: 3 },
    dice: [1, 1, 1, 1, 1, 1],
    want: { notes: /regains 9/ },
  },
  {
    name: "not above the maximum",
    editions: ["5.1"],
    ...knows("Healing Word"),
    npc: { currentHp: 98, maxHp: 100 },
    dice: [4],
    want: { notes: /regains 2/, changes: ["Aria spellSlotsUsed.1=1", "Goblin currentHp=100"] },
  },
  {
    name: "who is down wakes",
    editions: ["5.1"],
    ...knows("Healing Word"),
    npc: { currentHp: 0, maxHp: 100, conditions: ["Unconscious", "Prone"] },
    dice: [1],
    want: { changes: ["Aria spellSlotsUsed.1=1", "Goblin currentHp=4", "Goblin conditions-Unconscious"] },
  },
  {
    name: "the dead stay dead",
    ...knows("Cure Wounds"),
    npc: { currentHp: 0, conditions: ["Dead"] },
    dice: [],
    want: { impossible: /is dead/ },
  },
  {
    name: "the caster",
    editions: ["5.1"],
    ...knows("Cure Wounds", { currentHP: 3, maxHP: 20 }),
    attack: { weapon: "Cure Wounds", target: "Aria" },
    dice: [8],
    want: { changes: ["Aria spellSlotsUsed.1=1", "Aria currentHP=14"] },
  },
  {
    name: "an undead",
    editions: ["5.1"],
    ...knows("Cure Wounds"),
    npc: { creatureType: "undead" },
    dice: [],
    want: { impossible: /does nothing to Goblin, undead/ },
  },
  {
    name: "Heal needs no die",
    editions: ["5.1"],
    ...knows("Heal", { level: 11, ...slots }),
    npc: { currentHp: 10, maxHp: 100 },
    dice: [],
    want: { notes: /regains 70/ },
  },
  {
    name: "Heal with a slot of level 8",
    editions: ["5.2"],
    ...knows("Heal", { level: 15, ...slots }),
    npc: { currentHp: 1, maxHp: 100 },
    scene: { slotLevel: 8 },
    dice: [],
    want: { notes: /regains 90/ },
  },
  {
    name: "Regenerate",
    ...knows("Regenerate", { level: 13, ...slots }),
    npc: { currentHp: 1, maxHp: 100 },
    dice: [1, 2, 3, 4],
    want: { notes: /regains 25/ },
  },
  {
    name: "a charmed healer heals the charmer",
    editions: ["5.1"],
    ...knows("Cure Wounds", { conditions: ["Charmed by Goblin"] }),
    npc: { currentHp: 20 },
    dice: [1],
    want: { notes: /regains 4/ },
  },
]);

runCases("temporary hit points of a spell", "temporary-hit-points", [
  {
    name: "False Life",
    editions: ["5.1"],
    ...knows("False Life"),
    dice: [3],
    want: { changes: ["Aria spellSlotsUsed.1=1", "Aria temporaryHP=7"] },
  },
  {
    name: "False Life of 5.2 with a slot of level 2",
    editions: ["5.2"],
    ...knows("False Life"),
    scene: { slotLevel: 2 },
    dice: [3, 1],
    want: { notes: /has 13 temporary/ },
  },
  {
    name: "never added up",
    editions: ["5.1"],
    ...knows("False Life", { temporaryHP: 9 }),
    dice: [1],
    want: { notes: /which are not fewer/, changes: ["Aria spellSlotsUsed.1=1"] },
  },
]);

describe(describeRule("an area in one call", "save-for-half"), () => {
  const player = {
    ...caster,
    knownSpells: ["Fireball", "Mass Healing Word", "Hold Person"],
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
      const names = [...allSaveSpells[edition], ...sureSpells[edition]].map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      for (const { level, range } of [...allSaveSpells[edition], ...sureSpells[edition]]) {
        expect(level).toBeLessThanOrEqual(9);
        expect(range).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test("what they leave is a condition or the spell's own mark", () => {
    for (const edition of ["5.1", "5.2"] as const)
      for (const spell of allSaveSpells[edition])
        for (const name of "lasting" in spell ? spell.lasting.names : [])
          expect([...conditionNames, spell.name]).toContain(name);
  });
});
