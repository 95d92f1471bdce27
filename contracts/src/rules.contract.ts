/**
 * The rules contract: D&D 5e resolution by the SRD 5.1 and 5.2. The caller says what is attempted, the service computes every
 * number. Each answer is a pure function of (game, intent, dice), so every procedure is a query.
 *
 * The shapes stand in `rules/`; here are the procedures, their errors and their examples.
 */
import * as z from "zod";
import { defineContract, error, query } from "./core/index.ts";
import { diceInput } from "./rules/dice.ts";
import { game } from "./rules/game.ts";
import { attackIntent, impossibleIntent, noCheckIntent, savingThrowIntent, skillCheckIntent } from "./rules/intent.ts";
import { odds, question } from "./rules/odds.ts";
import { replay, replayInput } from "./rules/replay.ts";
import { type RollResult, result } from "./rules/result.ts";
import { roll, rollInput } from "./rules/roll.ts";

export { type DiceInput, type DiceRecord, type Draw, diceAlgorithm } from "./rules/dice.ts";
export {
  type Ability,
  abilities,
  type DamageType,
  type EffectName,
  type Game,
  type Npc,
  type Player,
  type Scene,
  type Skill,
  skills,
} from "./rules/game.ts";
export type { AttackIntent, SavingThrowIntent, SkillCheckIntent } from "./rules/intent.ts";
export type { Fraction, Odds, Question } from "./rules/odds.ts";
export type { Replay, ReplayInput } from "./rules/replay.ts";
export type { Change, Claim, Damage, DamageDealt, DamageLine, RollResult, RuleUse } from "./rules/result.ts";
export type { Roll } from "./rules/roll.ts";

const noMatch = z.object({
  name: z.string().describe("The name that was given"),
  known: z.array(z.string()).describe("Names that would have matched; at most 40"),
});

const severalMatches = z.object({
  what: z.enum(["weapon", "target", "spell", "damage source"]).describe("What was looked for"),
  name: z.string().describe("The name that was given"),
  candidates: z.array(z.string()).describe("Names it could mean; send one of them"),
});

const diceErrors = {
  not_enough_dice: error({
    code: "invalid_argument",
    when: "`dice.values` ran out before every die that the rules ask for was rolled",
    data: z.object({
      given: z.int().describe("How many values were given"),
      sides: z.int().describe("Sides of the die that is missing"),
      purpose: z.string().describe("What that die is for"),
    }),
    hint: "roll the die named in the data, add it to the end of `dice.values` and send the call again",
  }),
  impossible_die: error({
    code: "invalid_argument",
    when: "a value in `dice.values` is higher than the die it stands for",
    data: z.object({
      position: z.int().describe("Index in `dice.values`, from 0"),
      value: z.int().describe("The value there"),
      sides: z.int().describe("Sides of the die it stands for"),
      purpose: z.string().describe("What that die is for"),
    }),
    hint: "values are taken in the order in which the rules ask for dice: the d20s first, then damage",
  }),
};

const ambiguous_name = error({
  code: "invalid_argument",
  when: "a name matches several weapons, targets, spells or damage sources",
  data: severalMatches,
  hint: "ask the player which one is meant, and send that name in full",
});

const nameErrors = {
  unknown_weapon: error({
    code: "invalid_argument",
    when: "the character has no weapon of that name in `weaponDamage` or the inventory, or its numbers are not known",
    data: noMatch,
    hint: "use one of `known`, or give the weapon's numbers in `game.player.weaponDamage`",
  }),
  unknown_target: error({
    code: "invalid_argument",
    when: "no creature in `game.npcs` has that name or id",
    data: noMatch,
    hint: "use one of `known`, or add the creature to `game.npcs`",
  }),
  unknown_spell: error({
    code: "invalid_argument",
    when: "a spell attack names a spell that the character does not know, or whose numbers are not known",
    data: noMatch,
    hint: "use one of `known`, or give the spell's numbers in `game.player.weaponDamage`",
  }),
  unknown_damage_source: error({
    code: "invalid_argument",
    when: "a claimed damage source is none that the rules know",
    data: noMatch,
    hint: "use one of `known`, or leave the claim out",
  }),
  ambiguous_name,
};

const attackErrors = { ...nameErrors, ...diceErrors };

