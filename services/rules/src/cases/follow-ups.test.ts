/** Topple's save, and the attacks that follow another on the same turn: Cleave, Nick, two light weapons, a flurry (5.2). */
import { expect, test } from "vitest";
import { type Case, features, play, runCases } from "../testing/case.ts";

const editions = ["5.2"] as const;

const maul: Pick<Case, "editions" | "player" | "attack"> = {
  editions,
  player: { inventory: ["Maul"], stats: { strength: 16 }, weaponMasteries: ["Maul"] },
  attack: { weapon: "Maul" },
};

runCases("Topple", "topple", [
  {
    ...maul,
    name: "DC 8 + 3, untrained with the maul and all the same + 2: a 12 falls",
    dice: [15, 4, 4, 12],
    want: {
      drawn: [20, 6, 6, 20],
      rules: ["topple"],
      notes: /Topple: Goblin falls prone, 12 on the constitution save, DC 13/,
      changes: ["Goblin currentHp=89", "Goblin conditions+Prone"],
    },
  },
  {
    ...maul,
    name: "a 13 stands",
    dice: [15, 4, 4, 13],
    want: { notes: /Topple: Goblin saves, 13 on the constitution save, DC 13/, changes: ["Goblin currentHp=89"] },
  },
  {
    ...maul,
    name: "the creature's own bonus counts",
    npc: { savingThrowBonus: 4 },
    dice: [15, 4, 4, 9],
    want: { notes: /saves, 13 on/ },
  },
  {
    ...maul,
    name: "who lies already does not save",
    npc: { conditions: ["Prone"] },
    dice: [15, 3, 4, 4],
    want: { drawn: [20, 20, 6, 6] },
  },
  { ...maul, name: "a miss asks for no save", dice: [2], want: { success: false, drawn: [20] } },
  {
    ...maul,
    name: "Staggered: the save has disadvantage, and the mark is gone after it",
    npc: { conditions: ["Staggered"] },
    dice: [15, 4, 4, 20, 2],
    want: { changes: ["Goblin currentHp=89", "Goblin conditions-Staggered", "Goblin conditions+Prone"] },
  },
]);

const cleaver: Pick<Case, "editions" | "player" | "attack"> = {
  editions,
  player: { inventory: ["Halberd", "Longsword"], stats: { strength: 16 }, weaponMasteries: ["Halberd", "Longsword"] },
  attack: { weapon: "Halberd" },
};
const twin = { inventory: ["Shortsword", "Dagger"], stats: { dexterity: 16 }, weaponMasteries: ["Dagger"] };

runCases("attacks that follow another", "cleave", [
  {
    ...cleaver,
    name: "Cleave's second attack: its own roll, no modifier to damage, once a turn",
    scene: { attack: "cleave" },
    dice: [15, 7],
    want: {
      lines: ["Halberd 1d10 slashing"],
      notes: /^(?!.*Cleave)/,
      changes: ["Aria scene.usedThisTurn+Cleave", "Goblin currentHp=93"],
    },
  },
  {
    ...cleaver,
    name: "a negative modifier is taken all the same",
    player: { ...cleaver.player, stats: { strength: 8 } },
    scene: { attack: "cleave" },
    dice: [19, 4, 7],
    npc: { ac: 2 },
    want: { lines: ["Halberd 1d10-1 slashing"] },
  },
  {
    ...cleaver,
    name: "not twice",
    scene: { attack: "cleave", usedThisTurn: ["Cleave"] },
    dice: [],
    want: { impossible: /once a turn/ },
  },
  {
    ...cleaver,
    name: "not with a longsword",
    attack: { weapon: "Longsword" },
    scene: { attack: "cleave" },
    dice: [],
    want: { impossible: /cannot cleave/ },
  },
  {
    name: "the extra attack of two light weapons is a bonus action, and there is one",
    source: "two-weapon-fighting",
    player: { ...twin, weaponMasteries: [] },
    attack: { weapon: "Shortsword" },
    scene: { attack: "bonus", usedThisTurn: ["Bonus Action"] },
    dice: [],
    want: { impossible: /bonus action is spent/ },
  },
  {
    editions,
    name: "Nick leaves the bonus action alone",
    source: "two-weapon-fighting",
    player: twin,
    attack: { weapon: "Dagger" },
    scene: { attack: "bonus", usedThisTurn: ["Bonus Action"] },
    dice: [15, 4],
    want: { damage: 4, changes: ["Aria scene.usedThisTurn+Nick", "Goblin currentHp=96"] },
  },
  {
    editions,
    name: "and works once a turn",
    source: "two-weapon-fighting",
    player: twin,
    attack: { weapon: "Dagger" },
    scene: { attack: "bonus", usedThisTurn: ["Nick"] },
    dice: [],
    want: { impossible: /once a turn/ },
  },
  {
    name: "a flurry is several strikes of one bonus action",
    source: "martial-arts",
    player: { ...twin, ...features("Martial Arts", "Flurry of Blows") },
    attack: { weapon: "Unarmed Strike" },
    scene: { attack: "bonus", usedThisTurn: ["Bonus Action"] },
    dice: [15, 4],
    want: { success: true },
  },
]);

test("the creature's save stands among the rules with every part of it", () => {
  const npc = { savingThrowBonus: 4, conditions: ["Staggered"] };
  const { rules } = play({ ...maul, name: "", npc, dice: [15, 4, 4, 20, 2], want: {} }, "5.2");
  const about = rules.filter(({ effect }) => effect.startsWith("Topple save: "));
  expect(about.map(({ number, effect, rule }) => `${number} ${effect} ${rule}`)).toEqual([
    "changes Topple save: disadvantage brutal-strike",
    "changes Topple save: lowest of 20 and 2 advantage-and-disadvantage",
    "changes Topple save: +4 d20-test",
  ]);
});
