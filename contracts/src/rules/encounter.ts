/**
 * Actions, as models call them: the fields of the specification's tools at top level, and either `game` (the whole state by value; nothing is kept) or
 * `encounter`, the handle of a fight that the service keeps. An action in an encounter applies its changes and makes the next version of it.
 *
 * Not here: the same rolls as pure functions of (game, intent, dice), which HTTP callers, `replay` and `odds` use (`intent.ts`).
 */
import * as z from "zod";
import { error, mutation, query, toolSummary } from "../core/index.ts";
import { diceInput } from "./dice.ts";
import {
  actionRollErrors,
  attackActionErrors,
  diceErrors,
  encounter_full,
  encounter_not_over,
  encounter_outdated,
  heldErrors,
  stale_version,
  unanswered_reaction,
  unknown_encounter,
  unknown_monster,
} from "./errors.ts";
import { aria, bo, goblin } from "./examples.ts";
import { edition, game, npc, rulings, scene } from "./game.ts";
import {
  abilityCheckIntent,
  attackIntent,
  impossibleIntent,
  noCheckIntent,
  savingThrowIntent,
  skillCheckIntent,
} from "./intent.ts";
import { fighter } from "./player.ts";
import { log } from "./replay.ts";
import { encounterView, events, reactions, result, turn } from "./result.ts";

const handle = z.string().min(1).max(40);
/** Names a fight that is kept. */
export const encounter = handle.describe("Its handle");
/** Of a change: refused where somebody has acted since. */
export const version = z.int().min(1).optional().describe("Version you saw");

const held = { encounter: handle.optional().describe("Handle of the fight; else `game`"), version };

const aroundIt = scene.meta({
  id: "Around",
  description: "Where and how it happens; replaces that of `game`",
  [toolSummary]: "{attack: bonus|reaction, hands, slotLevel, advantage: [why], incoming: {dice, onSuccess}, ...}",
});

const acting = {
  ...held,
  game: game.optional(),
  actor: z.string().min(1).max(80).optional().describe("Who; else whose turn it is"),
  scene: aroundIt.optional(),
  dice: diceInput.optional(),
};

const marking = { encounter: held.encounter, game: z.looseObject({}).optional().describe("Not read") };

const attackInput = z.strictObject({ ...attackIntent.shape, ...acting }).describe("An attack");
const skillCheckInput = z.strictObject({ ...skillCheckIntent.shape, ...acting }).describe("A skill check");
const abilityCheckInput = z
  .strictObject({ ...abilityCheckIntent.shape, dc: skillCheckIntent.shape.dc, ...acting })
  .describe("An ability check");
const savingThrowInput = z.strictObject({ ...savingThrowIntent.shape, ...acting }).describe("A saving throw");
const impossibleInput = z.strictObject({ ...impossibleIntent.shape, ...marking }).describe("What cannot be done");
const noCheckInput = z.strictObject({ ...noCheckIntent.shape, ...marking }).describe("What needs no roll");

const progress = z
  .strictObject({
    id: z.string().describe("Handle"),
    version: z.int().describe("Version that this action made"),
    round: z.int().describe("From 1"),
    turn,
    events,
    reactions,
  })
  .optional()
  .describe("The encounter after it; `changes` are applied");

const actionResult = result.extend({ encounter: progress }).describe("The outcome");

const monsterName = z.string().min(1).max(80).describe("SRD monster");
const sheetOf = fighter.meta({
  id: "PartySheet",
  description: "The sheet of a character",
  [toolSummary]: "A sheet: {name, characterClass, level, stats, maxHP, currentHP, armorClass, ...}",
});
const fightRulings = rulings.meta({
  id: "FightRulings",
  description: "Switches for what the text leaves open",
  [toolSummary]: "Rulings",
});
const foe = npc.meta({
  id: "Foe",
  description: "A creature by its numbers; `attackBonus`, `damageDice` and `damageBonus` are its attack",
  [toolSummary]: "{name, ac, currentHp, maxHp, attackBonus, damageDice, damageBonus, ...}",
});