const oddsErrors = {
  ...nameErrors,
  too_many_outcomes: error({
    code: "invalid_argument",
    when: "the damage has more possible values than can be solved exactly in one call",
    data: z.object({
      outcomes: z.int().describe("Possible values, at least"),
      most: z.int().describe("The most that is solved"),
    }),
    hint: "ask about fewer or smaller dice",
  }),
};

const aria = {
  name: "Aria",
  characterClass: "Rogue",
  level: 5,
  currentHP: 33,
  maxHP: 33,
  armorClass: 15,
  stats: { strength: 10, dexterity: 18, constitution: 12, intelligence: 13, wisdom: 12, charisma: 14 },
  savingThrowProficiencies: ["dexterity", "intelligence"],
  skillProficiencies: ["Acrobatics", "Perception", "Sleight of Hand", "Stealth"],
  weaponProficiencies: ["Simple Weapons", "Hand Crossbow", "Longsword", "Rapier", "Shortsword"],
  features: [
    { name: "Sneak Attack", level: 1 },
    { name: "Expertise", level: 1, chosenOption: "Stealth, Perception" },
    { name: "Uncanny Dodge", level: 5 },
  ],
  inventory: ["Rapier", "Shortbow", "Dagger"],
};

const goblin = { id: "goblin-1", name: "Goblin", ac: 15, currentHp: 7, maxHp: 7, xpValue: 50, engaged: true };

const bo = {
  name: "Bo",
  characterClass: "Fighter",
  level: 1,
  stats: { strength: 16 },
  skillProficiencies: ["Athletics"],
};

/** What `resolveSkillCheck` answered when Bo rolled an 11 at the table. */
const boClimbs: RollResult = {
  checkType: "Athletics Check",
  components: "STR +3, Prof +2 = +5",
  dieResult: 11,
  totalModifier: "+5",
  total: 16,
  success: true,
  notes: "16 against DC 15: the check succeeds",
  dcOrAc: "15",
  edition: "5.2",
  raw: "CHECK: Athletics Check\nCOMPONENTS: STR +3, Prof +2 = +5\nROLL: 11 + 5 = 16\nDC/AC: 15\nRESULT: SUCCESS\nDAMAGE: N/A\nNOTES: 16 against DC 15: the check succeeds",
  dice: {
    source: "values",
    madeBy: "caller",
    draws: [{ sides: 20, value: 11, purpose: "ability check", stream: "ability check" }],
    unused: 0,
  },
  rules: [
    {
      number: "totalModifier",
      effect: "+3",
      rule: "ability-modifier",
      source: "SRD 5.2, Playing the Game: Ability Modifiers",
      why: "Athletics uses strength",
    },
    {
      number: "totalModifier",
      effect: "+2",
      rule: "proficiency-bonus",
      source: "SRD 5.2, Playing the Game: Proficiency",
      why: "proficient in Athletics",
    },
    {
      number: "dcOrAc",
      effect: "15",
      rule: "difficulty-class",
      source: "SRD 5.2, Playing the Game: Difficulty Class",
      why: "set by the caller",
    },
    {
      number: "success",
      effect: "success",
      rule: "d20-test",
      source: "SRD 5.2, Playing the Game: D20 Tests",
      why: "16 reaches 15",
    },
  ],
  claims: [],
  changes: [],
};

const resolved =
  "The answer is a pure function of (game, intent, dice): the same call gives the same bytes. Without `dice` the server makes " +
  "a seed and returns it. `rules` names the rule behind each number; `changes` says what the caller should now change in its " +
  "state; the call itself changes nothing.";

const attackInput = z
  .strictObject({ game, intent: attackIntent, dice: diceInput.optional() })
  .describe("An attack and the game it happens in");

const skillCheckInput = z
  .strictObject({ game, intent: skillCheckIntent, dice: diceInput.optional() })
  .describe("A skill check and the game it happens in");

const savingThrowInput = z
  .strictObject({ game, intent: savingThrowIntent, dice: diceInput.optional() })
  .describe("A saving throw and the game it happens in");

/** Nothing is rolled or looked up, so the game is taken as it is; it is allowed so that every tool takes the same envelope. */
const unusedEnvelope = {
  game: z.looseObject({}).optional().describe("Accepted as for the other tools, and not used"),
  dice: diceInput.optional(),
};

const impossibleInput = z
  .strictObject({ intent: impossibleIntent, ...unusedEnvelope })
  .describe("An action that cannot be done");

const noCheckInput = z
  .strictObject({ intent: noCheckIntent, ...unusedEnvelope })
  .describe("An action that needs no roll");

