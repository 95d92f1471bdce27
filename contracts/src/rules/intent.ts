/**
 * What the player wants to do, as a classifier says it: names, a difficulty and claims, never a modifier or a roll.
 * These are the only fields a model is ever shown. Not here: dice and state.
 */
import * as z from "zod";
import { ability, exact, skill } from "./name.ts";

/** Difficulty Class, 1 to 30. */
const dc = z
  .int()
  .min(1)
  .max(30)
  .meta({ id: "Dc", description: "5 very easy, 10 easy, 15 medium, 20 hard, 25 very hard, 30 nearly impossible" });

const reason = (what: string) => z.strictObject({ reason: z.string().min(1).max(500).describe(what) });

/** An attack: weapon or spell, target, and claimed sources of damage, each of which is verified. */
export const attackIntent = z
  .strictObject({
    weapon: z.string().min(1).max(80).describe("Weapon at hand, or the spell"),
    target: z.string().min(1).max(800).describe("The creature's name or id; of an area, several with `;`"),
    extra_damage_sources: z
      .array(z.string().min(1).max(80))
      .max(20)
      .optional()
      .describe('Claims like "Sneak Attack"; each is verified'),
    is_spell_attack: z.boolean().optional().describe("A spell deals the damage"),
    spell_name: z.string().min(1).max(80).optional().describe('Spell, perhaps with a type: "Chromatic Orb (fire)"'),
  })
  .describe("An attack with a weapon or a spell");

/** A check of one of the eighteen skills against a Difficulty Class. */
export const skillCheckIntent = z.strictObject({ skill, dc }).describe("An ability check with a skill");

/** A check of an ability without a skill. */
export const abilityCheckIntent = z
  .strictObject({ ability, dc: z.int().min(1).max(30).describe("Difficulty Class, 1 to 30") })
  .describe("An ability check without a skill");

/** A saving throw of the character against a Difficulty Class. */
export const savingThrowIntent = z
  .strictObject({
    ability,
    dc,
    source: z.string().min(1).max(200).optional().describe('What it is against, like "Fireball"'),
  })
  .describe("A saving throw");

/** An action that cannot be done, with the reason (1 to 500 characters). */
export const impossibleIntent = reason("Why it cannot be done, for the player").describe(
  "An action that the rules or the fiction rule out",
);

/** An action that needs no roll, with the reason (1 to 500 characters). */
export const noCheckIntent = reason("Why no roll is needed, for the player").describe(
  "An action that succeeds without a roll",
);

/** The intents that name a skill or an ability, as an answer has them. */
export const exactIntent = {
  skillCheck: skillCheckIntent.extend({ skill: exact.skill }).describe("An ability check with a skill"),
  abilityCheck: abilityCheckIntent.extend({ ability: exact.ability }).describe("An ability check without a skill"),
  savingThrow: savingThrowIntent.extend({ ability: exact.ability }).describe("A saving throw"),
} as const;

/** Decoded intent of `resolveAttack`. */
export type AttackIntent = z.output<typeof attackIntent>;
/** Decoded intent of `resolveSkillCheck`. */
export type SkillCheckIntent = z.output<typeof skillCheckIntent>;
/** Decoded intent of `resolveSavingThrow`. */
export type SavingThrowIntent = z.output<typeof savingThrowIntent>;
