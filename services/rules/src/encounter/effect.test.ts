/** A breath on several characters in one call: their own saves, one damage roll, and the recharge. */
import { type AttackIntent, game as gameSchema } from "@fairlead/contracts/rules";
import { expect, test } from "vitest";
import { findMonster } from "../creatures/monster.ts";
import { type Dice, scriptedDice } from "../dice/source.ts";
import { isRefusal } from "../result/refusal.ts";
import { thrownBy } from "../testing/action-dice.ts";
import { act } from "./act.ts";
import { noScene } from "./scene.ts";
import { startEncounter } from "./start.ts";
import { type EncounterState, viewEncounter } from "./state.ts";
import { endTurn } from "./turn.ts";

const { player: aria, rulings } = gameSchema.parse({
  player: {
    name: "Aria",
    characterClass: "Rogue",
    level: 9,
    currentHP: 60,
    maxHP: 60,
    stats: { dexterity: 18 },
    savingThrowProficiencies: ["DEX"],
    features: [{ name: "Evasion" }],
    effects: [],
  },
});
const { player: bo } = gameSchema.parse({
  player: {
    name: "Bo",
    characterClass: "Fighter",
    level: 9,
    currentHP: 70,
    maxHP: 70,
    conditions: ["Concentrating (Bless)"],
    effects: [],
  },
});

const dice = (...values: number[]): Dice => scriptedDice(values);
/** Ogre and the two characters act after the dragon, which has a d20 of 20. */
const start = (): EncounterState =>
  startEncounter(
    { edition: "5.1", party: [aria, bo], foes: ["Young Red Dragon", "Ogre"], rulings },
    dice(10, 9, 20, 1),
    {
      findMonster,
      scene: noScene,
    },
  );
const breathe = (state: EncounterState, target: string, thrown: Dice) => {
  const intent: AttackIntent = { weapon: "Fire Breath", target };
  return act(
    state,
    { procedure: "attack", intent, scene: noScene },
    thrownBy(() => thrown),
  );
};
const sixes = Array.from({ length: 16 }, () => 3);
const hitPoints = ({ creatures }: EncounterState) =>
  Object.fromEntries(creatures.map(({ id, sheet }) => [id, sheet.currentHP]));

test("everybody in it saves for himself, and the damage is rolled once", () => {
  const before = start();
  expect(viewEncounter("x", 1, before).turn).toBe("young-red-dragon");
  const { state, result, events } = breathe(before, "Aria; Bo; ogre", dice(9, 16, ...sixes, 20, 5));
  expect(result.targets).toEqual([
    { target: "Aria", total: 17, success: false, damage: 0 },
    { target: "Bo", total: 16, success: true, damage: 48 },
    { target: "ogre", total: 19, success: false, damage: 24 },
  ]);
  expect(hitPoints(state)).toMatchObject({ aria: 60, bo: 22, ogre: 35 });
  expect(result.dice?.draws).toHaveLength(20);
  expect(events).toEqual(["Bo's save to keep concentrating: 5 against DC 24, lost"]);
  expect(result.notes).toContain("If concentrating: a Constitution save, DC 24");
});

test("it takes the action, and is not there again before it is recharged", () => {
  const used = breathe(start(), "Bo", dice(1, ...sixes, 1)).state;
  expect(() => breathe(used, "Bo", dice())).toThrow("has used the action of this turn");
  const view = viewEncounter("x", 2, used).creatures.find(({ id }) => id === "young-red-dragon");
  expect(view?.effects).toMatchObject([{ name: "Fire Breath", recharge: 5, ready: false }]);
  let state = used;
  for (const _ of ["aria", "bo", "ogre"]) state = endTurn(state, dice()).state;
  const four = endTurn(state, dice(4));
  expect(four.events).toEqual([]);
  try {
    breathe(four.state, "Bo", dice());
    expect.fail("it breathed again");
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    expect(thrown.message).toContain("has used Fire Breath, which is not recharged yet");
  }
  const five = endTurn(state, dice(5));
  expect(five.events).toEqual(["Young Red Dragon's Fire Breath is recharged: 5"]);
  expect(breathe(five.state, "Bo", dice(1, ...sixes)).result.success).toBe(true);
});

test("a character that drops is down, and concentrates no more", () => {
  const weak = startEncounter(
    { edition: "5.1", party: [{ ...bo, currentHP: 30 }], foes: ["Young Red Dragon"], rulings },
    dice(1, 20),
    { findMonster, scene: noScene },
  );
  const { state, result } = breathe(weak, "Bo", dice(2, ...sixes));
  expect(hitPoints(state)).toMatchObject({ bo: 0 });
  expect(result.changes.map(({ field, value }) => `${field} ${value}`)).toContain("conditions Unconscious");
  expect(state.creatures.find(({ id }) => id === "bo")?.sheet.conditions).not.toContain("Concentrating (Bless)");
});

test("a creature that is named twice, or is not there, spends nothing", () => {
  const before = start();
  const { state, result } = breathe(before, "Bo; bo", dice());
  expect(result.impossible).toBe(true);
  expect(state).toBe(before);
  expect(() => breathe(before, "Nobody", dice())).toThrow("no creature in the scene has that name");
});

test("a character that is attacked with a spell saves by its sheet", () => {
  const mage = gameSchema.parse({
    player: {
      name: "Mage",
      characterClass: "Wizard",
      level: 9,
      currentHP: 9,
      maxHP: 9,
      spellcastingAbility: "intelligence",
      knownSpells: ["Fireball"],
    },
  }).player;
  const state = startEncounter({ edition: "5.1", party: [mage, aria], foes: [], rulings }, dice(20, 1), {
    findMonster,
    scene: noScene,
  });
  const intent = { weapon: "Fireball", target: "Aria" };
  const { result } = act(
    state,
    { procedure: "attack", intent, scene: noScene },
    thrownBy(() => dice(10, 1, 1, 1, 1, 1, 1, 1, 1)),
  );
  expect(result.components).toContain("+8");
});
