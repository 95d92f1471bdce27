/** What armor and a shield do: to a rage, to who is not trained with them, to hands and to arts that want neither. */
import { type Case, features, runCases } from "../testing/case.ts";

const barbarian = {
  characterClass: "Barbarian",
  stats: { strength: 16 },
  inventory: ["Greataxe"],
  weaponProficiencies: ["Martial Weapons"],
  armorProficiencies: ["All Armor", "Shields"],
  ...features("Rage"),
  effects: [{ name: "Rage" as const }],
};
const heavy = { ...barbarian, worn: { armor: "heavy" as const } };
const medium = { ...barbarian, worn: { armor: "medium" as const } };
const bolt = { weapon: "Fire Bolt", is_spell_attack: true, spell_name: "Fire Bolt" };
const caster = { characterClass: "Wizard", cantrips: ["Fire Bolt"] };
const blow = { incoming: { dice: "9", damageType: "slashing" as const, onSuccess: "half" as const } };

runCases("rage in armor", "rage", [
  {
    name: "medium armor leaves it be: 6 + 3 + 2",
    player: medium,
    attack: { weapon: "Greataxe" },
    dice: [10, 6],
    want: { damage: 11 },
  },
  {
    name: "heavy armor: 6 + 3",
    player: heavy,
    attack: { weapon: "Greataxe" },
    dice: [10, 6],
    want: { damage: 9, rules: ["!rage"] },
  },
  {
    name: "heavy armor: a claim is denied",
    player: heavy,
    attack: { weapon: "Greataxe", extra_damage_sources: ["Rage"] },
    dice: [10, 6],
    want: { damage: 9, granted: [false], notes: /nothing in heavy armor/ },
  },
  {
    name: "heavy armor: no advantage on strength checks",
    player: heavy,
    check: { skill: "Athletics", dc: 10 },
    dice: [8],
    want: { total: 11 },
  },
  {
    name: "heavy armor: no advantage on strength saves",
    player: heavy,
    save: { ability: "strength", dc: 10 },
    dice: [8],
    want: { total: 11 },
  },
  {
    name: "medium armor: resistance to blows",
    player: { ...medium, currentHP: 30, maxHP: 30 },
    save: { ability: "dexterity", dc: 20 },
    scene: blow,
    dice: [2],
    want: { damage: 4 },
  },
  {
    name: "heavy armor: none",
    player: { ...heavy, currentHP: 30, maxHP: 30 },
    save: { ability: "dexterity", dc: 20 },
    scene: blow,
    dice: [2],
    want: { damage: 9 },
  },
  {
    name: "5.2: heavy armor keeps Frenzy away",
    source: "frenzy",
    editions: ["5.2"],
    player: {
      ...heavy,
      ...features("Rage", "Frenzy"),
      effects: [{ name: "Rage" }, { name: "Reckless Attack" }],
    },
    attack: { weapon: "Greataxe" },
    dice: [10, 3, 6],
    want: { damage: 9 },
  },
  {
    name: "5.1: heavy armor ends no rage, and a rage casts no spell",
    editions: ["5.1"],
    player: { ...heavy, ...caster },
    attack: bolt,
    dice: [],
    want: { impossible: /raging/ },
  },
  {
    name: "5.2: heavy armor ends it",
    editions: ["5.2"],
    player: { ...heavy, ...caster },
    attack: bolt,
    dice: [15, 5],
    want: { damage: 5 },
  },
]);

const leather = { worn: { armor: "light" as const } };
const mace: Pick<Case, "attack"> = { attack: { weapon: "Mace" } };
const armed = { inventory: ["Mace"] };

