/**
 * The character who acts: what the specification's sheet has, and what is worn, in effect and spent.
 *
 * Everything has a sensible default, so a name, a class, a level and six scores are enough; who fights needs `maxHP` as well. What no rule reads is accepted. Not here:
 * creatures, scene and rulings (`game.ts`).
 */
import * as z from "zod";
import {
  ability,
  count,
  currentHitPoints,
  damageType,
  damageTypes,
  flag,
  hitPoints,
  name,
  names,
  sheet,
  size,
  skill,
  someName,
  unread,
} from "./name.ts";

const effectNames = [
  "Aura of Protection",
  "Bane",
  "Bardic Inspiration",
  "Bless",
  "Divine Favor",
  "Dodge",
  "Guidance",
  "Hex",
  "Hunter's Mark",
  "Rage",
  "Reckless Attack",
  "Resistance",
  "Sap",
  "Vex",
] as const;

const score = z
  .int()
  .min(1)
  .max(30)
  .default(10)
  .meta({ id: "Score", description: "Ability score, 1 to 30; 10 and 11 give +0" });

const statsFields = {
  strength: score,
  dexterity: score,
  constitution: score,
  intelligence: score,
  wisdom: score,
  charisma: score,
};
const stats = sheet(statsFields).prefault({}).describe("Ability scores; those left out are 10");

const extraDamage = z
  .strictObject({
    dice: z
      .string()
      .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}(?:[+-][1-9]\d?)?|[1-9]\d?)$/, "dice like 2d6 or 2d6+3, or a number")
      .describe('Dice like "2d6"'),
    damageType: damageType.optional(),
  })
  .describe("Damage of another type");

const weaponStatFields = {
  dice: z
    .string()
    .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}(?:[+-][1-9]\d?)?|[1-9]\d?|0)$/, "dice like 1d8 or 1d8+2, or a number like 1")
    .describe('Damage dice like "1d8", "1d8+2" as a stat block has them, or a fixed number like "1"'),
  stat: z
    .enum(["str", "dex", "finesse", "none"])
    .describe("Ability for attack and damage; finesse takes the better of str and dex, none adds nothing"),
  bonus: z
    .int()
    .min(-10)
    .max(10)
    .default(0)
    .describe('Magic bonus to attack and damage, like 1; 0 takes the +1 of a name like "Longsword +1"'),
  damageType: damageType.optional(),
  toHit: z
    .int()
    .min(-10)
    .max(30)
    .optional()
    .describe("Attack bonus as a stat block prints it, in place of ability, proficiency and magic"),
  kind: z.enum(["melee", "ranged"]).optional().describe("Of an attack that the SRD has no weapon for"),
  extra: z.array(extraDamage).max(4).optional().describe("What a hit deals in addition, like fire"),
};
const weaponStat = sheet(weaponStatFields);

const featureFields = {
  name: name('As the SRD writes it, like "Sneak Attack", "Evasion", "Fighting Style"'),
  level: unread,
  description: unread,
  source: z.string().max(80).optional().describe('Class, species or feat it comes from, like "Halfling"'),
  type: unread,
  scalesWithLevel: unread,
  scalingFormula: z
    .string()
    .max(200)
    .optional()
    .describe('Dice like "3d6" or "ceil(level/2)d6", where a table differs from the SRD'),
  chosenOption: z
    .string()
    .max(200)
    .optional()
    .describe('What was chosen: "Stealth, Perception" for Expertise, "Archery" for Fighting Style'),
};
const feature = sheet(featureFields);

const effectFields = {
  name: z.union([z.enum(effectNames), someName]).describe("Conditions and effects; one that no rule uses is reported"),
  die: z.int().min(2).max(20).optional().describe("Sides of the die, for Bardic Inspiration: 6, 8, 10 or 12"),
  bonus: z.int().min(-10).max(20).optional().describe("The paladin's Charisma modifier, for Aura of Protection"),
  target: name("Creature it is on (Hex, Hunter's Mark, Vex), by name or id; left out, whoever is attacked").optional(),
  skill: skill.optional(),
  damageType: damageType.optional(),
};
const effect = sheet(effectFields);

const slots = z
  .record(z.string().regex(/^[1-9]$/, "a spell level from 1 to 9"), z.int().min(0).max(20))
  .default({})
  .meta({ id: "Slots", description: 'By slot level: { "1": 4 }' });

/** Resistances, vulnerabilities and immunities, by damage type; empty by default. */
export const defences = {
  resistances: damageTypes("Types whose damage is halved, rounded down"),
  vulnerabilities: damageTypes("Types whose damage is doubled"),
  immunities: damageTypes("Types that deal no damage"),
  nonmagical: z
    .strictObject({
      defence: z.enum(["resistance", "immunity"]).describe("Half of it, or none"),
      unless: z.enum(["silvered", "adamantine"]).optional().describe("Weapons of this metal hurt it all the same"),
    })
    .optional()
    .describe("What it has against bludgeoning, piercing and slashing damage of weapons that are not magical"),
};

