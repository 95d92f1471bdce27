/**
 * What came of it: the `ParsedRollResult` of the specification with nothing renamed, and beside it the raw text, the dice, the
 * rule behind every number, the verdict on every claim, and the changes the caller should make to its state.
 *
 * Integers and text only, so that the same result is the same bytes everywhere. A field that does not apply is left out.
 */
import * as z from "zod";
import { diceRecord } from "./dice.ts";
import { damageType } from "./game.ts";

const damageLine = z
  .strictObject({
    label: z.string().describe('Where the damage comes from, like "Rapier" or "Sneak Attack"'),
    dice: z.string().describe('Dice rolled, criticals included, like "2d8"; empty when only a flat number'),
    rolls: z.array(z.int()).describe("What each die counted for"),
    flatBonus: z.int().describe("Flat number added; never doubled by a critical hit"),
    subtotal: z.int().describe("Dice and flat number together"),
    damageType: damageType.optional(),
  })
  .describe("Damage of one source");

const damageDealt = z
  .strictObject({
    damageType: z.string().describe('Damage type, or "untyped"'),
    rolled: z.int().min(0).describe("Damage of this type before the target's defences"),
    dealt: z.int().min(0).describe("Damage of this type after them"),
    defence: z
      .enum(["none", "resistance", "vulnerability", "resistance and vulnerability", "immunity"])
      .describe("What the target has against it"),
  })
  .describe("Damage of one type");

const damage = z
  .strictObject({
    breakdown: z.array(damageLine).describe("Damage by source, before the target's defences"),
    byType: z.array(damageDealt).describe("Damage by type, after the target's defences"),
    totalDamage: z.int().min(0).describe("Damage the target takes, after its defences, before temporary hit points"),
    isCrit: z.boolean().describe("True for a critical hit: damage dice doubled, flat numbers not"),
  })
  .describe("Damage of a hit");

const ruleUse = z
  .strictObject({
    number: z
      .string()
      .describe("Field of this result the rule acted on, like `totalModifier` or `damage.breakdown[0].rolls`"),
    effect: z.string().describe('What it did there, like "+4", "advantage", "3d6", "hit"'),
    rule: z.string().describe("Stable id of the rule, like `sneak-attack`; new ids may appear"),
    source: z.string().describe('Where the rule stands, like "SRD 5.1, Rogue: Sneak Attack"'),
    why: z.string().describe("Why it applied, in a few words"),
  })
  .describe("One rule that produced a number");

const claim = z
  .strictObject({
    source: z.string().describe("The damage source as claimed"),
    granted: z.boolean().describe("True when it was verified and counted"),
    why: z.string().describe("Why it was, or was not"),
  })
  .describe("Verdict on one claimed damage source");

const change = z
  .strictObject({
    who: z.string().describe("Name of the creature"),
    field: z.string().describe("Field of its state, like `currentHp`, `spellSlotsUsed.1` or `conditions`"),
    op: z
      .enum(["set", "add", "remove"])
      .describe("set: the field becomes the value. add: the value joins the list. remove: it leaves the list"),
    value: z.union([z.int(), z.string()]).describe("The number or the list item"),
    why: z.string().describe("The rule behind it, in a few words"),
  })
  .describe("One change the caller should make; the call itself changes nothing");

/** The specification's `ParsedRollResult`. */
const parsedFields = {
  checkType: z
    .string()
    .describe('What was rolled, like "Rapier Attack" or "Stealth Check"; IMPOSSIBLE or NONE when nothing was'),
  components: z.string().describe('The modifier taken apart, like "DEX +4, Prof +3 = +7"'),
  dieResult: z.int().describe("Natural number of the d20 that counted; 0 when none was rolled"),
  totalModifier: z.string().describe('Signed sum of everything added to the d20, like "+7"'),
  total: z.int().describe("d20 and modifier together; 0 when none was rolled"),
  dcOrAc: z.string().describe("Number to reach, as text; N/A when there is none"),
  success: z
    .boolean()
    .describe(
      "True for a hit, a passed check or save, and a spell whose target failed its save; false when nothing was rolled",
    ),
  notes: z.string().describe("What happened, for people"),
  impossible: z.literal(true).optional().describe("Present when the action cannot be done"),
  noCheck: z.literal(true).optional().describe("Present when no roll is needed"),
  damage: damage.optional(),
};

export const result = z
  .strictObject({
    ...parsedFields,
    edition: z.enum(["5.1", "5.2"]).optional().describe("Rule set it was resolved by"),
    raw: z.string().describe("The result as seven lines of text, LABEL: value, for a narrator"),
    dice: diceRecord.optional(),
    rules: z.array(ruleUse).describe("Which rule produced each number, in the order in which they were applied"),
    claims: z.array(claim).describe("Verdicts on the claimed damage sources, in the order claimed"),
    changes: z.array(change).describe("Changes the caller should make to its state, in order"),
  })
  .describe("The outcome");

const empty = (what: string) => z.array(z.string()).max(0).describe(`Always empty: ${what}`);
const { damage: _, ...unrolledFields } = parsedFields;

/** A result of nothing rolled: the same fields, in a schema that a tool list can afford twice. */
export const markResult = z
  .strictObject({
    ...unrolledFields,
    raw: z.string().describe("The result as two lines of text, LABEL: value, for a narrator"),
    rules: empty("no rule was applied"),
    claims: empty("nothing was claimed"),
    changes: empty("nothing changes"),
  })
  .describe("The outcome; nothing was rolled");

export type MarkResult = z.input<typeof markResult>;
export type RollResult = z.input<typeof result>;
export type DamageLine = z.input<typeof damageLine>;
export type DamageDealt = z.input<typeof damageDealt>;
export type Damage = z.input<typeof damage>;
export type RuleUse = z.input<typeof ruleUse>;
export type Claim = z.input<typeof claim>;
export type Change = z.input<typeof change>;