runCases("armor without training", "armor-training", [
  {
    ...mace,
    name: "disadvantage on attacks with strength",
    player: { ...armed, ...leather },
    dice: [18, 3],
    want: { die: 3 },
  },
  {
    ...mace,
    name: "none with training",
    player: { ...armed, ...leather, armorProficiencies: ["Light Armor"] },
    dice: [3],
    want: { die: 3, rules: ["!armor-training"] },
  },
  {
    ...mace,
    name: "light armor trains nobody for medium",
    player: { ...armed, worn: { armor: "medium" }, armorProficiencies: ["light"] },
    dice: [18, 3],
    want: { die: 3, rules: ["armor-training"] },
  },
  {
    name: "disadvantage on dexterity checks",
    player: leather,
    check: { skill: "Acrobatics", dc: 10 },
    dice: [18, 3],
    want: { die: 3 },
  },
  {
    name: "none on intelligence checks",
    player: leather,
    check: { skill: "Arcana", dc: 10 },
    dice: [3],
    want: { die: 3 },
  },
  {
    name: "disadvantage on strength saves",
    player: leather,
    save: { ability: "strength", dc: 10 },
    dice: [18, 3],
    want: { die: 3 },
  },
  {
    name: "none on constitution saves",
    player: leather,
    save: { ability: "constitution", dc: 10 },
    dice: [3],
    want: { die: 3 },
  },
  {
    name: "no spell",
    player: { ...caster, ...leather },
    attack: bolt,
    dice: [],
    want: { impossible: /not trained with light armor/ },
  },
  {
    ...mace,
    name: "5.1: a shield counts as armor",
    editions: ["5.1"],
    player: { ...armed, worn: { shield: 2 } },
    dice: [18, 3],
    want: { die: 3, rules: ["armor-training"] },
  },
  {
    ...mace,
    name: "5.2: a shield hampers no roll",
    editions: ["5.2"],
    player: { ...armed, worn: { shield: 2 } },
    dice: [3],
    want: { die: 3 },
  },
  {
    name: "noisy armor: disadvantage on Stealth, training or not",
    source: "armor",
    player: { worn: { armor: "heavy", noisy: true }, armorProficiencies: ["All Armor"] },
    check: { skill: "Stealth", dc: 10 },
    dice: [18, 3],
    want: { die: 3, rules: ["armor"] },
  },
  {
    name: "and on nothing else",
    source: "armor",
    player: { worn: { armor: "heavy", noisy: true }, armorProficiencies: ["All Armor"] },
    check: { skill: "Acrobatics", dc: 10 },
    dice: [3],
    want: { die: 3 },
  },
]);

const guard = { weaponProficiencies: ["Martial Weapons"], armorProficiencies: ["Shields"], worn: { shield: 2 } };
const monk = { stats: { dexterity: 16 }, ...features("Martial Arts"), armorProficiencies: ["All Armor", "Shields"] };
const fist: Pick<Case, "attack"> = { attack: { weapon: "Unarmed Strike" } };

runCases("a shield in the other hand", "two-handed", [
  {
    name: "a greatsword needs both hands",
    player: { ...guard, inventory: ["Greatsword"] },
    attack: { weapon: "Greatsword" },
    dice: [],
    want: { impossible: /one holds a shield/ },
  },
  {
    name: "a longsword in two hands as well",
    source: "versatile",
    player: { ...guard, inventory: ["Longsword"] },
    scene: { hands: "two" },
    attack: { weapon: "Longsword" },
    dice: [],
    want: { impossible: /one holds a shield/ },
  },
  {
    name: "5.1: Dueling counts beside a shield",
    source: "dueling",
    editions: ["5.1"],
    player: { ...guard, inventory: ["Longsword"], ...features("Dueling") },
    attack: { weapon: "Longsword" },
    dice: [15, 4],
    want: { damage: 6 },
  },
]);

runCases("martial arts want neither armor nor a shield", "martial-arts", [
  { ...fist, name: "with neither: dexterity", player: monk, dice: [15, 1], want: { modifier: "+5", damage: 4 } },
  {
    ...fist,
    name: "in light armor: strength and 1",
    player: { ...monk, worn: { armor: "light" } },
    dice: [15],
    want: { modifier: "+2", damage: 1 },
  },
  {
    ...fist,
    name: "with a shield: strength and 1",
    player: { ...monk, worn: { shield: 2 } },
    dice: [15],
    want: { modifier: "+2", damage: 1 },
  },
  {
    ...fist,
    name: "in armor there is no bonus strike",
    player: { ...monk, worn: { armor: "light" } },
    scene: { attack: "bonus" },
    dice: [],
    want: { impossible: /two-weapon fighting/ },
  },
]);
