/**
 * The game a question is asked about: edition, character, creatures, scene, and the table's rulings on points the text leaves open.
 *
 * Everything has a sensible default, so a character of a name, a class, a level and six scores is enough. Unknown fields are
 * refused. Models read it once, in the first tool of the list that takes it. Not here: what the player wants to do
 * (`intent.ts`), and what came of it (`result.ts`).
 */
import * as z from "zod";
import { listOnce } from "../core/index.ts";
import {
  ability,
  count,
  cover,
  damageType,
  damageTypes,
  flag,
  name,
  names,
  size,
  skill,
  someName,
  unread,
} from "./name.ts";

export const effectNames = [
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

const score = z.int().min(1).max(30).default(10).meta({ id: "Score", description: "Ability score" });

const stats = z
  .strictObject({
    strength: score,
    dexterity: score,
    constitution: score,
    intelligence: score,
    wisdom: score,
    charisma: score,
  })
  .prefault({})
  .describe("Ability scores");

const weaponStat = z.strictObject({
  dice: z
    .string()
    .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}|[1-9]\d?|0)$/)
    .describe('Like "1d8", or a fixed number'),
  stat: z.enum(["str", "dex", "finesse", "none"]).describe("Ability used"),
  bonus: z.int().min(-10).max(10).default(0).describe("Magic bonus to hit and damage"),
  damageType: damageType.optional(),
});

const feature = z.strictObject({
  name: name('Like "Sneak Attack"'),
  level: unread,
  description: unread,
  source: z.string().max(80).optional().describe("Class, species or feat"),
  type: unread,
  scalesWithLevel: unread,
  scalingFormula: z.string().max(40).optional().describe('Dice now, like "3d6", where a table differs from the SRD'),
  chosenOption: z.string().max(200).optional().describe('Like "Stealth, Perception" for Expertise'),
});

const effect = z.strictObject({
  name: z.enum(effectNames).describe("What is at work"),
  die: z.int().min(2).max(20).optional().describe("Sides, for Bardic Inspiration"),
  bonus: z.int().min(-10).max(20).optional().describe("Number, for Aura of Protection"),
  target: name("Creature it is aimed at; left out: whoever is attacked").optional(),
  skill: skill.optional(),
  damageType: damageType.optional(),
});

const slots = z
  .record(z.string().regex(/^[1-9]$/), z.int().min(0).max(20))
  .default({})
  .meta({ id: "Slots", description: 'By slot level: { "1": 4 }' });

const hitPoints = {
  resistances: damageTypes("Damage halved"),
  vulnerabilities: damageTypes("Damage doubled"),
  immunities: damageTypes("No damage"),
};

export const player = z
  .strictObject({
    name: someName,
    gender: unread,
    characterClass: name('Like "Rogue"'),
    subclass: unread,
    race: z.string().max(80).default("").describe("Species"),
    level: z.int().min(1).max(20).describe("Character level"),
    hitDie: unread,
    xp: unread,
    xpToNextLevel: unread,
    currentHP: z.int().min(0).max(1_000).default(1).describe("Hit points now"),
    maxHP: z.int().min(1).max(1_000).default(1).describe("Hit point maximum"),
    temporaryHP: count("Temporary hit points", 1_000),
    armorClass: unread,
    size,
    stats,
    savingThrowProficiencies: names("Abilities with proficient saves"),
    skillProficiencies: names("Skills with proficiency"),
    weaponProficiencies: names('Like "Rapier", "Martial Weapons"'),
    armorProficiencies: names("Not read"),
    weaponMasteries: names("Weapons whose mastery is unlocked (5.2)"),
    features: z.array(feature).max(200).default([]).describe("Only these are believed"),
    inventory: z.array(z.string().max(200)).max(500).default([]).describe("Weapons in it can be used"),
    conditions: names('Like "Poisoned", "Charmed by Goblin"'),
    exhaustion: count("Exhaustion level", 6),
    effects: z.array(effect).max(50).default([]).describe("What is at work on the character"),
    gold: unread,
    weaponDamage: z
      .record(z.string().min(1).max(80), weaponStat)
      .default({})
      .describe("Weapons by name, where the SRD table is not wanted"),
    spellcastingAbility: ability.optional(),
    cantrips: names("Cantrips known"),
    knownSpells: names("Spells known or prepared"),
    spellSlots: slots.describe("Slots in all; left out: the class table's"),
    spellSlotsUsed: slots.describe("Slots spent"),
    ...hitPoints,
  })
  .describe("The character who acts");

