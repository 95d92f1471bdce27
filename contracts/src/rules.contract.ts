/**
 * The rules contract: D&D 5e resolution by the SRD 5.1 and 5.2. The caller says what is attempted, the service computes every
 * number. Each answer is a pure function of (game, intent, dice), so every procedure is a query.
 *
 * The shapes are in `rules/`; here are the procedures, their errors and their examples.
 */
import * as z from "zod";
import { defineContract, query } from "./core/index.ts";
import { resources, restProcedures, tableProcedures } from "./rules/beside-tools.ts";
import { askingProcedures } from "./rules/classify.ts";
import { roll, rollInput } from "./rules/dice.ts";
import { actionProcedures, encounterProcedures } from "./rules/encounter.ts";
import { attackErrors, bad_notation, diceErrors, diceOddsErrors, oddsErrors, targetErrors } from "./rules/errors.ts";
import { aria, bo, boClimbs, goblin } from "./rules/examples.ts";
import { figureProcedures } from "./rules/figures.ts";
import { game } from "./rules/game.ts";
import {
  abilityCheckInput,
  attackInput,
  concentrationInput,
  contestInput,
  damageInput,
  grappleInput,
  impossibleInput,
  initiativeInput,
  noCheckInput,
  savingThrowInput,
  skillCheckInput,
} from "./rules/more.ts";
import { combinedProcedures, diceOdds, diceOddsInput, odds, prompts, question, verbs } from "./rules/odds.ts";
import { replay, replayInput } from "./rules/replay.ts";
import { checkResult, markResult, result, saveResult } from "./rules/result.ts";

export type {
  CreatureSources,
  EncounterQuestion,
  KeptEncounter,
  MonsterList,
  MonsterSearch,
  ReferenceTable,
  RestInput,
  Simulation,
  SimulationInput,
} from "./rules/beside-tools.ts";
export { referenceTopics } from "./rules/beside-tools.ts";
export type {
  ClampedDc,
  ClassifiedCall,
  ClassifyInput,
  GameState,
  PlayerChat,
  PlayerChatInput,
  PlayerRoll,
  PlayerRollInput,
  Rejection,
  RulesOutcome,
} from "./rules/classify.ts";
export { type DiceInput, type DiceRecord, type Draw, diceAlgorithm, type Roll } from "./rules/dice.ts";
export type {
  ActionResult,
  AttackActionInput,
  EncounterLog,
  EncounterProgress,
  EncounterView,
  StartEncounterInput,
} from "./rules/encounter.ts";
export { type Game, game, gameNames, type Npc, type Scene } from "./rules/game.ts";
export type { AttackIntent, SavingThrowIntent, SkillCheckIntent } from "./rules/intent.ts";
export type {
  ContestIntent,
  DamageIntent,
  DeathSave,
  DeathSaveInput,
  FallResult,
  Figure,
  GrappleIntent,
  GroupCheck,
  Passive,
} from "./rules/more.ts";
export { type Ability, abilities, type DamageType, exact, type Skill, skills } from "./rules/name.ts";
export type { CombinedOdds, CombinedQuestion, DiceOdds, Fraction, Odds, Question } from "./rules/odds.ts";
export { type EffectName, type Fighter, type Player, sheetNames } from "./rules/player.ts";
export type { ClaimedResult, Replay, RollingCall } from "./rules/replay.ts";
export type {
  Change,
  Claim,
  Damage,
  DamageDealt,
  DamageLine,
  MarkResult,
  NotRead,
  RollResult,
  RuleUse,
  UnclaimedResult,
} from "./rules/result.ts";
export { result } from "./rules/result.ts";

const resolved =
  "The same call gives the same bytes. Without `dice` the server makes a seed and returns it. Nothing is changed: `changes` says " +
  "what the caller should change in its state.";

