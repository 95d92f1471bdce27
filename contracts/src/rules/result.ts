/**
 * The result: the `ParsedRollResult` of the specification with nothing renamed, and beside it the raw text, the dice, the
 * rule behind every number, the verdict on every claim, and the changes the caller should make to its state.
 *
 * Integers and text only, so that the same result is the same bytes everywhere. A field that does not apply is left out.
 * At the end a kept fight as its callers see it.
 */
import * as z from "zod";
import { diceRecord } from "./dice.ts";
import { exact } from "./name.ts";

const damageLine = z.strictObject({
  label: z.string().describe('Source, like "Rapier"'),
  dice: z.string().describe('Like "2d8", criticals included; empty without dice'),
  rolls: z.array(z.int()).describe("What each die counted for"),
  flatBonus: z.int().describe("Never doubled"),
  subtotal: z.int().describe("Dice and flat number"),
  damageType: exact.damageType.optional(),
});

const damageDealt = z.strictObject({
  damageType: z.string().describe('Type, or "untyped"'),
  rolled: z.int().describe("Before the target's defences"),
  dealt: z.int().describe("After them"),
  defence: z
    .enum(["none", "resistance", "vulnerability", "resistance and vulnerability", "immunity"])
    .describe("What the target has against it"),
});

const damage = z
  .strictObject({
    breakdown: z.array(damageLine).describe("By source, before defences"),
    byType: z.array(damageDealt).describe("By type, after defences"),
    totalDamage: z.int().describe("Damage taken, before temporary hit points"),
    isCrit: z.boolean().describe("Dice doubled, flat numbers not"),
  })
  .describe("Damage of a hit");

const ruleUse = z.strictObject({
  number: z.string().describe("Field of this result that it acted on"),
  effect: z.string().describe('Like "+4", "advantage", "3d6", "hit"'),
  rule: z.string().describe("Stable id, like `sneak-attack`; new ones may appear"),
  source: z.string().describe('Like "SRD 5.1, Rogue: Sneak Attack"'),
  why: z.string().describe("In a few words"),
});

const claim = z.strictObject({
  source: z.string().describe("As claimed"),
  granted: z.boolean().describe("Verified and counted"),
  why: z.string().describe("Why, or why not"),
});

/** One change that the caller should make to its state; the call itself changes nothing. */
export const change = z.strictObject({
  who: z.string().describe("Creature"),
  id: z.string().optional().describe("Its id, when it has one"),
  field: z.string().describe("Like `currentHp`, `spellSlotsUsed.1`, `conditions`"),
  op: z.enum(["set", "add", "remove"]).describe("set the field; add to or remove from the list"),
  value: z.union([z.int(), z.string()]).describe("Number or list item"),
  why: z.string().describe("In a few words"),
});

/** Names that no rule read, in answers that take a game; left out when there are none. */
export const notRead = z
  .array(
    z.strictObject({
      at: z.string().describe("Path of the name, like `player.skillProficiencies[0]`"),
      name: z.string().describe("As it was sent"),
      nearest: z.string().optional().describe("The known name nearest to it"),
    }),
  )
  .optional()
  .describe("Names that no rule read, at most 40; those near to a known name first");

/** What ends by itself on a creature of a fight. */
export const ends = z
  .array(
    z.strictObject({
      name: z.string().describe("The condition or effect"),
      turn: z.string().describe("Id of the creature whose turns are counted"),
      at: z.enum(["start", "end"]).describe("Of such a turn"),
      left: z.int().describe("Turns until then; 1 for the next one"),
      save: z.string().optional().describe('Its save at the end of each of its turns, like "wisdom DC 15"'),
    }),
  )
  .optional()
  .describe("Which conditions and effects end by themselves, and when");