/** Who fights. */
export const startInput = z
  .strictObject({
    edition,
    party: z
      .array(z.union([monsterName, sheetOf]))
      .max(20)
      .describe("Characters and their allies"),
    after: handle.optional().describe("Ended fight whose party goes on"),
    foes: z
      .array(z.union([monsterName, foe, sheetOf]))
      .max(50)
      .default([])
      .describe("Their enemies"),
    rulings: fightRulings,
    dice: diceInput.optional(),
  })
  .describe("Who fights");

/** Why a fight cannot begin. */
export const startErrors = {
  unknown_monster,
  bad_foe: error({
    code: "invalid_argument",
    when: "the attack of a foe by its numbers cannot be read",
    data: z.object({
      field: z.string().describe('Path of the field, like "foes[0].damageDice"'),
      expected: z.string().describe("What was expected there"),
    }),
    hint: "write `damageDice` like 2d6 or 1d8+3, and the bonuses as whole numbers",
  }),
  no_party: error({
    code: "invalid_argument",
    when: "`party` is empty, and no living creature comes from the fight of `after`",
    hint: "send a sheet or the name of an SRD monster in `party`",
  }),
} as const;

const onlyEncounter = z.strictObject({ encounter }).describe("An encounter");

const stabs = { weapon: "Rapier", target: "Goblin", extra_damage_sources: ["Sneak Attack"] };
const ariasGame = { player: aria, npcs: [goblin] };

/** The specification's five tools, and the check without a skill. By value they change nothing; with `encounter` they need `call` (ADR 0192). */
export const actionProcedures = {
  attack: mutation({
    tool: { name: "resolve_attack", title: "Resolve attack", description: "Resolve a D&D attack", listed: "core" },
    access: "read",
    summary: "Resolve an attack.",
    input: attackInput,
    output: actionResult,
    errors: attackActionErrors,
    retry: "keyed",
    examples: [
      {
        summary: "Aria's rapier, by value",
        input: { game: ariasGame, ...stabs, dice: { seed: "aria-and-the-goblin" } },
      },
    ],
  }),
  skillCheck: mutation({
    tool: { name: "resolve_skill_check", description: "Resolve a D&D skill check", listed: "core" },
    access: "read",
    summary: "Resolve an ability check with a skill.",
    input: skillCheckInput,
    output: actionResult,
    errors: actionRollErrors,
    retry: "keyed",
    examples: [
      {
        summary: "Bo climbs",
        input: { game: { edition: "5.2", player: bo }, skill: "Athletics", dc: 15, dice: { values: [11] } },
      },
    ],
  }),
  savingThrow: mutation({
    tool: { name: "resolve_saving_throw", description: "Resolve a D&D saving throw", listed: "core" },
    access: "read",
    summary: "Resolve a saving throw.",
    input: savingThrowInput,
    output: actionResult,
    errors: actionRollErrors,
    retry: "keyed",
    examples: [
      {
        summary: "Aria dodges a fireball",
        input: { game: { edition: "5.2", player: aria }, ability: "dexterity", dc: 15, dice: { values: [12] } },
      },
    ],
  }),
  impossible: mutation({
    tool: {
      name: "mark_impossible",
      title: "Mark action impossible",
      description: "D&D: an action cannot be done; nothing is rolled",
      fields: { reason: "For the player", encounter: true },
    },
    access: "read",
    summary: "Say that an action cannot be done; nothing is rolled.",
    input: impossibleInput,
    output: actionResult,
    errors: { ...heldErrors, unanswered_reaction },
    retry: "keyed",
    examples: [{ summary: "A rogue wants to fly", input: { reason: "Aria has no wings." } }],
  }),
  noCheck: mutation({
    tool: {
      name: "mark_no_check",
      title: "Mark action without check",
      description: "D&D: an action needs no roll",
      fields: { reason: "For the player", encounter: true },
    },
    access: "read",
    summary: "Say that an action needs no roll.",
    input: noCheckInput,
    output: actionResult,
    errors: actionRollErrors,
    retry: "keyed",
    examples: [{ summary: "An unlocked door", input: { reason: "The door is not locked." } }],
  }),
  abilityCheck: mutation({
    tool: { name: "resolve_ability_check", description: "Resolve a D&D ability check without a skill" },
    access: "read",
    summary: "Resolve an ability check without a skill.",
    input: abilityCheckInput,
    output: actionResult,
    errors: actionRollErrors,
    retry: "keyed",
    examples: [
      {
        summary: "Bo forces a door",
        input: { game: { edition: "5.1", player: bo }, ability: "strength", dc: 15, dice: { seed: "door" } },
      },
    ],
  }),
};