export const npc = z.strictObject({
  id: z.string().max(80).default("").describe("May be used as a target"),
  name: someName,
  ac: z.int().min(0).max(40).describe("Armor Class"),
  currentHp: z.int().min(0).max(2_000).default(1).describe("Hit points now"),
  maxHp: z.int().min(1).max(2_000).default(1).describe("Hit point maximum"),
  temporaryHp: count("Temporary hit points", 1_000),
  attackBonus: unread,
  damageDice: unread,
  damageBonus: unread,
  savingThrowBonus: z.int().min(-10).max(30).default(0).describe("Of its saves"),
  xpValue: unread,
  disposition: z.string().max(40).default("hostile").describe("hostile, neutral, friendly"),
  conditions: names('Like "Prone"'),
  notes: unread,
  creatureType: z.string().max(40).default("").describe('Like "undead"'),
  size,
  distance: z.int().min(0).max(5_000).optional().describe("Feet from the character; left out, it suits the attack"),
  cover,
  engaged: flag("Another enemy of it, able to act, is within 5 ft of it"),
  dodging: flag("It dodges and sees the character"),
  ...hitPoints,
});

const reasons = z
  .array(z.string().min(1).max(80))
  .max(20)
  .default([])
  .meta({ id: "Reasons", description: "A few words each" });

const incoming = z
  .strictObject({
    dice: z
      .string()
      .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}(?:\+\d{1,3})?|\d{1,3})$/)
      .describe('Like "8d6" or "2d8+4", or a number rolled before'),
    damageType: damageType.optional(),
    onSuccess: z.enum(["half", "none"]).describe("What a passed save leaves"),
  })
  .describe("Damage that the save is against");

export const scene = z
  .strictObject({
    advantage: reasons.describe("Why the table grants advantage"),
    disadvantage: reasons.describe("Why the table imposes disadvantage"),
    attackerUnseen: flag("The target cannot see the character"),
    targetUnseen: flag("The character cannot see the target"),
    hostileWithin5ft: flag("An able hostile within 5 ft sees the character"),
    fearSourceInSight: z.boolean().default(true).describe("For a frightened character"),
    needsSight: flag("Impossible without sight"),
    needsHearing: flag("Impossible without hearing"),
    cover,
    incoming: incoming.optional(),
    magical: flag("The save is against magic"),
    hands: z.enum(["one", "two"]).default("one").describe("On a versatile weapon"),
    delivery: z.enum(["auto", "melee", "thrown"]).default("auto").describe("auto throws when out of reach"),
    attack: z
      .enum(["action", "bonus", "cleave"])
      .default("action")
      .describe("bonus: two-weapon fighting's extra attack; cleave: the second one of that mastery"),
    otherWeaponHeld: flag("In the other hand"),
    spendInspiration: flag("Use Bardic Inspiration on this roll"),
    slotLevel: z.int().min(1).max(9).optional().describe("Slot to spend; left out: the lowest free"),
    usedThisTurn: names("Once-a-turn features and one-shot weapons used"),
  })
  .describe("Where and how it happens");

export const rulings = z
  .strictObject({
    wideCritNeedsHit: z.boolean().default(true).describe("An 18 or 19 of Improved Critical must reach the AC"),
    elvenAccuracy: flag("A third die on advantage; not in the SRD"),
    powerAttack: flag("-5 to hit, +10 damage; not in the SRD"),
    greatWeaponAllDice: flag("Great Weapon Fighting for added dice too"),
    smiteUnarmedBefore52: flag("With bare hands in 5.1"),
    hexBefore52: flag("In 5.1; not in its SRD"),
    eldritchSmiteBefore52: flag("In 5.1; not in its SRD"),
    duelingAfter51: flag("The Dueling style in 5.2; not in its SRD"),
    polearmMaster: flag("Bonus attack with the other end, 1d4; not in the SRD"),
  })
  .prefault({})
  .describe("Switches for what the text leaves open or the SRD lacks");

export const edition = z.enum(["5.1", "5.2"]).describe("SRD 5.1 (2014) or 5.2 (2024)");

export const game = z
  .strictObject({
    edition,
    player,
    npcs: z.array(npc).max(100).default([]).describe("Targets are looked up here"),
    scene: scene.prefault({}),
    rulings,
  })
  .meta({ id: "Game", description: "State of the game; never changed by the call", [listOnce]: true });

export type Game = z.output<typeof game>;
export type Player = z.output<typeof player>;
export type Npc = z.output<typeof npc>;
export type Scene = z.output<typeof scene>;
export type EffectName = (typeof effectNames)[number];