/** What may interrupt an action that waits. */
export const reactions = z
  .array(
    z.strictObject({
      actor: z.string().describe("Id of the creature that may react"),
      weapon: z.string().describe('With what, like "Shield": the `weapon` of resolve_attack by that `actor`'),
      to: z.string().describe("What it would answer, in a few words"),
    }),
  )
  .optional()
  .describe("Somebody may react: the action waits, its damage is not shown yet, and mark_no_check lets it happen");

/** The specification's `ParsedRollResult`. */
const parsedFields = {
  checkType: z.string().describe('Like "Rapier Attack"; IMPOSSIBLE or NONE'),
  components: z.string().describe('Like "DEX +4, Prof +3 = +7"'),
  dieResult: z.int().describe("Natural d20 that counted; 0: none rolled"),
  totalModifier: z.string().describe('Like "+7"'),
  total: z.int().describe("d20 and modifier"),
  dcOrAc: z.string().describe("Number to reach; N/A: none"),
  success: z.boolean().describe("Hit, passed, or the target of a spell failed its save"),
  notes: z.string().describe("What happened"),
  impossible: z.literal(true).optional().describe("Cannot be done"),
  noCheck: z.literal(true).optional().describe("Needs no roll"),
  damage: damage.optional(),
};

/** The result of every procedure that rolls for the character. */
export const result = z
  .strictObject({
    ...parsedFields,
    edition: z.enum(["5.1", "5.2"]).optional().describe("Rule set"),
    raw: z.string().describe("Seven lines of text for a narrator"),
    dice: diceRecord.optional(),
    rules: z.array(ruleUse).describe("In the order applied"),
    claims: z.array(claim).describe("In the order claimed"),
    changes: z.array(change).describe("To be made in order"),
    targets: z
      .array(
        z.strictObject({
          target: z.string().describe("As the call names it"),
          total: z.int().describe("Of its save"),
          success: z.boolean().describe("It failed its save"),
          damage: z.int().describe("After its defences"),
        }),
      )
      .optional()
      .describe("Of an area: each creature; the other numbers are those of the first"),
    notRead,
  })
  .describe("The outcome");

const empty = z.array(z.string()).max(0).meta({ id: "Empty", description: "Always empty" });
const { damage: _, ...unrolledFields } = parsedFields;

/** Results without claims, and for a check without damage: they have no other result. */
export const saveResult = result.omit({ claims: true, targets: true }).extend({ claims: empty });
/** A result without damage and without claims. */
export const checkResult = result.omit({ damage: true, claims: true, targets: true }).extend({ claims: empty });

/** A result of nothing rolled: the same fields, in a schema that a tool list can afford twice. */
export const markResult = z
  .strictObject({
    ...unrolledFields,
    raw: z.string().describe("Two lines of text for a narrator"),
    rules: empty,
    claims: empty,
    changes: empty,
  })
  .describe("The outcome; nothing was rolled");

/** A result that rolled nothing: impossible, or no check needed. */
export type MarkResult = z.input<typeof markResult>;
/** A result that claims nothing. */
export type UnclaimedResult = z.input<typeof saveResult>;
/** Result of an attack, a save and the like: the roll, its text, its dice, the rules applied, claims and changes. */
export type RollResult = z.input<typeof result>;
/** Damage of one source, before defences. */
export type DamageLine = z.input<typeof damageLine>;
/** Damage of one type, before and after defences. */
export type DamageDealt = z.input<typeof damageDealt>;
/** All damage of a hit; `totalDamage` is after defences and before temporary hit points. */
export type Damage = z.input<typeof damage>;
/** One rule that was applied: the field it acted on, its effect, its section, and why. */
export type RuleUse = z.input<typeof ruleUse>;
/** The verdict on one claimed source of damage. */
export type Claim = z.input<typeof claim>;
/** A change to make: set a field, or add to or remove from a list of the creature named `who`. */
export type Change = z.input<typeof change>;
/** Names that no rule read: where each is, and the known name nearest to it. */
export type NotRead = NonNullable<z.input<typeof notRead>>;

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