/** An encounter that the service keeps, for the caller who started it. */
export const encounterProcedures = {
  startEncounter: mutation({
    tool: {
      name: "start_encounter",
      description:
        "Start a D&D fight that is kept here: rolls initiative, answers a handle. Other tools then take `encounter`, apply their changes and keep turns.",
    },
    summary: "Start a fight that is kept here: rolls initiative, answers a handle.",
    description: "Other tools then take `encounter`, apply their changes and keep turns.",
    input: startInput,
    output: encounterView,
    errors: {
      ...diceErrors,
      ...startErrors,
      other_edition: error({
        code: "invalid_argument",
        when: "the fight of `after` was one of the other edition",
        data: z.object({ edition: z.enum(["5.1", "5.2"]).describe("Edition of that fight") }),
        hint: "send that `edition`",
      }),
      unknown_encounter,
      encounter_outdated,
      encounter_not_over,
    },
    retry: "keyed",
    examples: [{ summary: "Aria meets a goblin", input: { party: [aria], foes: [goblin], dice: { seed: "ambush" } } }],
  }),
  encounterState: query({
    tool: { name: "encounter_state", description: "A D&D fight: turn, hit points, conditions" },
    summary: "Show a fight: turn, hit points, conditions.",
    input: onlyEncounter,
    output: encounterView,
    errors: { unknown_encounter, encounter_outdated },
  }),
  endTurn: mutation({
    tool: { name: "end_turn", description: "End the turn in a D&D fight; the dying roll death saves" },
    summary: "End the turn; death saves of the dying are rolled.",
    input: z.strictObject({ encounter, version, dice: diceInput.optional() }).describe("An encounter"),
    output: encounterView,
    errors: { ...heldErrors, ...diceErrors, unanswered_reaction },
    retry: "keyed",
  }),
  undoAction: mutation({
    tool: { name: "undo_action", description: "Take back the last action or turn of a D&D fight" },
    summary: "Take the last action or end of a turn back.",
    input: z.strictObject({ encounter, version }).describe("An encounter"),
    output: encounterView,
    errors: {
      unknown_encounter,
      encounter_outdated,
      stale_version,
      encounter_full,
      nothing_to_undo: error({ code: "failed_precondition", when: "nothing was done since the start" }),
    },
    retry: "keyed",
  }),
  endEncounter: mutation({
    tool: { name: "end_encounter", description: "End a D&D fight" },
    summary: "End a fight.",
    input: onlyEncounter,
    output: encounterView,
    errors: heldErrors,
    retry: "keyed",
  }),
  encounterLog: query({
    tool: false,
    summary: "Show every call of a fight with its dice, and prove it by running all of them again.",
    input: onlyEncounter,
    output: log,
    errors: { unknown_encounter },
  }),
};

/** Decoded input of `attack`. */
export type AttackActionInput = z.output<typeof attackInput>;
/** Decoded input of `startEncounter`. */
export type StartEncounterInput = z.output<typeof startInput>;
/** What an answer says of an encounter. */
export type EncounterView = z.input<typeof encounterView>;
/** What an action's answer says of its encounter. */
export type EncounterProgress = NonNullable<z.input<typeof progress>>;
/** Answer of an action. */
export type ActionResult = z.input<typeof actionResult>;
/** Answer of `encounterLog`. */
export type EncounterLog = z.input<typeof log>;
