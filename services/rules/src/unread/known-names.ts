/** The names that the rules know, for each list of a sheet. A name that is not among them is compared with these. */
import { abilities, sheetNames, skills } from "@fairlead/contracts/rules";
import { allSureSpells, boonMarks } from "../data/boon-spells.ts";
import { allSaveSpells, conditionMarks } from "../data/condition-spells.ts";
import { conditionNames } from "../data/conditions.ts";
import { spellMarks } from "../data/spell-effects.ts";
import { attackSpells } from "../data/spells.ts";
import { type Edition, weapons } from "../data/weapons.ts";
import { effectNames } from "../effects/apply.ts";
import { weaponProficiencyNames } from "../sheet/weapon.ts";

const fightingStyles = ["Archery", "Defense", "Dueling", "Great Weapon Fighting", "Two-Weapon Fighting"] as const;

/** Features that a rule asks for by name; `find-unread.test.ts` compares the list with the code. */
const features = [
  ...["Agonizing Blast", "Alert", "Aura of Protection", "Bardic Inspiration", "Blessed Strikes", "Brutal Critical"],
  ...["Brutal Strike", "Colossus Slayer", "Cunning Strike", "Danger Sense", "Devious Strikes", "Divine Smite"],
  ...["Divine Strike", "Eldritch Smite", "Evasion", "Expertise", "Favored Enemy", "Feral Instinct", "Fighting Style"],
  ...[
    "Flurry of Blows",
    "Foe Slayer",
    "Frenzy",
    "Gnome Cunning",
    "Gnomish Cunning",
    "Halfling Luck",
    "Heightened Focus",
    "Hex",
  ],
  ...["Hunter's Mark", "Hunter's Prey", "Divine Favor", "Improved Brutal Strike", "Improved Critical"],
  ...["Improved Cunning Strike", "Improved Divine Smite", "Jack of All Trades", "Luck", "Lucky", "Martial Arts"],
  ...["Paladin's Smite", "Precise Hunter", "Radiant Strikes", "Rage", "Reliable Talent", "Remarkable Athlete"],
  ...["Relentless Endurance", "Savage Attacker", "Savage Attacks", "Sneak Attack", "Superior Critical"],
  ...["Supreme Sneak", "Unarmored Defense", "Uncanny Dodge"],
  ...effectNames("feature"),
  ...fightingStyles.flatMap((style) => [style, `Fighting Style: ${style}`]),
];

const classes = [
  ...["Barbarian", "Bard", "Cleric", "Druid", "Fighter", "Monk", "Paladin", "Ranger", "Rogue", "Sorcerer"],
  ...["Warlock", "Wizard"],
] as const;

/** Conditions of the rule books, and the marks that rules leave and read. */
const conditions = [
  ...[...conditionNames, "Exhaustion", "Exhausted", "Concentrating", "Sustaining", "Dead", "Stable"],
  ...[
    "Burning",
    "Dazed",
    "Hamstrung",
    "Legendary Resistance",
    "Sapped",
    "Shield",
    "Shining",
    "Slowed",
    "Staggered",
    "Sundered",
    ...spellMarks,
    ...conditionMarks,
    ...boonMarks.map((mark) => mark.replace(/ \(.*/, "")),
    ...effectNames("effect"),
  ],
];

const spells = (edition: Edition): readonly string[] => [
  ...attackSpells[edition].map(({ name }) => name),
  ...allSaveSpells[edition].map(({ name }) => name),
  ...allSureSpells[edition].map(({ name }) => name),
  ...[
    "Divine Favor",
    "Divine Smite",
    "Hex",
    "Hunter's Mark",
    "Searing Smite",
    "Shining Smite",
    "Shield",
    "Counterspell",
  ],
];

const listNames = (edition: Edition) => ({
  skills,
  classes,
  features,
  conditions,
  spells: spells(edition),
  effects: [...sheetNames.effects, ...effectNames("effect"), ...effectNames("item")],
  abilities: [...abilities, ...abilities.map((ability) => ability.slice(0, 3))],
  weapons: weapons[edition].flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias])),
  weaponProficiencies: weaponProficiencyNames(edition),
  armorProficiencies: [
    ...["light", "medium", "heavy", "all"].flatMap((kind) => [kind, `${kind} armor`]),
    ...["shield", "shields", "none"],
  ],
  traits: ["Evasion", "Magic Resistance"],
  /** What the specification's sheet has for its own use. */
  ownFields: ["maxCantrips", "maxKnownSpells", "pendingLevelUp", "deathSaveFailures", "deathSaveSuccesses"],
});

export type KnownNames = ReturnType<typeof listNames>;

/** By edition. */
export const knownNames: Readonly<Record<Edition, KnownNames>> = { "5.1": listNames("5.1"), "5.2": listNames("5.2") };
