/** Spells that go on working: one casting, its slot and its level serve later turns, and what a later use takes of the turn. */
import { game } from "@fairlead/contracts/rules";
import { describe, expect, test } from "vitest";
import { isRefusal } from "../result/refusal.ts";
import { readCasting } from "../sheet/ongoing.ts";
import { buildGame, runCases } from "../testing/case.ts";
import { fight } from "../testing/fight.ts";

const druid = {
  characterClass: "Druid",
  level: 9,
  stats: { wisdom: 16 },
  knownSpells: [
    "Moonbeam",
    "Call Lightning",
    "Spiritual Weapon",
    "Spike Growth",
    "Heat Metal",
    "Vampiric Touch",
    "Grease",
  ],
};
const strike = (weapon: string) => ({ weapon, target: "Goblin" });

runCases("a casting at work", "spell-slots", [
  {
    name: "the first use spends a slot and begins concentration",
    player: druid,
    attack: strike("Moonbeam"),
    dice: [2, 5, 5],
    want: {
      damage: 10,
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Moonbeam",
        "Aria conditions+Concentrating (Moonbeam)",
        "Goblin currentHp=90",
      ],
    },
    in52: {
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Spell Slot",
        "Aria scene.usedThisTurn+Moonbeam",
        "Aria conditions+Concentrating (Moonbeam)",
        "Goblin currentHp=90",
      ],
    },
  },
  {
    name: "a higher slot is kept with the concentration",
    player: druid,
    editions: ["5.1"],
    scene: { slotLevel: 4 },
    attack: strike("Moonbeam"),
    dice: [20, 5, 5, 4, 4],
    want: {
      lines: ["Moonbeam 4d10 radiant"],
      changes: [
        "Aria spellSlotsUsed.4=1",
        "Aria scene.usedThisTurn+Moonbeam",
        "Aria conditions+Concentrating (Moonbeam, level 4)",
        "Goblin currentHp=91",
      ],
    },
  },
  {
    name: "in a later turn it costs nothing and has the level of its casting",
    player: { ...druid, conditions: ["Concentrating (Moonbeam, level 4)"] },
    attack: strike("Moonbeam"),
    dice: [20, 5, 5, 4, 4],
    want: {
      lines: ["Moonbeam 4d10 radiant"],
      changes: ["Aria scene.usedThisTurn+Aria's Moonbeam on goblin-1", "Goblin currentHp=91"],
    },
  },
  {
    name: "an area works on a creature once a turn",
    player: { ...druid, conditions: ["Concentrating (Moonbeam)"] },
    scene: { usedThisTurn: ["Aria's Moonbeam on goblin-1"] },
    attack: strike("Moonbeam"),
    dice: [],
    want: { impossible: /^Moonbeam works on Goblin once a turn, and did so in this one$/ },
  },
  {
    name: "a slot that is named casts it a second time, and ends the concentration before",
    player: { ...druid, conditions: ["Concentrating (Moonbeam)"] },
    editions: ["5.1"],
    scene: { slotLevel: 2 },
    attack: strike("Moonbeam"),
    dice: [20, 5, 5],
    want: {
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Moonbeam",
        "Aria conditions-Concentrating (Moonbeam)",
        "Aria conditions+Concentrating (Moonbeam)",
        "Goblin currentHp=95",
      ],
    },
  },
  {
    name: "every five feet of Spike Growth count",
    player: { ...druid, conditions: ["Concentrating (Spike Growth)"] },
    attack: strike("Spike Growth"),
    dice: [2, 3],
    want: { damage: 5, changes: ["Goblin currentHp=95"] },
  },
  {
    name: "concentration on another spell is no casting of this one",
    player: { ...druid, conditions: ["Concentrating (Moonbeam)"] },
    editions: ["5.1"],
    attack: strike("Vampiric Touch"),
    dice: [2],
    want: {
      changes: [
        "Aria spellSlotsUsed.3=1",
        "Aria conditions-Concentrating (Moonbeam)",
        "Aria conditions+Concentrating (Vampiric Touch)",
      ],
    },
  },
  {
    name: "5.1: Spiritual Weapon goes on by itself, beside concentration",
    player: { ...druid, conditions: ["Concentrating (Moonbeam)"] },
    editions: ["5.1"],
    scene: { slotLevel: 4 },
    attack: strike("Spiritual Weapon"),
    dice: [2],
    want: { changes: ["Aria spellSlotsUsed.4=1", "Aria conditions+Sustaining (Spiritual Weapon, level 4)"] },
  },
  {
    name: "5.2: Spiritual Weapon needs concentration",
    player: druid,
    editions: ["5.2"],
    attack: strike("Spiritual Weapon"),
    dice: [2],
    want: {
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Spell Slot",
        "Aria conditions+Concentrating (Spiritual Weapon)",
      ],
    },
  },
  {
    name: "a weapon that is sustained strikes without a slot",
    player: { ...druid, conditions: ["Sustaining (Spiritual Weapon, level 4)"] },
    editions: ["5.1"],
    attack: strike("Spiritual Weapon"),
    dice: [15, 4, 5],
    want: { lines: ["Spiritual Weapon 2d8+3 force"], changes: ["Goblin currentHp=88"] },
  },
]);

