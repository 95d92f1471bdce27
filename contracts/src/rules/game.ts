/**
 * The game a question is asked about: edition, character, creatures, scene, and the table's rulings on points the text leaves open.
 *
 * Everything has a sensible default, so a character of a name, a class, a level and six scores is enough. Unknown fields are
 * refused. Not here: what the player wants to do (`intent.ts`) and what came of it (`result.ts`).
 */
import * as z from "zod";

export const abilities = ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"] as const;

export const skills = [
  "Acrobatics",
  "Animal Handling",
  "Arcana",
  "Athletics",
  "Deception",
  "History",
  "Insight",
  "Intimidation",
  "Investigation",
  "Medicine",
  "Nature",
  "Perception",
  "Performance",
  "Persuasion",
  "Religion",
  "Sleight of Hand",
  "Stealth",
  "Survival",
] as const;

const damageTypeNames = [
  "acid",
  "bludgeoning",
  "cold",
  "fire",
  "force",
  "lightning",
  "necrotic",
  "piercing",
  "poison",
  "psychic",
  "radiant",
  "slashing",
  "thunder",
] as const;

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

export const ability = z.enum(abilities).describe("One of the six abilities, spelled out in lower case");
export const skill = z.enum(skills).describe("One of the eighteen skills, as the SRD writes it");
export const damageType = z.enum(damageTypeNames).describe("Damage type, in lower case");
export const cover = z
  .enum(["none", "half", "three_quarters", "total"])
  .describe("Best cover between the two: half is +2, three_quarters +5, total cannot be targeted");
const size = z
  .enum(["tiny", "small", "medium", "large", "huge", "gargantuan"])
  .describe("Size category of the creature");

const name = (what: string) => z.string().min(1).max(80).describe(what);
const names = (what: string) => z.array(name("A name, as the SRD writes it")).max(100).default([]).describe(what);
const score = (what: string) => z.int().min(1).max(30).default(10).describe(`${what} score, 1 to 30`);
const count = (what: string, most: number) => z.int().min(0).max(most).default(0).describe(what);

const stats = z
  .strictObject({
    strength: score("Strength"),
    dexterity: score("Dexterity"),
    constitution: score("Constitution"),
    intelligence: score("Intelligence"),
    wisdom: score("Wisdom"),
    charisma: score("Charisma"),
  })
  .prefault({})
  .describe("The six ability scores; one that is left out is 10");

const weaponStat = z
  .strictObject({
    dice: z
      .string()
      .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}|[1-9]\d?|0)$/)
      .describe('Damage dice of one hit, like "1d8" or "2d6", or a fixed number like "1"'),
    stat: z
      .enum(["str", "dex", "finesse", "none"])
      .describe("Ability the weapon uses; finesse takes the better of the two"),
    bonus: z
      .int()
      .min(-10)
      .max(10)
      .default(0)
      .describe("Magic bonus on attack and damage rolls, like 1 for a +1 weapon"),
    damageType: damageType.optional(),
  })
  .describe("A weapon's numbers where the SRD table is not wanted");

const feature = z
  .strictObject({
    name: name('Name of the feature, like "Sneak Attack"'),
    level: z.int().min(0).max(20).default(1).describe("Class level at which it was gained"),
    description: z.string().max(4_000).optional().describe("Text for people; never read by the rules"),
    source: z.string().max(80).optional().describe("Where it comes from, like a class or a feat"),
    type: z.string().max(40).optional().describe("Kind of feature, like active or passive; never read by the rules"),
    scalesWithLevel: z.boolean().optional().describe("True when it grows with level; never read by the rules"),
    scalingFormula: z
      .string()
      .max(40)
      .optional()
      .describe('Dice at the present level, like "3d6", where a table differs from the SRD'),
    chosenOption: z
      .string()
      .max(200)
      .optional()
      .describe('What was chosen, like "Stealth, Perception" for Expertise or "Archery" for Fighting Style'),
  })
  .describe("A class, species or feat feature of the character");

const effect = z
  .strictObject({
    name: z.enum(effectNames).describe("What is at work on the character"),
    die: z
      .int()
      .min(2)
      .max(20)
      .optional()
      .describe("Sides of its die where it is not fixed, like 8 for Bardic Inspiration"),
    bonus: z
      .int()
      .min(-10)
      .max(20)
      .optional()
      .describe("Its flat number where it is not fixed, like 3 for Aura of Protection"),
    target: name("Creature it is aimed at, as in `npcs`; left out means whoever is attacked").optional(),
    skill: skill.optional(),
    damageType: damageType.optional(),
  })
  .describe("A spell, stance or other lasting effect on the character");

const slots = (what: string) =>
  z
    .record(z.string().regex(/^[1-9]$/), z.int().min(0).max(20))
    .default({})
    .describe(`${what}, by slot level: { "1": 4, "2": 2 }`);

