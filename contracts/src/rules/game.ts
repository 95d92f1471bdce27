/**
 * The game a question is asked about: edition, character, creatures, scene, and the table's rulings on points the text leaves open.
 *
 * Tool lists show one sentence in its place. Not here: the character (`player.ts`), what the player wants
 * to do (`intent.ts`), and the result (`result.ts`).
 */
import * as z from "zod";
import { toolSummary } from "../core/index.ts";
import {
  count,
  cover,
  damageType,
  exact,
  fact,
  flag,
  hitPoints,
  names,
  nullsLeftOut,
  sheet,
  size,
  someName,
  unread,
} from "./name.ts";
import { defences, player, senses } from "./player.ts";

const npcFields = {
  id: z.string().max(80).default("").describe('Unique id, like "goblin-1"; a call may name it as its target'),
  name: someName,
  ac: z.int().min(0).max(40).describe("Armor Class"),
  currentHp: hitPoints("Hit points now", 2_000),
  maxHp: z.int().min(1).max(2_000).optional().describe("Hit point maximum"),
  temporaryHp: count("Temporary hit points", 1_000),
  attackBonus: unread,
  damageDice: unread,
  damageBonus: unread,
  savingThrowBonus: z.int().min(-10).max(30).default(0).describe("Added to all its saving throws"),
  savingThrows: z
    .partialRecord(exact.ability, z.int().min(-10).max(30))
    .optional()
    .describe("Bonus by ability, where it is another one: { dexterity: 4 }"),
  xpValue: unread,
  disposition: z.string().max(40).default("hostile").describe("hostile, neutral, friendly"),
  conditions: names('Conditions: "Prone", "Restrained"'),
  notes: unread,
  creatureType: z.string().max(40).default("").describe('Creature type: "undead" and "fiend" matter to smites'),
  size,
  distance: z
    .int()
    .min(0)
    .max(5_000)
    .optional()
    .describe("Feet from the character; left out, whatever suits the attack"),
  cover,
  engaged: fact("Another enemy of it, able to act, is within 5 ft of it"),
  dodging: flag("It dodges and sees the character"),
  traits: names('Traits of its stat block that matter to its saves: "Evasion", "Magic Resistance"'),
  senses,
  ...defences,
};
/** A creature: what counts when it is attacked, saves or is contested. Distances are feet. */
export const npc = sheet(npcFields, { armorClass: "ac", AC: "ac" });

const reasons = z
  .array(z.string().min(1).max(80))
  .max(20)
  .default([])
  .meta({ id: "Reasons", description: "A few words each" });

/** Dice, or a number. */
export const amount = z
  .string()
  .regex(/^(?:[1-9]\d?d[1-9]\d{0,2}(?:\+\d{1,3})?|\d{1,3})$/, "dice like 2d6+3, or a number like 7");

const incoming = z
  .strictObject({
    dice: amount.describe('Dice like "8d6" or "2d8+4", or a total that was rolled before, like "28"'),
    damageType: damageType.optional(),
    onSuccess: z.enum(["half", "none"]).describe("What a passed save leaves of it"),
  })
  .describe("Damage that the saving throw is against; it is rolled and taken");

const sceneFields = {
  advantage: reasons.describe('Why the table grants advantage, like "high ground"; each counts once'),
  disadvantage: reasons.describe("Why the table imposes disadvantage"),
  attackerUnseen: flag("The target cannot see the character"),
  targetUnseen: flag("The character cannot see the target"),
  hostileWithin5ft: flag("A hostile that can act and sees the character is within 5 feet; matters to ranged attacks"),
  fearSourceInSight: z.boolean().default(true).describe("A frightened character sees what frightens it"),
  light: z
    .enum(["bright", "dim", "dark"])
    .optional()
    .describe(
      "Light on both; in the dark only a special sense of it sees the other. Left out, all see as the other fields say",
    ),
  needsSight: flag("The check cannot be made without sight"),
  needsHearing: flag("The check cannot be made without hearing"),
  cover,
  incoming: incoming.optional(),
  magical: flag("The saving throw is against magic"),
  hands: z.enum(["one", "two"]).default("one").describe("Hands on a versatile weapon"),
  delivery: z
    .enum(["auto", "melee", "thrown"])
    .default("auto")
    .describe("Whether a thrown weapon is thrown; auto throws when the target is out of reach"),
  attack: z
    .enum(["action", "bonus", "cleave", "reaction"])
    .default("action")
    .describe(
      "bonus: two-weapon fighting's extra attack; cleave: the second one of that mastery; reaction: like an opportunity attack",
    ),
  otherWeaponHeld: fact("The other hand holds a weapon"),
  mounted: flag("The character rides; a lance then takes one hand"),
  spendInspiration: flag("Spend the Bardic Inspiration among the effects on this roll"),
  slotLevel: z
    .int()
    .min(1)
    .max(9)
    .optional()
    .describe("Level of the spell slot to spend; left out, the lowest that is free"),
  usedThisTurn: names(
    'What was used this turn, as `changes` reported it: "Sneak Attack", "Bonus Action", a spell cast',
  ),
};
/** What is around the roll: visibility, cover of others, what was used this turn, damage that is coming. */
export const scene = sheet(sceneFields).describe("Where and how it happens");

/** Switches for points that the text leaves open and for rules outside the SRD; all off by default but `wideCritNeedsHit`. */
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
    houseRules: z
      .string()
      .max(4_000)
      .optional()
      .describe('Own rules, one a line, in the language of effects: "effect Battle Hymn | attack, save | +1d4"'),
    polearmMaster: flag("Bonus attack with the other end, 1d4; not in the SRD"),
  })
  .prefault({})
  .describe("Switches for what the text leaves open or the SRD lacks");

/** The rule set: SRD 5.1 (2014) or SRD 5.2 (2024); 5.1 when left out, and the answer says so. */
export const edition = z.enum(["5.1", "5.2"]).default("5.1").describe("SRD 5.1 (2014) or 5.2 (2024)");

const gameSchema = nullsLeftOut(
  z.strictObject({
    edition,
    player,
    npcs: z.array(npc).max(100).default([]).describe("Targets are looked up here"),
    scene: scene.prefault({}),
    rulings,
  }),
).meta({
  id: "Game",
  description: "State of the game; never changed by the call",
  [toolSummary]:
    "State by value: {player: {name, characterClass, level, stats, ...}, npcs: [{name, ac, ...}], edition?}",
});

/** Decoded game, defaults filled in: what every resolver reads and none changes. An interface, since a contract's declaration names it instead of repeating it. */
export interface Game extends z.output<typeof gameSchema> {}
/** A game as callers send it. */
export interface GameInput extends z.input<typeof gameSchema> {}
/** The whole state that a call reads; nothing is kept between calls. */
export const game: z.ZodType<Game, GameInput> = gameSchema;

/** Names of the fields of creatures and scenes. */
export const gameNames = { npc: Object.keys(npcFields), scene: Object.keys(sceneFields) } as const;

/** One creature of the game. */
export type Npc = z.output<typeof npc>;
/** What is around the roll. */
export type Scene = z.output<typeof scene>;
