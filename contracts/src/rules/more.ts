/**
 * What the resolving procedures take: the game, the intent, and perhaps dice; and the smaller rolls and scores of the game: raw ability checks,
 * initiative, contests and grapples, damage taken, passive scores, death saves, falls. Each has the shape it needs and no more.
 */
import * as z from "zod";
import { diceInput, diceRecord } from "./dice.ts";
import { amount, edition, game } from "./game.ts";
import {
  abilityCheckIntent,
  attackIntent,
  impossibleIntent,
  noCheckIntent,
  savingThrowIntent,
  skillCheckIntent,
} from "./intent.ts";
import { damageType, skill } from "./name.ts";
import { change, notRead } from "./result.ts";

const target = attackIntent.shape.target;
const dice = { dice: diceInput.optional() };
const opposed = z.int().min(-10).max(30).describe("The creature's modifier for its own roll");

/** Input of `resolveAttack`. */
export const attackInput = z
  .strictObject({ game, intent: attackIntent, dice: diceInput.optional() })
  .describe("An attack and the game it happens in");

/** Input of `resolveSkillCheck`. */
export const skillCheckInput = z
  .strictObject({ game, intent: skillCheckIntent, dice: diceInput.optional() })
  .describe("A skill check and the game it happens in");

/** Input of `resolveSavingThrow`. */
export const savingThrowInput = z
  .strictObject({ game, intent: savingThrowIntent, dice: diceInput.optional() })
  .describe("A saving throw and the game it happens in");

/** Nothing is rolled or looked up, so the game is taken as it is; it is allowed so that every tool takes the same envelope. */
const unusedEnvelope = {
  game: z.looseObject({}).optional().describe("Not read"),
  dice: z.looseObject({}).optional().describe("Not read"),
};

/** Input of `markImpossible`; the game and the dice are not read. */
export const impossibleInput = z
  .strictObject({ intent: impossibleIntent, ...unusedEnvelope })
  .describe("An action that cannot be done");

/** Input of `markNoCheck`; the game and the dice are not read. */
export const noCheckInput = z
  .strictObject({ intent: noCheckIntent, ...unusedEnvelope })
  .describe("An action that needs no roll");

/** Input of `resolveAbilityCheck`: a check without a skill. */
export const abilityCheckInput = z
  .strictObject({
    game,
    intent: abilityCheckIntent,
    ...dice,
  })
  .describe("An ability check without a skill, and the game it happens in");

/** Input of `rollInitiative`; `surprised` is false by default. */
export const initiativeInput = z
  .strictObject({
    game,
    intent: z
      .strictObject({ surprised: z.boolean().default(false).describe("True when the character is surprised") })
      .describe("Rolling initiative"),
    ...dice,
  })
  .describe("A roll for initiative");

/** Input of `resolveContest` (5.1): the character's skill against `opposed`, the creature's modifier of -10 to 30. */
export const contestInput = z
  .strictObject({
    game,
    intent: z.strictObject({ skill, target, opposed }).describe("A check against a creature's check"),
    ...dice,
  })
  .describe("A contest; 5.1 only");

/** Intent of `resolveGrapple`: what is tried on which creature, and that creature's modifier of -10 to 30. */
export const grappleIntent = z
  .strictObject({
    attempt: z
      .enum(["grapple", "shove_prone", "shove_away"])
      .describe("What is tried: hold the creature, knock it prone, or push it 5 feet"),
    target,
    opposed: opposed.describe(
      "The creature's better modifier: 5.1 of its Athletics and Acrobatics checks, 5.2 of its Strength and Dexterity saves",
    ),
  })
  .describe("A grapple or a shove");

/** Input of `resolveGrapple`: a contest in 5.1, a save of the creature in 5.2. */
export const grappleInput = z
  .strictObject({ game, intent: grappleIntent, ...dice })
  .describe("A grapple or a shove, and the game it happens in");

/** Input of `resolveConcentration`: damage of one source, 1 to 10,000. */
export const concentrationInput = z
  .strictObject({
    game,
    intent: z
      .strictObject({ damage: z.int().min(1).max(10_000).describe("Damage taken from one source") })
      .describe("Damage that concentration has to survive"),
    ...dice,
  })
  .describe("A Constitution save to keep concentrating; one for every source of damage");

/** Input of `figures`. */
export const figuresInput = z.strictObject({ game }).describe("The figures of a character");

const figure = z
  .strictObject({
    name: z.string().describe('Stable name, like "spell-save-dc"; new names may appear'),
    value: z.string().describe('The figure, like "15", "3d6", "+7" or "d8"'),
    components: z.string().describe('How it comes about, like "8, Prof +3, INT +4 = 15"'),
    source: z.string().describe("Where the rule is in the SRD"),
  })
  .describe("One figure");

/** Answer of `figures`: Armor Class, attacks, save DCs and more, in a fixed order. */
export const figures = z
  .strictObject({ figures: z.array(figure).describe("Those that the character has, in a fixed order"), notRead })
  .describe("What the class tables and the sheet come to");

/** Input of `passiveScore`. */
export const passiveInput = z
  .strictObject({ game, intent: z.strictObject({ skill }).describe("The skill asked about") })
  .describe("A passive score");