const hitPoints = {
  resistances: z.array(damageType).max(13).default([]).describe("Damage types that are halved"),
  vulnerabilities: z.array(damageType).max(13).default([]).describe("Damage types that are doubled"),
  immunities: z.array(damageType).max(13).default([]).describe("Damage types that do nothing"),
};

export const player = z
  .strictObject({
    name: name("Name of the character"),
    gender: z.string().max(40).default("").describe("Text for people; never read by the rules"),
    characterClass: name('Class, like "Rogue"'),
    subclass: z.string().max(80).optional().describe('Subclass, like "Champion"'),
    race: z.string().max(80).default("").describe('Race or species, like "Halfling"'),
    level: z.int().min(1).max(20).describe("Character level, 1 to 20"),
    hitDie: z.int().min(4).max(20).default(8).describe("Sides of the hit die"),
    xp: count("Experience points", 1_000_000),
    xpToNextLevel: count("Experience points that the next level needs", 1_000_000),
    currentHP: z.int().min(0).max(1_000).default(1).describe("Hit points now"),
    maxHP: z.int().min(1).max(1_000).default(1).describe("Hit point maximum"),
    temporaryHP: count("Temporary hit points", 1_000),
    armorClass: z.int().min(0).max(40).default(10).describe("Armor Class"),
    size: size.default("medium"),
    stats,
    savingThrowProficiencies: names('Abilities with proficient saves, like "dexterity"'),
    skillProficiencies: names('Skills with proficiency, like "Stealth"'),
    weaponProficiencies: names('Weapons or categories, like "Rapier", "Simple Weapons", "Martial Weapons"'),
    armorProficiencies: names('Armor categories, like "Light Armor"'),
    weaponMasteries: names("Weapons whose mastery property the character can use (5.2)"),
    features: z.array(feature).max(200).default([]).describe("Features the character has; only these are believed"),
    inventory: z.array(z.string().max(200)).max(500).default([]).describe("Things carried; weapons in it can be used"),
    conditions: names('Conditions on the character, like "Poisoned" or "Charmed by Goblin"'),
    exhaustion: count("Exhaustion level, 0 to 6", 6),
    effects: z.array(effect).max(50).default([]).describe("Lasting effects on the character, like Bless or Rage"),
    gold: z.number().min(0).max(1e9).default(0).describe("Gold pieces"),
    weaponDamage: z
      .record(z.string().min(1).max(80), weaponStat)
      .default({})
      .describe("Weapons at hand by name, with their numbers; other weapons come from the inventory and the SRD table"),
    spellcastingAbility: ability.optional(),
    cantrips: names("Cantrips known"),
    knownSpells: names("Spells known or prepared"),
    spellSlots: slots("Spell slots in all"),
    spellSlotsUsed: slots("Spell slots already spent"),
    ...hitPoints,
  })
  .describe("The character who acts");

export const npc = z
  .strictObject({
    id: z.string().max(80).default("").describe("Stable id of the creature; may be used as a target"),
    name: name("Name of the creature, as the player calls it"),
    ac: z.int().min(0).max(40).describe("Armor Class"),
    currentHp: z.int().min(0).max(2_000).default(1).describe("Hit points now"),
    maxHp: z.int().min(1).max(2_000).default(1).describe("Hit point maximum"),
    temporaryHp: count("Temporary hit points", 1_000),
    attackBonus: z.int().min(-10).max(30).default(0).describe("Bonus of its own attacks"),
    damageDice: z.string().max(20).default("").describe('Damage dice of its own attacks, like "1d6"'),
    damageBonus: z.int().min(-10).max(50).default(0).describe("Damage bonus of its own attacks"),
    savingThrowBonus: z.int().min(-10).max(30).default(0).describe("Bonus of its saving throws"),
    xpValue: count("Experience points for defeating it", 1_000_000),
    disposition: z.string().max(40).default("hostile").describe("hostile, neutral or friendly"),
    conditions: names('Conditions on the creature, like "Prone"'),
    notes: z.string().max(4_000).default("").describe("Text for people; never read by the rules"),
    creatureType: z.string().max(40).default("").describe('Creature type, like "undead"'),
    size: size.default("medium"),
    distance: z
      .int()
      .min(0)
      .max(5_000)
      .optional()
      .describe("Distance from the character, in feet; left out, it suits whatever attack is made"),
    cover: cover.default("none"),
    engaged: z
      .boolean()
      .default(false)
      .describe("True when another enemy of this creature, able to act, is within 5 feet of it"),
    dodging: z.boolean().default(false).describe("True when it took the Dodge action and can see the character"),
    ...hitPoints,
  })
  .describe("A creature in the scene");