export default defineContract({
  id: "rules",
  version: "0.1.0",
  summary: "D&D 5e resolution by the SRD 5.1 or 5.2: the caller classifies, the server computes every number.",
  procedures: {
    resolveAttack: query({
      summary: "Resolve an attack by a character on a creature: roll, modifiers, hit, critical hit, damage.",
      description: resolved,
      input: attackInput,
      output: result,
      errors: attackErrors,
      examples: [
        {
          summary: "Aria, rogue 5, attacks Goblin with her rapier, sneak attack",
          input: {
            game: { edition: "5.1", player: aria, npcs: [goblin] },
            intent: { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack"] },
            dice: { seed: "aria-and-the-goblin" },
          },
        },
      ],
    }),
    resolveSkillCheck: query({
      summary: "Resolve an ability check with a skill against a difficulty class.",
      description: resolved,
      input: skillCheckInput,
      output: result,
      errors: diceErrors,
      examples: [
        {
          summary: "Aria, rogue 5 with expertise in Stealth, sneaks past a guard",
          input: {
            game: { edition: "5.1", player: aria },
            intent: { skill: "Stealth", dc: 15 },
            dice: { seed: "past-the-guard" },
          },
        },
      ],
    }),
    resolveSavingThrow: query({
      summary: "Resolve a saving throw against a difficulty class.",
      description: resolved,
      input: savingThrowInput,
      output: result,
      errors: diceErrors,
      examples: [
        {
          summary: "Aria, rogue 5, dodges a fireball; the player rolled the d20 at the table",
          input: {
            game: { edition: "5.2", player: aria },
            intent: { ability: "dexterity", dc: 15, source: "Fireball" },
            dice: { values: [12] },
          },
        },
      ],
    }),
    markImpossible: query({
      summary: "Say that an action cannot be done, with the reason; nothing is rolled.",
      input: impossibleInput,
      output: result,
      examples: [
        {
          summary: "A rogue without wings wants to fly",
          input: { intent: { reason: "Aria has no wings and no spell that lets her fly." } },
        },
      ],
    }),
    markNoCheck: query({
      summary: "Say that an action needs no roll, with the reason; nothing is rolled.",
      input: noCheckInput,
      output: result,
      examples: [
        {
          summary: "Opening an unlocked door",
          input: { intent: { reason: "The door is not locked; Aria opens it." } },
        },
      ],
    }),
    odds: query({
      summary: "Exact odds of an attack, a skill check or a saving throw, as fractions; nothing is rolled.",
      description:
        "Solved, not sampled, from the same plan that the resolving tools roll: hit and critical hit, mean, variance and " +
        "the whole distribution.",
      input: z.strictObject({ game, question }).describe("What is asked, and the game it would happen in"),
      output: odds,
      errors: oddsErrors,
      tool: "rules_odds",
      examples: [
        {
          summary: "How much does Aria's sneak attack deal, and how often?",
          input: {
            game: { edition: "5.1", player: aria, npcs: [goblin] },
            question: {
              kind: "attack",
              intent: { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack"] },
            },
          },
        },
      ],
    }),
    replay: query({
      summary: "Prove a result: compute it again from the same question and the same dice, and compare.",
      input: replayInput,
      output: replay,
      errors: attackErrors,
      tool: false,
      examples: [
        {
          summary: "Did Bo really climb the wall?",
          input: {
            game: { edition: "5.2", player: bo },
            question: { kind: "check", intent: { skill: "Athletics", dc: 15 } },
            result: boClimbs,
          },
        },
      ],
    }),
    roll: query({
      summary: "Roll plain dice written in the usual way, like 2d6+3.",
      input: rollInput,
      output: roll,
      errors: {
        bad_notation: error({
          code: "invalid_argument",
          when: "the dice cannot be read",
          data: z.object({
            at: z.int().describe("Place in the notation, from 0"),
            expected: z.string().describe("What was expected there"),
          }),
          hint: "write dice like 2d6+3; at most 20 terms, 100 dice and 1,000 sides",
        }),
        ...diceErrors,
      },
      tool: "roll_dice",
      examples: [
        { summary: "A greatsword's damage", input: { notation: "2d6+3", dice: { seed: "greatsword" } } },
        { summary: "One ability score", input: { notation: "4d6kh3", dice: { values: [3, 6, 1, 4] } } },
      ],
    }),
  },
});