test("a condition that is no casting is read as none", () => {
  expect(["Concentrating", "Poisoned", "Concentrating (a (b))", "Sustaining ()"].map(readCasting)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  );
  expect(readCasting(" concentrating (moonbeam, level 9) ")).toEqual({ spell: "moonbeam", level: 9 });
  expect(buildGame({}, "5.1").player.conditions).toEqual([]);
});

describe("in a fight", () => {
  const caster = (...knownSpells: string[]) => ({ characterClass: "Druid", stats: { wisdom: 16 }, knownSpells });
  const slotsUsed = (made: ReturnType<typeof fight>) => made.view("mia")?.slots;
  const refusal = (call: () => unknown): string => {
    try {
      call();
    } catch (thrown) {
      if (isRefusal(thrown)) return thrown.reason;
      throw thrown;
    }
    return "none";
  };

  test("Call Lightning takes the action of each turn, and one slot", () => {
    const made = fight("5.1", [caster("Call Lightning")], ["Ogre", "Ogre"]);
    made.strike("Call Lightning", "ogre-1", { values: [20, 1, 1, 1] });
    const spent = slotsUsed(made);
    made.endTurn();
    made.endTurn();
    made.endTurn();
    made.strike("Call Lightning", "ogre-1", { values: [20, 1, 1, 1] });
    expect(slotsUsed(made)).toEqual(spent);
    expect(made.actions()).toEqual({ attacks: 0, bonus: true });
    expect(made.view("ogre-1")?.hp).toBe(57);
  });

  test("Heat Metal takes the bonus action, and leaves the action", () => {
    const made = fight("5.1", [caster("Heat Metal")], ["Ogre"]);
    made.strike("Heat Metal", "Ogre", { values: [1, 1] });
    made.endTurn();
    made.endTurn();
    made.strike("Heat Metal", "Ogre", { values: [1, 1] });
    expect(made.actions()).toEqual({ attacks: 1, bonus: false });
    expect(refusal(() => made.strike("Heat Metal", "Ogre", { values: [1, 1] }))).toBe("action_spent");
  });

  test("Moonbeam works in the turn of whoever is in it, once", () => {
    const made = fight("5.1", [caster("Moonbeam")], ["Ogre", "Ogre"]);
    made.strike("Moonbeam", "ogre-1", { values: [20, 1, 1] });
    made.endTurn();
    const again = { actor: "mia", values: [20, 1, 1] };
    expect(made.strike("Moonbeam", "ogre-1", again)).toMatchObject({ damage: { totalDamage: 1 } });
    expect(made.strike("Moonbeam", "ogre-1", again)).toMatchObject({ impossible: true });
    expect(made.strike("Moonbeam", "ogre-2", again)).toMatchObject({ damage: { totalDamage: 1 } });
    expect(made.actions()).toEqual({ attacks: 1, bonus: true });
    made.endTurn();
    expect(made.strike("Moonbeam", "ogre-1", again)).toMatchObject({ damage: { totalDamage: 1 } });
  });

  test("what is no area waits for the caster's turn", () => {
    const made = fight("5.1", [caster("Call Lightning")], ["Ogre"]);
    made.strike("Call Lightning", "Ogre", { values: [20, 1, 1, 1] });
    made.endTurn();
    expect(refusal(() => made.strike("Call Lightning", "Ogre", { actor: "mia", values: [20, 1, 1, 1] }))).toBe(
      "out_of_turn",
    );
  });

  test("it is over with the concentration, and then costs a slot again", () => {
    const made = fight("5.1", [caster("Moonbeam", "Call Lightning")], ["Ogre"]);
    made.strike("Moonbeam", "Ogre", { values: [20, 1, 1] });
    made.endTurn();
    made.endTurn();
    made.strike("Call Lightning", "Ogre", { values: [20, 1, 1, 1] });
    expect(made.conditions("mia")).toEqual(["Concentrating (Call Lightning)"]);
    made.endTurn();
    expect(refusal(() => made.strike("Moonbeam", "Ogre", { actor: "mia", values: [20, 1, 1] }))).toBe("out_of_turn");
  });

  test("Spiritual Weapon lasts ten rounds", () => {
    const made = fight("5.1", [{ ...caster("Spiritual Weapon"), characterClass: "Cleric" }], ["Ogre"]);
    made.strike("Spiritual Weapon", "Ogre", { values: [2] });
    expect(made.view("mia")).toMatchObject({ ends: [{ name: "Sustaining (Spiritual Weapon)", left: 10 }] });
  });

  test("no Counterspell answers what was cast before", () => {
    const { player: mage } = game.parse({
      player: {
        name: "Max",
        characterClass: "Wizard",
        level: 5,
        maxHP: 40,
        currentHP: 40,
        knownSpells: ["Counterspell"],
      },
    });
    const made = fight("5.1", [caster("Call Lightning")], [mage]);
    expect(made.strike("Call Lightning", "Max", { values: [20, 1, 1, 1] })).toMatchObject({
      encounter: { reactions: [{ weapon: "Counterspell" }] },
    });
    made.decline();
    made.endTurn();
    made.endTurn();
    expect(made.strike("Call Lightning", "Max", { values: [20, 1, 1, 1] })).toMatchObject({ total: 20 });
    expect(made.state().question).toBeUndefined();
  });
});
