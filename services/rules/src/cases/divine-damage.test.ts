/** Divine damage beside Divine Smite: Improved Divine Smite, the smites of 5.2 that are spells of their own, Divine Strike. */
import { runCases } from "../testing/case.ts";
import { paladin, smite } from "../testing/paladin.ts";

runCases("other smites", "improved-divine-smite", [
  {
    name: "Improved Divine Smite is for every melee weapon, thrown ones too",
    source: "improved-divine-smite",
    player: { ...paladin, features: [{ name: "Improved Divine Smite" }] },
    npc: { distance: 20 },
    attack: { weapon: "Dagger" },
    dice: [14, 1, 8],
    want: { rules: ["improved-divine-smite"] },
  },
  {
    name: "5.2: with bare hands too",
    source: "improved-divine-smite",
    editions: ["5.2"],
    player: paladin,
    attack: { weapon: "Unarmed Strike", extra_damage_sources: ["Divine Smite"] },
    dice: [14, 1, 1],
    want: { granted: [true], damage: 6 },
  },
  {
    name: "Improved Divine Smite adds 1d8 by itself",
    source: "improved-divine-smite",
    player: { ...paladin, features: [{ name: "Improved Divine Smite" }] },
    attack: { weapon: "Longsword" },
    dice: [12, 1, 8],
    want: { damage: 12 },
  },
  {
    name: "Radiant Strikes is its name in 5.2",
    source: "improved-divine-smite",
    editions: ["5.2"],
    player: { ...paladin, features: [{ name: "Radiant Strikes" }] },
    attack: { weapon: "Unarmed Strike" },
    dice: [14, 8],
    want: { damage: 12 },
  },
  {
    name: "5.2: Searing Smite, 1d6 fire and one more a slot level, for the bonus action",
    source: "smite-spell",
    editions: ["5.2"],
    player: { ...paladin, knownSpells: ["Searing Smite"], spellSlots: { "2": 1 }, spellSlotsUsed: {} },
    attack: smite("Searing Smite"),
    dice: [14, 1, 3, 4],
    want: {
      lines: ["Longsword 1d8+3 slashing", "Searing Smite 2d6 fire"],
      changes: [
        "Aria spellSlotsUsed.2=1",
        "Aria scene.usedThisTurn+Spell Slot",
        "Aria scene.usedThisTurn+Bonus Action",
        "Goblin conditions+Burning",
        "Goblin currentHp=89",
      ],
    },
  },
  {
    name: "5.2: Shining Smite needs a slot of level 2",
    source: "smite-spell",
    editions: ["5.2"],
    player: { ...paladin, knownSpells: ["Shining Smite"], spellSlots: { "1": 4 }, spellSlotsUsed: {} },
    attack: smite("Shining Smite"),
    dice: [14, 1],
    want: { granted: [false] },
  },
  {
    name: "5.2: whoever shines is hit with advantage",
    source: "smite-spell",
    editions: ["5.2"],
    player: paladin,
    npc: { conditions: ["Shining"] },
    attack: { weapon: "Longsword" },
    dice: [2, 14, 1],
    want: { die: 14, rules: ["smite-spell"] },
  },
  {
    name: "a smite that is not prepared, or of the other edition",
    source: "smite-spell",
    player: paladin,
    attack: smite("Searing Smite"),
    dice: [14, 1],
    want: { granted: [false] },
  },
]);

const cleric = (...names: string[]) => ({
  ...paladin,
  characterClass: "Cleric",
  level: 8,
  features: names.map((name) => ({ name })),
});
const prays = { weapon: "Longsword", extra_damage_sources: ["Divine Strike"] };

runCases("divine strike", "divine-strike", [
  {
    name: "level 8: 1d8 radiant, once a turn",
    player: cleric("Divine Strike"),
    attack: prays,
    dice: [12, 1, 5],
    want: {
      granted: [true],
      lines: ["Longsword 1d8+3 slashing", "Divine Strike 1d8 radiant"],
      changes: ["Aria scene.usedThisTurn+Divine Strike", "Goblin currentHp=91"],
    },
  },
  {
    name: "level 14: 2d8",
    player: { ...cleric("Divine Strike"), level: 14 },
    attack: prays,
    dice: [12, 1, 5, 5],
    want: { damage: 14 },
  },
  {
    name: "not twice a turn",
    player: cleric("Divine Strike"),
    scene: { usedThisTurn: ["Divine Strike"] },
    attack: prays,
    dice: [12, 1],
    want: { granted: [false] },
  },
  { name: "not without the feature", player: cleric(), attack: prays, dice: [12, 1], want: { granted: [false] } },
  {
    name: "5.2: chosen among the Blessed Strikes",
    editions: ["5.2"],
    player: { ...cleric(), features: [{ name: "Blessed Strikes", chosenOption: "Divine Strike" }] },
    attack: prays,
    dice: [12, 1, 5],
    want: { granted: [true], damage: 9 },
  },
  {
    name: "5.2: necrotic, where that was chosen",
    editions: ["5.2"],
    player: { ...cleric(), features: [{ name: "Divine Strike", chosenOption: "Necrotic" }] },
    attack: prays,
    dice: [12, 1, 5],
    want: { lines: ["Longsword 1d8+3 slashing", "Divine Strike 1d8 necrotic"] },
  },
  {
    name: "5.1: bare hands are a weapon attack",
    editions: ["5.1"],
    player: cleric("Divine Strike"),
    attack: { ...prays, weapon: "Unarmed Strike" },
    dice: [12, 5],
    want: { granted: [true], damage: 9 },
  },
  {
    name: "5.2: it needs a weapon",
    editions: ["5.2"],
    player: cleric("Divine Strike"),
    attack: { ...prays, weapon: "Unarmed Strike" },
    dice: [12],
    want: { granted: [false], damage: 4 },
  },
]);
