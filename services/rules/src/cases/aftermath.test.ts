/** After the hit: defences, hit points, weapon masteries. */
import { type Case, runCases } from "../testing/case.ts";

const plain = {
  inventory: ["Greatsword", "Mace", "Rapier"],
  weaponProficiencies: ["Martial Weapons", "Simple Weapons"],
  stats: { strength: 16 },
};
/** 5 and 6, +3: 14 slashing. */
const hit = (name: string, row: Partial<Case>, want: Case["want"]): Case => ({
  attack: { weapon: "Greatsword" },
  dice: [18, 5, 6],
  player: plain,
  ...row,
  name,
  want,
});

runCases("defences and hit points", "resistance", [
  hit("none", {}, { damage: 14, changes: ["Goblin currentHp=86"] }),
  hit("resistance halves", { npc: { resistances: ["slashing"] } }, { damage: 7 }),
  hit("and rounds down", { dice: [18, 5, 5], npc: { resistances: ["slashing"] } }, { damage: 6 }),
  hit("resistance listed twice counts once", { npc: { resistances: ["slashing", "slashing"] } }, { damage: 7 }),
  hit("vulnerability doubles", { source: "vulnerability", npc: { vulnerabilities: ["slashing"] } }, { damage: 28 }),
  hit(
    "resistance first, then vulnerability: 13 is 6, then 12",
    { source: "vulnerability", dice: [18, 5, 5], npc: { resistances: ["slashing"], vulnerabilities: ["slashing"] } },
    { damage: 12 },
  ),
  hit(
    "immunity leaves nothing",
    { source: "immunity", npc: { immunities: ["slashing"], vulnerabilities: ["slashing"] } },
    { damage: 0, changes: [], success: true },
  ),
  hit("resistance to another type", { npc: { resistances: ["fire"] } }, { damage: 14 }),
  hit(
    "a petrified creature resists everything",
    { source: "condition", npc: { conditions: ["Petrified"] }, dice: [2, 18, 5, 6] },
    { damage: 7 },
  ),
  hit(
    "petrified and resistant is halved once",
    { npc: { conditions: ["Petrified"], resistances: ["slashing"] }, dice: [2, 18, 5, 6] },
    { damage: 7 },
  ),
  hit(
    "types are grouped before halving: 5 + 1d6 of 4 is 9, halved 4",
    {
      editions: ["5.1"],
      player: { ...plain, effects: [{ name: "Hunter's Mark" }] },
      attack: { weapon: "Mace" },
      npc: { resistances: ["bludgeoning"] },
      dice: [18, 2, 4],
    },
    { damage: 4 },
  ),
  hit(
    "only the resisted type is halved",
    {
      player: { ...plain, effects: [{ name: "Divine Favor" }] },
      attack: { weapon: "Mace" },
      npc: { resistances: ["bludgeoning"] },
      dice: [18, 2, 4],
    },
    { damage: 6 },
  ),
  hit(
    "temporary hit points go first",
    { source: "temporary-hit-points", npc: { temporaryHp: 10 } },
    { changes: ["Goblin temporaryHp=0", "Goblin currentHp=96"] },
  ),
  hit(
    "and may take it all",
    { source: "temporary-hit-points", npc: { temporaryHp: 20 } },
    { changes: ["Goblin temporaryHp=6"] },
  ),
  hit("hit points stop at 0", { source: "dropping-to-0", npc: { currentHp: 3 } }, { changes: ["Goblin currentHp=0"] }),
]);

const master = (weapon: string, rest: Partial<Case> & Pick<Case, "dice" | "want">): Case => ({
  editions: ["5.2"],
  attack: { weapon },
  ...rest,
  name: rest.name ?? weapon,
  player: {
    inventory: [weapon],
    weaponProficiencies: ["Martial Weapons", "Simple Weapons"],
    stats: { strength: 16, dexterity: 16 },
    weaponMasteries: [weapon],
    ...rest.player,
  },
});

runCases("weapon masteries", "graze", [
  master("Glaive", {
    name: "Graze: a miss deals the modifier",
    dice: [2],
    want: { success: false, damage: 3, lines: ["Graze +3 slashing"], changes: ["Goblin currentHp=97"] },
  }),
  master("Glaive", {
    name: "Graze: nothing without a positive modifier",
    player: { stats: { strength: 10 } },
    dice: [2, 2],
    want: { damage: 0 },
  }),
  master("Glaive", {
    name: "Graze: resisted like the weapon",
    npc: { resistances: ["slashing"] },
    dice: [2],
    want: { damage: 1 },
  }),
  master("Glaive", {
    name: "Graze: magic and rage add nothing",
    player: { inventory: ["Glaive +2"], features: [{ name: "Rage" }], effects: [{ name: "Rage" }] },
    dice: [2],
    want: { damage: 3 },
  }),
  master("Glaive", {
    name: "only with the mastery unlocked",
    player: { weaponMasteries: ["Halberd"] },
    dice: [2],
    want: { damage: 0 },
  }),
  master("Glaive", { name: "5.1 has no masteries", editions: ["5.1"], dice: [2], want: { damage: 0 } }),
  master("Halberd", { name: "Cleave is named", dice: [15, 5], want: { notes: /Cleave: one more attack/ } }),
  master("Halberd", {
    name: "Cleave once a turn",
    source: "cleave",
    scene: { usedThisTurn: ["Cleave"] },
    dice: [15, 5],
    want: { notes: /^(?!.*Cleave)/ },
  }),
  master("Warhammer", { name: "Push: 10 feet", dice: [15, 5], want: { notes: /Push: Goblin can be pushed 10 feet/ } }),
  master("Warhammer", {
    name: "Push: nobody huge",
    source: "push",
    npc: { size: "huge" },
    dice: [15, 5],
    want: { notes: /^(?!.*Push)/ },
  }),
  master("Longsword", {
    name: "Sap",
    source: "sap",
    dice: [15, 5],
    want: { rules: ["sap"], changes: ["Goblin currentHp=92", "Goblin conditions+Sapped"] },
  }),
  master("Club", {
    name: "Slow",
    source: "slow",
    dice: [15, 4],
    want: { rules: ["slow"], changes: ["Goblin currentHp=93", "Goblin conditions+Slowed"] },
  }),
  master("Club", {
    name: "Slow needs damage",
    source: "slow",
    npc: { immunities: ["bludgeoning"] },
    dice: [15, 4],
    want: { rules: ["!slow"], changes: [] },
  }),
  master("Rapier", {
    name: "Vex",
    source: "vex",
    dice: [15, 4],
    want: { rules: ["vex"], changes: ["Goblin currentHp=93", "Aria effects+Vex: goblin-1"] },
  }),
  master("Rapier", {
    name: "Vex is used up by the next attack roll, hit or miss",
    source: "vex",
    player: { weaponMasteries: [], effects: [{ name: "Vex", target: "Goblin" }, { name: "Sap" }] },
    dice: [2],
    want: { changes: ["Aria effects-Vex: Goblin", "Aria effects-Sap"] },
  }),
  master("Rapier", {
    name: "Vex needs damage",
    source: "vex",
    npc: { immunities: ["piercing"] },
    dice: [15, 4],
    want: { rules: ["!vex"] },
  }),
  master("Rapier", { name: "no mastery on a miss", dice: [2], want: { rules: ["!vex"], changes: [] } }),
  master("Scimitar", {
    name: "Nick spends no bonus action",
    source: "two-weapon-fighting",
    scene: { attack: "bonus" },
    dice: [15, 4],
    want: { changes: ["Aria scene.usedThisTurn+Nick", "Goblin currentHp=96"] },
  }),
]);