const senseRange = z.int().min(0).max(1_000).optional();
/** Special senses, each with its range in feet. Without them nothing is seen in the dark. */
export const senses = sheet({
  darkvision: senseRange.describe("Sees in the dark as in dim light"),
  blindsight: senseRange.describe("Notices what is there without seeing it, invisible or not"),
  tremorsense: senseRange.describe("Notices what touches the same ground"),
  truesight: senseRange.describe("Sees in the dark and what is invisible"),
})
  .prefault({})
  .describe("Special senses, in feet: { darkvision: 60 }");

const wornFields = {
  armor: z.enum(["none", "light", "medium", "heavy"]).default("none").describe("Category of the armor"),
  armorBase: z.int().min(10).max(21).default(10).describe("Armor Class that the armor gives by itself, magic included"),
  noisy: flag("The armor gives disadvantage on Stealth"),
  shield: z.int().min(0).max(5).default(0).describe("Bonus of the shield, magic included; 0 without one"),
};
const worn = sheet(wornFields).prefault({}).describe("Armor and shield that are worn");

const playerFields = {
  name: someName,
  gender: unread,
  characterClass: name('Class, like "Rogue"'),
  classLevels: z
    .record(z.string().min(1).max(40), z.int().min(1).max(20))
    .optional()
    .describe(
      'Levels by class of a multiclass character: { "Fighter": 5, "Rogue": 3 }; left out, all are of `characterClass`',
    ),
  subclass: unread,
  race: z.string().max(80).default("").describe('Species, like "Halfling"'),
  level: z.int().min(1).max(20).describe("Character level, 1 to 20"),
  proficiencyBonus: z
    .int()
    .min(2)
    .max(9)
    .optional()
    .describe("Of a monster, by its challenge rating; left out, that of the level"),
  hitDie: z
    .union([z.string(), z.number(), z.boolean()])
    .optional()
    .describe('The hit die, like "d8", of a class that the SRD does not have'),
  hitDiceUsed: z
    .record(z.string().regex(/^d(?:6|8|10|12)$/, "a hit die like d8"), z.int().min(0).max(20))
    .default({})
    .describe('Hit dice spent already, by kind: { "d8": 2 }'),
  xp: unread,
  xpToNextLevel: unread,
  currentHP: hitPoints("Hit points now; at 0 and below the character is unconscious", 1_000),
  maxHP: z.int().min(1).max(1_000).default(1).describe("Hit point maximum"),
  temporaryHP: count("Temporary hit points", 1_000),
  armorClass: unread,
  size,
  stats,
  savingThrowProficiencies: names('Abilities whose saves are proficient, like "dexterity"'),
  skillProficiencies: names('Skills with proficiency, like "Stealth"'),
  weaponProficiencies: names('Weapons or categories: "Rapier", "Martial Weapons"'),
  armorProficiencies: names('Armor trained with: "Light Armor", "All Armor", "Shields"'),
  worn,
  weaponMasteries: names('Weapons whose mastery is unlocked, like "Maul" (5.2)'),
  features: z
    .array(feature)
    .max(200)
    .default([])
    .describe("Features of class, species and feats; a claim without its feature here is denied"),
  inventory: z
    .array(z.string().max(200))
    .max(500)
    .optional()
    .describe('Belongings; weapons among them can be used: "Longsword +1"'),
  conditions: names('Conditions: "Poisoned", "Charmed by Goblin", "Prone"'),
  exhaustion: count("Exhaustion level, 0 to 6", 6),
  effects: z
    .array(effect)
    .max(50)
    .optional()
    .describe("Spells and features at work on the character, like Bless or Rage; left out, a claim of one is believed"),
  gold: unread,
  weaponDamage: z
    .record(z.string().min(1).max(80), weaponStat)
    .default({})
    .describe("Numbers of weapons and attack spells by name, where they differ from the SRD's"),
  spellcastingAbility: ability.optional(),
  cantrips: names("Cantrips known"),
  knownSpells: names("Spells known or prepared"),
  spellSlots: slots.describe("Spell slots in all; left out, those of the class table"),
  spellSlotsUsed: slots.describe("Spell slots spent already"),
  usedSinceRest: names('What was used since the last long rest, as `changes` reported it: "Paladin\'s Smite"'),
  senses,
  ...defences,
};
const misnamed = { class: "characterClass", lvl: "level" };

/** The character's sheet; what is left out has a default. */
export const player = sheet(playerFields, misnamed).describe("The character who acts");

/** The sheet of somebody who fights: a default maximum of 1 would end the fight at the first blow. */
export const fighter = sheet(
  {
    ...playerFields,
    maxHP: z.int().min(1).max(1_000).describe("Hit point maximum"),
    currentHP: currentHitPoints(1_000).optional().describe("Hit points now; left out, those of the maximum"),
  },
  misnamed,
);

/** Decoded sheet of the character. */
export type Player = z.output<typeof player>;
/** Decoded sheet of somebody who fights. */
export type Fighter = z.output<typeof fighter>;
/** Effects at work that the rules know: "Bless", "Rage", "Hunter's Mark" and so on. */
export type EffectName = (typeof effectNames)[number];

/** Names of the fields and effects that the rules know, for the report of those that they do not. */
export const sheetNames = {
  player: Object.keys(playerFields),
  stats: Object.keys(statsFields),
  worn: Object.keys(wornFields),
  feature: Object.keys(featureFields),
  effect: Object.keys(effectFields),
  weapon: Object.keys(weaponStatFields),
  effects: effectNames,
} as const;
