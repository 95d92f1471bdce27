/** Spell attacks: modifiers, scaling with level and slot, slots spent, reach; and what cannot be cast. */
import { type Case, runCases } from "./case.fixture.ts";

const wizard = {
  characterClass: "Wizard",
  level: 5,
  stats: { intelligence: 18 },
  cantrips: ["Fire Bolt", "Ray of Frost", "Chill Touch", "Shocking Grasp", "Poison Spray", "Eldritch Blast"],
  knownSpells: ["Scorching Ray", "Acid Arrow", "Chromatic Orb", "Vampiric Touch", "Spiritual Weapon"],
};
const cast = (spell_name: string) => ({ weapon: spell_name, target: "Goblin", is_spell_attack: true, spell_name });
const row = (name: string, spell: string, rest: Partial<Case> & Pick<Case, "dice" | "want">): Case => ({
  attack: cast(spell),
  ...rest,
  name: `${spell}: ${name}`,
  player: { ...wizard, ...rest.player },
});

runCases("spell attacks (Spellcasting: Spell Attack Rolls; Spells)", [
  row("casting modifier and proficiency", "Fire Bolt", {
    dice: [8, 1, 1],
    want: { modifier: "+7", total: 15, success: true },
  }),
  row("level 1: one die", "Fire Bolt", {
    player: { level: 1 },
    dice: [15, 9],
    want: { lines: ["Fire Bolt 1d10 fire"], damage: 9 },
  }),
  row("level 4: one die", "Fire Bolt", {
    player: { level: 4 },
    dice: [15, 9],
    want: { lines: ["Fire Bolt 1d10 fire"] },
  }),
  row("level 5: two dice", "Fire Bolt", { dice: [15, 9, 9], want: { lines: ["Fire Bolt 2d10 fire"] } }),
  row("level 11: three dice", "Fire Bolt", {
    player: { level: 11 },
    dice: [15, 1, 1, 1],
    want: { lines: ["Fire Bolt 3d10 fire"] },
  }),
  row("level 17: four dice", "Fire Bolt", {
    player: { level: 17 },
    dice: [15, 1, 1, 1, 1],
    want: { lines: ["Fire Bolt 4d10 fire"] },
  }),
  row("a critical hit doubles scaled dice", "Fire Bolt", {
    dice: [20, 1, 1, 1, 1],
    want: { lines: ["Fire Bolt 4d10 fire"], crit: true },
  }),
  row("a cantrip spends nothing", "Fire Bolt", { dice: [2], want: { changes: [] } }),
  row("out of range", "Fire Bolt", { npc: { distance: 125 }, dice: [], want: { impossible: /range of 120/ } }),
  row("total cover", "Fire Bolt", { npc: { cover: "total" }, dice: [], want: { impossible: /total cover/ } }),
  row("half cover counts", "Fire Bolt", { npc: { cover: "half" }, dice: [9], want: { ac: "17", success: false } }),
  row("a hostile within 5 feet", "Fire Bolt", { scene: { hostileWithin5ft: true }, dice: [18, 2], want: { die: 2 } }),
  row("a melee spell is not hampered", "Shocking Grasp", {
    scene: { hostileWithin5ft: true },
    dice: [8, 1, 1],
    want: { success: true },
  }),
  row("a champion's crit range is for weapons", "Fire Bolt", {
    player: { features: [{ name: "Improved Critical" }] },
    dice: [19, 1, 1],
    want: { crit: false },
  }),
  row("5.1: ranged, d8", "Chill Touch", {
    editions: ["5.1"],
    npc: { distance: 100 },
    dice: [15, 1, 1],
    want: { lines: ["Chill Touch 2d8 necrotic"] },
  }),
  row("5.2: melee, d10", "Chill Touch", {
    editions: ["5.2"],
    dice: [15, 1, 1],
    want: { lines: ["Chill Touch 2d10 necrotic"] },
  }),
  row("5.2: an attack of 1d12 a tier", "Poison Spray", {
    editions: ["5.2"],
    dice: [15, 1, 1],
    want: { lines: ["Poison Spray 2d12 poison"] },
  }),
  row("beams are one call each", "Eldritch Blast", {
    dice: [15, 7],
    want: { lines: ["Eldritch Blast 1d10 force"], notes: /makes 2 such attacks/ },
  }),
  row("Agonizing Blast adds charisma", "Eldritch Blast", {
    player: { stats: { intelligence: 18, charisma: 16 }, features: [{ name: "Agonizing Blast" }] },
    dice: [15, 7],
    want: { damage: 10, lines: ["Eldritch Blast 1d10+3 force"] },
  }),
  row("Agonizing Blast is for no other cantrip", "Fire Bolt", {
    player: { features: [{ name: "Agonizing Blast" }] },
    dice: [15, 7, 1],
    want: { damage: 8 },
  }),
  row("three rays; the first spends the slot", "Scorching Ray", {
    dice: [15, 1, 1],
    want: {
      notes: /makes 3 such attacks/,
      changes: ["Aria spellSlotsUsed.2=1", "Aria scene.usedThisTurn+Scorching Ray", "Goblin currentHp=98"],
    },
  }),
  row("a later ray spends none", "Scorching Ray", {
    scene: { usedThisTurn: ["Scorching Ray"] },
    dice: [15, 1, 1],
    want: { changes: ["Goblin currentHp=98"] },
  }),
  row("a higher slot: four rays", "Scorching Ray", {
    scene: { slotLevel: 3 },
    dice: [15, 1, 1],
    want: { notes: /makes 4 such attacks/ },
  }),
  row("a miss spends the slot", "Vampiric Touch", { dice: [2], want: { changes: ["Aria spellSlotsUsed.3=1"] } }),
  row("a slot that is too low", "Vampiric Touch", {
    scene: { slotLevel: 2 },
    dice: [],
    want: { impossible: /slot of level 3/ },
  }),
  row("no slot left", "Vampiric Touch", {
    player: { spellSlots: { "3": 1 }, spellSlotsUsed: { "3": 1 } },
    dice: [],
    want: { impossible: /no spell slot is left/ },
  }),
  row("level 4 slot: one more die", "Vampiric Touch", {
    player: { level: 7 },
    scene: { slotLevel: 4 },
    dice: [15, 1, 1, 1, 1],
    want: { lines: ["Vampiric Touch 4d6 necrotic"] },
  }),
  row("a hit", "Acid Arrow", { dice: [15, 1, 2, 3, 3], want: { damage: 9 } }),
  row("a miss splashes half, rounded down", "Acid Arrow", {
    dice: [2, 1, 2, 3, 3],
    want: { success: false, damage: 4, changes: ["Aria spellSlotsUsed.2=1", "Goblin currentHp=96"] },
  }),
  row("adds the modifier", "Spiritual Weapon", {
    dice: [15, 8],
    want: { lines: ["Spiritual Weapon 1d8+4 force"], damage: 12 },
  }),
  row("5.1: a die for every two slot levels", "Spiritual Weapon", {
    editions: ["5.1"],
    player: { level: 5 },
    scene: { slotLevel: 3 },
    dice: [15, 8],
    want: { lines: ["Spiritual Weapon 1d8+4 force"] },
  }),
  row("5.2: a die for every slot level", "Spiritual Weapon", {
    editions: ["5.2"],
    player: { level: 5 },
    scene: { slotLevel: 3 },
    dice: [15, 8, 8],
    want: { lines: ["Spiritual Weapon 2d8+4 force"] },
  }),
  row("5.2: the caster's choice in brackets", "Chromatic Orb (fire)", {
    editions: ["5.2"],
    npc: { resistances: ["fire"] },
    dice: [15, 1, 2, 2],
    want: { damage: 2 },
  }),
  row("no spell in a rage", "Fire Bolt", {
    player: { effects: [{ name: "Rage" }] },
    dice: [],
    want: { impossible: /raging/ },
  }),
  row("no spell while stunned", "Fire Bolt", {
    player: { conditions: ["Stunned"] },
    dice: [],
    want: { impossible: /stunned/ },
  }),
  row("a class without spells needs an ability on the sheet", "Fire Bolt", {
    player: { characterClass: "Fighter" },
    dice: [],
    want: { impossible: /no spellcasting ability/ },
  }),
  row("the sheet's own ability", "Fire Bolt", {
    player: { characterClass: "Fighter", spellcastingAbility: "charisma", stats: { charisma: 12 } },
    dice: [15, 1, 1],
    want: { modifier: "+4" },
  }),
  row("the sheet's own numbers", "Fire Bolt", {
    player: { weaponDamage: { "Fire Bolt": { dice: "3d4", stat: "none", damageType: "cold" } } },
    dice: [15, 1, 1, 1],
    want: { lines: ["Fire Bolt 3d4 cold"] },
  }),
  row("Hex adds to a spell's hit in 5.2", "Fire Bolt", {
    editions: ["5.2"],
    player: { effects: [{ name: "Hex" }] },
    dice: [15, 1, 1, 6],
    want: { damage: 8 },
  }),
  row("Hunter's Mark adds to a spell's hit in 5.2", "Fire Bolt", {
    editions: ["5.2"],
    player: { effects: [{ name: "Hunter's Mark" }] },
    dice: [15, 1, 1, 6],
    want: { damage: 8 },
  }),
  row("but not in 5.1", "Fire Bolt", {
    editions: ["5.1"],
    player: { effects: [{ name: "Hunter's Mark" }] },
    dice: [15, 1, 1],
    want: { damage: 2 },
  }),
  row("bless adds to a spell attack", "Fire Bolt", {
    player: { effects: [{ name: "Bless" }] },
    dice: [7, 1, 1, 1],
    want: { total: 15, success: true },
  }),
  row("touch reaches 5 feet", "Shocking Grasp", {
    npc: { distance: 10 },
    dice: [],
    want: { impossible: /beyond the range of 5 feet/ },
  }),
  row("a force strikes where it stands", "Spiritual Weapon", {
    npc: { distance: 60 },
    dice: [2],
    want: { success: false },
  }),
  row("no Sneak Attack with a spell", "Fire Bolt", {
    player: { features: [{ name: "Sneak Attack" }] },
    npc: { engaged: true },
    attack: { ...cast("Fire Bolt"), extra_damage_sources: ["Sneak Attack"] },
    dice: [15, 1, 1],
    want: { granted: [false] },
  }),
]);