/** Answer of `passiveScore`: the score and its parts. */
export const passive = z
  .strictObject({
    score: z.int().describe("10, all modifiers, and 5 more or less for advantage or disadvantage"),
    components: z.string().describe('The score taken apart, like "10, WIS +1, Prof +3 = 14"'),
    notRead,
  })
  .describe("The passive score");

/** Input of `takeDamage`: dice or a total, before the character's defences. */
export const damageInput = z
  .strictObject({
    game,
    intent: z
      .strictObject({
        damage: amount.describe('Dice like "2d6+3", or a total that was rolled before, like "28"'),
        damageType: damageType.optional(),
        crit: z
          .boolean()
          .default(false)
          .describe("A critical hit dealt it: its dice are doubled, and it counts twice against death saves"),
        doubled: z.boolean().default(false).describe("The dice in `damage` are those of the critical hit already"),
        source: z.string().min(1).max(80).default("Damage").describe("What deals it"),
      })
      .describe("Damage that the character takes"),
    ...dice,
  })
  .describe("Damage to the character, as it was dealt");

const saves = (what: string) => z.int().min(0).max(2).default(0).describe(`Death saves ${what} so far, 0 to 2`);

/** Input of `deathSave`: saves so far (0 to 2 each), and the game when its effects are to count. */
export const deathSaveInput = z
  .strictObject({
    edition,
    game: game
      .optional()
      .describe("Who saves: luck, Bless, an ally's aura and exhaustion then count; its edition is the one that holds"),
    successes: saves("passed"),
    failures: saves("failed"),
    advantage: z.boolean().default(false).describe("True when something grants advantage on it"),
    disadvantage: z.boolean().default(false).describe("True when something imposes disadvantage on it"),
    bonus: z.int().min(-10).max(20).default(0).describe("Sum of what is added to the roll, like a paladin's aura"),
    ...dice,
  })
  .describe("A death saving throw");

/** Answer of `deathSave`: the roll, the counts after it, and the state of the character. */
export const deathSave = z
  .strictObject({
    natural: z.int().describe("Natural number of the d20 that counted"),
    total: z.int().describe("d20 and bonus"),
    success: z.boolean().describe("True for 10 or more"),
    successes: z.int().describe("Death saves passed now; 0 after the last one"),
    failures: z.int().describe("Death saves failed now; 0 after the last one, 3 when dead"),
    state: z
      .enum(["dying", "stable", "dead", "awake"])
      .describe("dying: goes on. stable: three passed. dead: three failed. awake: a natural 20, with 1 hit point"),
    notes: z.string().describe("What happened, for people"),
    source: z.string().describe("Where the rule is in the SRD"),
    dice: diceRecord,
    changes: z.array(change).describe("To be made in order; empty when no game was given"),
    notRead,
  })
  .describe("The death saving throw");

/** Input of `fallDamage`: a height of 0 to 100,000 feet. */
export const fallInput = z
  .strictObject({ edition, feet: z.int().min(0).max(100_000).describe("Height of the fall, in feet"), ...dice })
  .describe("A fall");

/** Answer of `fallDamage`: 1d6 for every 10 feet, at most 20d6, before defences. */
export const fall = z
  .strictObject({
    notation: z.string().describe('Dice of the damage, like "3d6"; empty for a fall under 10 feet'),
    rolls: z.array(z.int()).describe("Faces of the dice"),
    damage: z.int().describe("Bludgeoning damage, before the creature's defences"),
    prone: z.boolean().describe("True when the creature lands prone: it does unless it takes no damage from the fall"),
    source: z.string().describe("Where the rule is in the SRD"),
    dice: diceRecord,
  })
  .describe("What the fall does");

/** Input of `groupCheck` (5.1): the totals of all members. */
export const groupCheckInput = z
  .strictObject({
    dc: z.int().min(1).max(30).describe("Difficulty Class that everyone rolled against"),
    totals: z
      .array(z.int().min(-50).max(100).describe("Total of one member's check"))
      .min(1)
      .max(100)
      .describe("Totals of all members"),
  })
  .describe("Checks that a whole group made (5.1)");

/** Answer of `groupCheck`: success when at least half of the group succeeded. */
export const groupCheck = z
  .strictObject({
    success: z.boolean().describe("True when at least half of the group succeeded"),
    succeeded: z.int().describe("How many succeeded"),
    needed: z.int().describe("How many were needed"),
    source: z.string().describe("Where the rule is in the SRD"),
  })
  .describe("How the group did");

/** One computed figure with its parts and the section of its rule. */
export type Figure = z.input<typeof figure>;
/** Answer of `deathSave`. After the third success or failure the counts begin again. */
export type DeathSave = z.input<typeof deathSave>;
/** Decoded input of `deathSave`. */
export type DeathSaveInput = z.output<typeof deathSaveInput>;
/** Answer of `fallDamage`, in hit points of bludgeoning damage. */
export type FallResult = z.input<typeof fall>;
/** A passive score: 10, all modifiers, and 5 more or less for advantage or disadvantage. */
export type Passive = z.input<typeof passive>;
/** Decoded intent of `takeDamage`. */
export type DamageIntent = z.output<typeof damageInput>["intent"];
/** Answer of `groupCheck`. */
export type GroupCheck = z.input<typeof groupCheck>;
/** Decoded intent of `resolveGrapple`. */
export type GrappleIntent = z.output<typeof grappleInput>["intent"];
/** Decoded intent of `resolveContest`. */
export type ContestIntent = z.output<typeof contestInput>["intent"];