export default defineContract({
  id: "rules",
  version: "0.1.0",
  summary: "D&D 5e resolution by the SRD 5.1 or 5.2: the caller classifies, the server computes every number.",
  procedures: {
    resolveAttack: query({
      placement: "stateless",
      tool: false,
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
      placement: "stateless",
      tool: false,
      summary: "Resolve an ability check with a skill against a difficulty class.",
      description: resolved,
      input: skillCheckInput,
      output: checkResult,
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
      placement: "stateless",
      tool: false,
      summary: "Resolve a saving throw against a difficulty class.",
      description: resolved,
      input: savingThrowInput,
      output: saveResult,
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
      placement: "stateless",
      tool: false,
      summary: "Say that an action cannot be done, with the reason; nothing is rolled.",
      input: impossibleInput,
      output: markResult,
      examples: [
        {
          summary: "A rogue without wings wants to fly",
          input: { intent: { reason: "Aria has no wings and no spell that lets her fly." } },
        },
      ],
    }),
    markNoCheck: query({
      placement: "stateless",
      tool: false,
      summary: "Say that an action needs no roll, with the reason; nothing is rolled.",
      input: noCheckInput,
      output: markResult,
      examples: [
        {
          summary: "Opening an unlocked door",
          input: { intent: { reason: "The door is not locked; Aria opens it." } },
        },
      ],
    }),
    ...actionProcedures,
    ...askingProcedures,
    odds: query({
      placement: "stateless",
      summary: "Exact odds of an attack, a skill check or a saving throw: solved as fractions, not sampled.",
      input: z.strictObject({ game, question }).describe("What is asked, and the game it would happen in"),
      output: odds,
      errors: oddsErrors,
      tool: {
        name: "rules_odds",
        title: "Odds of a roll",
        description: "Exact odds of a D&D attack, skill check or saving throw",
      },
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
      placement: "stateless",
      summary: "Prove a result of any procedure that rolls: compute it again from the same call and dice, and compare.",
      input: replayInput,
      output: replay,
      errors: { ...attackErrors, bad_notation },
      tool: false,
      examples: [
        {
          summary: "Did Bo really climb the wall?",
          input: {
            question: {
              procedure: "resolveSkillCheck",
              input: { game: { edition: "5.2", player: bo }, intent: { skill: "Athletics", dc: 15 } },
            },
            result: boClimbs,
          },
        },
      ],
    }),
    roll: query({
      placement: "stateless",
      summary: "Roll plain dice written in the usual way, like 2d6+3.",
      input: rollInput,
      output: roll,
      errors: { bad_notation, ...diceErrors },
      tool: { name: "roll_dice", title: "Roll dice", description: "Roll dice, like D&D's 2d6+3" },
      examples: [
        { summary: "A greatsword's damage", input: { notation: "2d6+3", dice: { seed: "greatsword" } } },
        { summary: "One ability score", input: { notation: "4d6kh3", dice: { values: [3, 6, 1, 4] } } },
      ],
    }),
    diceOdds: query({
      placement: "stateless",
      summary: "Exact odds of plain dice, in the notation of `roll`: solved as fractions, not sampled.",
      input: diceOddsInput,
      output: diceOdds,
      errors: diceOddsErrors,
      tool: false,
      examples: [{ summary: "One ability score", input: { notation: "4d6kh3" } }],
    }),
    resolveAbilityCheck: query({
      placement: "stateless",
      summary: "Resolve an ability check without a skill against a difficulty class.",
      description: resolved,
      input: abilityCheckInput,
      output: result,
      errors: diceErrors,
      tool: false,
      examples: [
        {
          summary: "Bo forces a door",
          input: {
            game: { edition: "5.1", player: bo },
            intent: { ability: "strength", dc: 15 },
            dice: { seed: "door" },
          },
        },
      ],
    }),
    rollInitiative: query({
      placement: "stateless",
      summary: "Roll initiative for a character.",
      description: resolved,
      input: initiativeInput,
      output: result,
      errors: diceErrors,
      tool: false,
      examples: [
        {
          summary: "Aria is surprised",
          input: { game: { edition: "5.2", player: aria }, intent: { surprised: true }, dice: { seed: "ambush" } },
        },
      ],
    }),
    resolveContest: query({
      placement: "stateless",
      summary: "Resolve a contest of two checks (5.1): a tie changes nothing.",
      description: resolved,
      input: contestInput,
      output: result,
      errors: targetErrors,
      tool: false,
      examples: [
        {
          summary: "Aria bluffs the goblin",
          input: {
            game: { edition: "5.1", player: aria, npcs: [goblin] },
            intent: { skill: "Deception", target: "Goblin", opposed: -1 },
            dice: { values: [11, 14] },
          },
        },
      ],
    }),
    resolveGrapple: query({
      placement: "stateless",
      summary: "Resolve a grapple or a shove: a contest in 5.1, a save of the target in 5.2.",
      description: resolved,
      input: grappleInput,
      output: result,
      errors: targetErrors,
      tool: false,
      examples: [
        {
          summary: "Bo grabs the goblin",
          input: {
            game: { edition: "5.2", player: bo, npcs: [goblin] },
            intent: { attempt: "grapple", target: "Goblin", opposed: 2 },
            dice: { seed: "grab" },
          },
        },
      ],
    }),
    resolveConcentration: query({
      placement: "stateless",
      summary: "Resolve the Constitution save that keeps a spell going when damage is taken.",
      description: resolved,
      input: concentrationInput,
      output: result,
      errors: diceErrors,
      tool: false,
      examples: [
        {
          summary: "Aria takes 23 damage",
          input: { game: { edition: "5.1", player: aria }, intent: { damage: 23 }, dice: { values: [11] } },
        },
      ],
    }),
    takeDamage: query({
      placement: "stateless",
      summary: "What damage does to the character: defences, temporary hit points, 0 hit points, death.",
      description: `${resolved} \`success\` says that the character is still up. What a saving throw is against goes into \`scene.incoming\` of that call.`,
      input: damageInput,
      output: result,
      errors: diceErrors,
      tool: false,
      examples: [
        {
          summary: "A critical hit on Bo, who is down already",
          input: {
            game: { edition: "5.1", player: { ...bo, currentHP: 0, maxHP: 12 } },
            intent: { damage: "2d6+3", damageType: "slashing", crit: true, source: "Goblin's scimitar" },
            dice: { values: [2, 4, 3, 1] },
          },
        },
      ],
    }),
    ...combinedProcedures,
    ...figureProcedures,
    ...encounterProcedures,
    ...restProcedures,
    ...tableProcedures,
  },
  verbs,
  prompts,
  resources,
});
