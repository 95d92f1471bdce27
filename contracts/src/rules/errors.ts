/** Errors that the rules procedures declare; every one says what to send instead. */
import * as z from "zod";
import { error } from "../core/index.ts";

const noMatch = z.object({
  name: z.string().describe("The name that was given"),
  known: z.array(z.string()).describe("Names that would have matched; at most 40"),
});

const severalMatches = z.object({
  what: z.enum(["weapon", "target", "spell", "damage source"]).describe("What was looked for"),
  name: z.string().describe("The name that was given"),
  candidates: z.array(z.string()).describe("Names it could mean; send one of them"),
});

/** Of every procedure that takes a game: its own rules are in a language, and a line of them cannot be read. */
export const houseRuleErrors = {
  bad_house_rule: error({
    code: "invalid_argument",
    when: "a line of `rulings.houseRules` cannot be read",
    data: z.object({
      line: z.int().describe("Its number, from 1"),
      problem: z.string().describe("What was expected there"),
    }),
    hint: "write `effect Battle Hymn | attack, save | +1d4`: what brings it, when it counts, what it changes",
  }),
};

/** Of every procedure that takes `dice`: too few values, or a face that the die does not have. */
export const diceErrors = {
  ...houseRuleErrors,
  not_enough_dice: error({
    code: "invalid_argument",
    when: "`dice.values` ran out",
    data: z.object({
      given: z.int().describe("How many values were given"),
      sides: z.int().describe("Sides of the die that is missing"),
      purpose: z.string().describe("What that die is for"),
    }),
    hint: "roll the die named in the data, add it to the end of `dice.values` and send the call again",
  }),
  impossible_die: error({
    code: "invalid_argument",
    when: "a value in `dice.values` is higher than its die",
    data: z.object({
      position: z.int().describe("Index in `dice.values`, from 0"),
      value: z.int().describe("The value there"),
      sides: z.int().describe("Sides of the die that it is for"),
      purpose: z.string().describe("What that die is for"),
    }),
    hint: "values are taken in the order in which the rules ask for dice: the d20s first, then damage",
  }),
};

const ambiguous_name = error({
  code: "invalid_argument",
  when: "a name matches several; the data lists them",
  data: severalMatches,
  hint: "ask the player which one is meant, and send it as `candidates` writes it, or by its id",
});

/** For names that match nothing, or too much. */
const nameErrors = {
  unknown_weapon: error({
    code: "invalid_argument",
    when: "the character has no such weapon, or its numbers are not known",
    data: noMatch,
    hint: "use one of `known`, or give the weapon's numbers in `game.player.weaponDamage`",
  }),
  unknown_target: error({
    code: "invalid_argument",
    when: "no creature has that name or id",
    data: noMatch,
    hint: "use one of `known`, or add the creature to `game.npcs`",
  }),
  unknown_spell: error({
    code: "invalid_argument",
    when: "the character has no such spell, or its numbers are not known",
    data: noMatch,
    hint: "use one of `known`, or give the spell's numbers in `game.player.weaponDamage`",
  }),
  unknown_damage_source: error({
    code: "invalid_argument",
    when: "the rules know no such source",
    data: noMatch,
    hint: "use one of `known`, or leave the claim out",
  }),
  ambiguous_name,
};

/** The notation of `roll` cannot be read; `at` is an index from 0. */
export const bad_notation = error({
  code: "invalid_argument",
  when: "the dice cannot be read",
  data: z.object({
    at: z.int().describe("Place in the notation, from 0"),
    expected: z.string().describe("What was expected there"),
  }),
  hint: "write dice like 2d6+3 or 4d6kh3; at most 20 terms, 100 dice and 1,000 sides",
});

/** Of `resolveAttack`: names that match nothing or several, and those of the dice. */
export const attackErrors = { ...nameErrors, ...diceErrors };

/** Of procedures with a target: a name that matches no creature or several, and those of the dice. */
export const targetErrors = { unknown_target: nameErrors.unknown_target, ambiguous_name, ...diceErrors };

