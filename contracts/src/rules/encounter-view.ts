/** A kept fight as its callers see it: whose turn it is, and the creatures with what they have left. Not here: what callers ask and do (`encounter.ts`). */
import * as z from "zod";
import { exact } from "./name.ts";
import { ends, notRead, reactions } from "./result.ts";

/** Whose turn it is. */
export const turn = z.string().describe("Id of the creature whose turn it is");
/** What happened in addition to what was asked. */
export const events = z.array(z.string()).describe("What happened in addition, in sentences: who drops, dies or wakes");

const slotsLeft = (what: string) => z.record(z.string(), z.int()).describe(what);

/** A fight's creature, as a table keeps it in view. */
const creature = z.strictObject({
  id: z.string().describe('Names it in calls, like "goblin-1"'),
  name: z.string().describe("Name"),
  side: z.enum(["party", "foes"]).describe("Whose side it is on"),
  initiative: z.int().describe("Total of its initiative"),
  ac: z.int().describe("Armor Class"),
  hp: z.int().describe("Hit points now"),
  maxHp: z.int().describe("Hit point maximum"),
  temporaryHp: z.int().describe("Temporary hit points"),
  conditions: z.array(z.string()).describe("Conditions"),
  ends,
  deathSaves: z
    .strictObject({ successes: z.int().describe("Passed"), failures: z.int().describe("Failed") })
    .optional()
    .describe("While it is dying"),
  reaction: z.boolean().describe("Its reaction is still to be used"),
  legendary: z
    .strictObject({
      left: z.int().describe("Legendary actions left until its next turn"),
      actions: z
        .array(
          z.strictObject({ name: z.string().describe("Name"), cost: z.int().describe("How many of them it takes") }),
        )
        .describe(
          "In another creature's turn, one a turn: resolve_attack with it as `actor` takes the name as the weapon",
        ),
      resistances: z.int().describe("Failed saves that it may still pass"),
    })
    .optional()
    .describe("Of a monster that has legendary actions"),
  slots: slotsLeft("Spell slots left, by level").optional(),
  hitDice: slotsLeft('Hit dice left, by kind: { "d8": 3 }').optional(),
  attacks: z.array(z.string()).describe("What it can attack with, as a call names it"),
  effects: z
    .array(
      z.strictObject({
        name: z.string().describe("Name"),
        ability: exact.ability,
        dc: z.int().describe("Difficulty Class of the saving throw"),
        dice: z.string().optional().describe("Damage, for `scene.incoming`"),
        damageType: exact.damageType.optional(),
        onSuccess: z.enum(["half", "none"]).describe("What a passed save leaves of the damage"),
        recharge: z.int().optional().describe("Lowest number of a d6 that gives it back at the start of a turn"),
        ready: z.boolean().optional().describe("It is not used, or recharged"),
      }),
    )
    .optional()
    .describe("What makes others save: resolve_attack takes its name as the weapon, and all in its area as the target"),
});

/** What callers see of a fight. */
export const encounterView = z
  .strictObject({
    encounter: z.string().describe("Handle, for all calls"),
    version: z.int().describe("Every change makes the next one"),
    edition: z.enum(["5.1", "5.2"]).describe("Rule set"),
    over: z.boolean().describe("It was ended"),
    round: z.int().describe("From 1"),
    turn,
    actions: z
      .strictObject({
        attacks: z.int().describe("Attacks left in this turn's action"),
        bonus: z.boolean().describe("The bonus action is still to be used"),
      })
      .describe("What is left of the turn"),
    creatures: z.array(creature).describe("In initiative order"),
    events,
    reactions,
    notRead,
  })
  .describe("An encounter");