const reasons = (what: string) =>
  z.array(z.string().min(1).max(80).describe("Why, in a few words")).max(20).default([]).describe(what);

const incoming = z
  .strictObject({
    dice: z
      .string()
      .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}(?:\+\d{1,3})?|\d{1,3})$/)
      .describe('Damage dice, like "8d6" or "2d8+4", or the number itself when it was rolled for somebody else'),
    damageType: damageType.optional(),
    onSuccess: z.enum(["half", "none"]).describe("What a passed save leaves of the damage"),
  })
  .describe("Damage that a saving throw is against");

export const scene = z
  .strictObject({
    advantage: reasons("Advantage granted by the table, one reason each"),
    disadvantage: reasons("Disadvantage imposed by the table, one reason each"),
    attackerUnseen: z.boolean().default(false).describe("True when the target cannot see the character"),
    targetUnseen: z.boolean().default(false).describe("True when the character cannot see the target"),
    hostileWithin5ft: z
      .boolean()
      .default(false)
      .describe("True when a hostile able to act is within 5 feet of the character and sees them"),
    fearSourceInSight: z.boolean().default(true).describe("Whether a frightened character sees the source of the fear"),
    needsSight: z.boolean().default(false).describe("True when the check cannot be made without sight"),
    needsHearing: z.boolean().default(false).describe("True when the check cannot be made without hearing"),
    cover: cover.default("none"),
    incoming: incoming.optional(),
    magical: z.boolean().default(false).describe("True when the saving throw is against a spell or other magic"),
    hands: z.enum(["one", "two"]).default("one").describe("Hands on a versatile weapon"),
    delivery: z
      .enum(["auto", "melee", "thrown"])
      .default("auto")
      .describe("How a weapon that can be thrown is used; auto throws it when the target is out of reach"),
    attack: z
      .enum(["action", "bonus"])
      .default("action")
      .describe("bonus is the extra attack of two-weapon fighting, with the weapon in the other hand"),
    otherWeaponHeld: z.boolean().default(false).describe("True when the other hand holds a weapon"),
    spendInspiration: z
      .boolean()
      .default(false)
      .describe("True when the character uses its Bardic Inspiration on this roll (5.2: only if the roll fails)"),
    slotLevel: z.int().min(1).max(9).optional().describe("Spell slot to spend; the lowest free one when left out"),
    usedThisTurn: names('Once-a-turn features and one-shot weapons already used, like "Sneak Attack"'),
  })
  .prefault({})
  .describe("Where and how the action happens, as the table rules it");

export const rulings = z
  .strictObject({
    wideCritNeedsHit: z
      .boolean()
      .default(true)
      .describe("A natural 18 or 19 that crits by a feature must also reach the AC; false lets it hit by itself"),
    elvenAccuracy: z
      .boolean()
      .default(false)
      .describe("Advantage on a dexterity, intelligence, wisdom or charisma attack rolls three dice (not in the SRD)"),
    powerAttack: z
      .boolean()
      .default(false)
      .describe(
        "A claimed power attack takes -5 to hit for +10 damage, with a heavy melee or a ranged weapon (not in the SRD)",
      ),
    greatWeaponAllDice: z
      .boolean()
      .default(false)
      .describe("Great Weapon Fighting also changes dice that other sources add to the attack"),
    smiteUnarmedBefore52: z.boolean().default(false).describe("Divine Smite works with an unarmed strike in 5.1 too"),
    hexBefore52: z.boolean().default(false).describe("Hex works in 5.1 too (only the SRD 5.2 has it)"),
    eldritchSmiteBefore52: z
      .boolean()
      .default(false)
      .describe("Eldritch Smite works in 5.1 too (only the SRD 5.2 has it)"),
    polearmMaster: z
      .boolean()
      .default(false)
      .describe("The bonus attack may be a polearm's other end, 1d4 bludgeoning (not in the SRD)"),
  })
  .prefault({})
  .describe("Named switches for points the rules leave open and for rules outside the SRD");

export const game = z
  .strictObject({
    edition: z.enum(["5.1", "5.2"]).describe("Rule set: SRD 5.1 (the 2014 rules) or SRD 5.2 (the 2024 rules)"),
    player,
    npcs: z.array(npc).max(100).default([]).describe("Creatures in the scene; targets are looked up here"),
    scene,
    rulings,
  })
  .describe("State of the game when the question is asked; never changed by the call");

export type Game = z.output<typeof game>;
export type Player = z.output<typeof player>;
export type Npc = z.output<typeof npc>;
export type Scene = z.output<typeof scene>;
export type Ability = z.output<typeof ability>;
export type Skill = z.output<typeof skill>;
export type DamageType = z.output<typeof damageType>;
export type EffectName = (typeof effectNames)[number];