const too_many_outcomes = error({
  code: "invalid_argument",
  when: "there are more possible values than can be solved exactly in one call",
  data: z.object({
    outcomes: z.int().describe("Possible values, at least"),
    most: z.int().describe("The most that is solved"),
  }),
  hint: "ask about fewer or smaller dice",
});

/** Of `odds`: the names of an attack, and more possible values than are solved. */
export const oddsErrors = { ...nameErrors, too_many_outcomes };

/** Of `diceOdds`: what cannot be read, or not be solved. */
export const diceOddsErrors = {
  bad_notation,
  too_many_outcomes,
  unsolved_dice: error({
    code: "invalid_argument",
    when: "the dice can be rolled, but their odds are not solved exactly",
    data: z.object({ term: z.string().describe("The dice") }),
    hint: "keep or drop dice last, and roll the rest as terms of their own",
  }),
};

/** Of `classify`: the model is not configured, refuses, cannot be reached, or an outcome does not follow from its dice. */
export const classifyErrors = {
  ...attackErrors,
  model_not_configured: error({
    code: "failed_precondition",
    when: "the configuration wants a model and no key for the Messages API is in the environment, or its address there is none",
    data: z.object({
      variable: z.string().describe("Environment variable that is missing or wrong"),
      problem: z.enum(["missing", "not_an_address"]).describe("What is wrong with it"),
    }),
    hint: "set the variable for the kernel and restart it, or choose the tool yourself and call it",
  }),
  model_rejected: error({
    code: "failed_precondition",
    when: "the Messages API refuses the request, so that sending it again would not help",
    data: z.object({
      status: z.int().describe("HTTP status of the refusal"),
      type: z.string().describe('The API\'s name for it, like "authentication_error"; may be empty'),
      requestId: z.string().describe("The API's id of the request; may be empty"),
    }),
  }),
  model_unavailable: error({
    code: "unavailable",
    when: "the Messages API cannot be reached, is overloaded or limits the rate, retries included",
    data: z.object({
      status: z.int().describe("HTTP status of the last try; 0 when there was none"),
      attempts: z.int().describe("Requests that were sent"),
      retryAfterMs: z.int().optional().describe("Milliseconds to wait before the API is called again"),
    }),
    hint: "try again later, or choose the tool yourself and call it",
  }),
  not_proved: error({
    code: "invalid_argument",
    when: "the precomputed outcome does not follow from this game and its dice",
    data: z.object({ differences: z.array(z.string()).describe("Paths of the fields that differ; at most 20") }),
    hint: "send the outcome as it was returned, with the game it was made in; or leave it out",
  }),
};

const { model_not_configured, model_rejected, model_unavailable, not_proved } = classifyErrors;

/** Of `playerRoll` and `playerChat`: as `classify`, but a name that matches nothing is an answer there (impossible, with the known names). */
export const turnErrors = {
  ambiguous_name,
  ...diceErrors,
  model_not_configured,
  model_rejected,
  model_unavailable,
  no_game_state: error({
    code: "failed_precondition",
    when: "`gameState` is missing: a `characterId` alone names nothing here",
    hint: "send the character and the creatures as `gameState: { player, story: { activeNPCs } }`",
  }),
};

/** Of `playerChat`: an outcome with its question that does not follow from its dice, too. */
export const chatErrors = { ...turnErrors, not_proved };

/** A name that no creature has, or several. */
const creatureName = z.object({
  name: z.string().describe("The name that was given"),
  known: z.array(z.string()).describe("Names that would have matched; at most 40"),
});
/** A name that no monster of the edition has, or several. */
export const unknown_monster = error({
  code: "invalid_argument",
  when: "the SRD of that edition has no monster of that name",
  data: creatureName,
  hint: "use one of `known`, or give the creature's numbers",
});
/** Of `simulateEncounter`: what `uses` names. */
export const usesErrors = {
  unknown_creature: error({
    code: "invalid_argument",
    when: "`uses` names a creature that the fight does not have",
    data: creatureName,
    hint: "use one of `known`",
  }),
  unknown_weapon: error({
    code: "invalid_argument",
    when: "`uses` names a weapon or spell that the creature does not have",
    data: noMatch,
    hint: "use one of `known`, or add it to the creature's sheet",
  }),
  ambiguous_name,
};
const whose = z.object({ actor: z.string().describe("Who was to act"), turn: z.string().describe("Whose turn it is") });

/** A handle that this caller has no encounter of. */
export const unknown_encounter = error({
  code: "not_found",
  when: "this caller has no encounter of that handle",
  data: z.object({ encounter: z.string().describe("The handle that was given") }),
  hint: "start one with start_encounter, and use the handle that it answers",
});
/** The version that the caller saw is not the newest one. */
export const stale_version = error({
  code: "aborted",
  when: "`version` is not the newest one: somebody has acted since",
  data: z.object({
    sent: z.int().describe("The version that was given"),
    current: z.int().describe("The newest version"),
  }),
  hint: "read encounter_state, decide again and send its version",
});
/** The rules of the service changed since a call of the fight was answered. */
export const encounter_outdated = error({
  code: "failed_precondition",
  when: "a call of the fight has another answer by the present rules than it had",
  data: z.object({
    encounter: z.string().describe("The handle that was given"),
    version: z.int().describe("The first version that differs"),
  }),
  hint: "start another fight with start_encounter; encounterLog still shows the calls of this one",
});
/** A fight has as many calls as are kept. */
export const encounter_full = error({
  code: "failed_precondition",
  when: "the fight has the most calls that are kept of one",
  data: z.object({ most: z.int().describe("Calls that are kept of a fight") }),
  hint: "end it with end_encounter, and start another one with start_encounter",
});
/** What is for after the fight was called before its end. */
export const encounter_not_over = error({
  code: "failed_precondition",
  when: "the fight was not ended",
  hint: "end it with end_encounter",
});
/** Somebody may react to an action, which waits for that. */
export const unanswered_reaction = error({
  code: "failed_precondition",
  when: "an action waits: somebody may react to it, and no call has said whether",
  data: z.object({
    reactions: z
      .array(z.object({ actor: z.string().describe("Who may react"), weapon: z.string().describe("With what") }))
      .describe("What may be done now"),
  }),
  hint: "call resolve_attack with the `actor` and `weapon` of one of them, or mark_no_check when none is used",
});
const encounter_over = error({ code: "failed_precondition", when: "the encounter was ended" });

/** Of every call about an encounter. */
export const heldErrors = { unknown_encounter, encounter_outdated, stale_version, encounter_full, encounter_over };

/** Of every action: which game it is about, and what the actor may do now. */
const actionErrors = {
  ...heldErrors,
  unanswered_reaction,
  game_or_encounter: error({
    code: "invalid_argument",
    when: "neither `encounter` nor `game` was sent, or both",
    hint: "send the handle of a fight as `encounter`, or the whole state as `game`",
  }),
  unknown_actor: error({
    code: "invalid_argument",
    when: "no creature of the encounter has that name",
    data: creatureName,
    hint: "use one of `known`, which are ids, or leave `actor` out: then it is whoever has the turn",
  }),
  cannot_act: error({
    code: "failed_precondition",
    when: "the actor is dead, dying or otherwise unable to act",
    data: z.object({ actor: z.string().describe("Who"), why: z.string().describe("Why") }),
    hint: "end the turn with end_turn",
  }),
};

/** Of actions that roll. */
export const actionRollErrors = { ...actionErrors, ...diceErrors };

/** Of an attack in an encounter or by value. */
export const attackActionErrors = {
  ...actionErrors,
  ...attackErrors,
  out_of_turn: error({
    code: "failed_precondition",
    when: "it is another creature's turn",
    data: whose,
    hint: 'let that creature act, call end_turn, or attack as a reaction with scene: { attack: "reaction" }',
  }),
  action_spent: error({
    code: "failed_precondition",
    when: "the attacks of this turn's action, the bonus action or the reaction are used up",
    data: z.object({
      actor: z.string().describe("Who"),
      what: z.enum(["action", "bonus action", "reaction"]).describe("What is spent"),
    }),
    hint: "end the turn with end_turn",
  }),
};
