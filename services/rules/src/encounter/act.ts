/**
 * An action in an encounter: who may act now, the roll by the same resolvers as a call by value, and its changes applied. What a hit means for a
 * character (dropping, dying) and for a monster (death) happens here, since here both have hit points.
 *
 * Not here: what an attack takes of a turn (`budget.ts`), and the order of turns (`turn.ts`).
 */
import type {
  AttackIntent,
  Change,
  Game,
  RollResult,
  SavingThrowIntent,
  Scene,
  SkillCheckIntent,
} from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { type AreaPart, joinParts } from "../resolve/area.ts";
import { resolveAttack, resolveAttackParts } from "../resolve/attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "../resolve/check.ts";
import { resolveConcentration } from "../resolve/concentration.ts";
import { resolveSavingThrow } from "../resolve/save.ts";
import { markImpossible, markNoCheck } from "../result/mark.ts";
import { Refusal } from "../result/refusal.ts";
import { createTrace } from "../result/trace.ts";
import { damageConsequences } from "../rules/character-damage.ts";
import { hasCondition } from "../sheet/character.ts";
import { matchName, sameName } from "../sheet/names.ts";
import { intendedSpell } from "../sheet/spell-name.ts";
import { findTarget } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import { spendAction, spendAttack, unable } from "./budget.ts";
import { applyChanges } from "./change.ts";
import { type Creature, isDead, type UsedWeapon } from "./creature.ts";
import { findEffect, resolveEffect, spendEffect } from "./effect.ts";
import { chooseReaction, react, unanswered } from "./interrupt.ts";
import { beginTimers, endHiding, settleLasting } from "./lasting.ts";
import { dodgeUncannily, findReactions, previewResult } from "./reaction.ts";
import { noScene } from "./scene.ts";
import {
  type CallDice,
  currentCreature,
  type EncounterState,
  findActor,
  gameFor,
  type WaitingAttack,
} from "./state.ts";
import { addTimers } from "./timer.ts";

interface Acting {
  readonly actor?: string | undefined;
  readonly scene: Scene;
}

/** What is tried, in the words of the specification's tools. */
export type IntendedAction =
  | { readonly procedure: "attack"; readonly intent: AttackIntent }
  | { readonly procedure: "skillCheck"; readonly intent: SkillCheckIntent }
  | { readonly procedure: "abilityCheck"; readonly intent: Parameters<typeof resolveAbilityCheck>[1] }
  | { readonly procedure: "savingThrow"; readonly intent: SavingThrowIntent };

/** An action that rolls, by somebody somewhere. */
export type RollingAction = IntendedAction & Acting;

/** What can be done in an encounter: the calls of the specification's tools. */
export type EncounterAction = RollingAction | { readonly procedure: "impossible" | "noCheck"; readonly reason: string };

interface ActionOutcome {
  readonly state: EncounterState;
  readonly result: RollResult;
  /** What happened in addition, in sentences. */
  readonly events: readonly string[];
}

/** The result of an action by value: a pure function of game, intent and dice. */
export const resolveAction = (game: Game, action: RollingAction, dice: Dice): RollResult => {
  switch (action.procedure) {
    case "attack":
      return resolveAttack(game, action.intent, dice);
    case "skillCheck":
      return { ...resolveSkillCheck(game, action.intent, dice), claims: [] };
    case "abilityCheck":
      return { ...resolveAbilityCheck(game, action.intent, dice), claims: [] };
    case "savingThrow":
      return { ...resolveSavingThrow(game, action.intent, dice), claims: [] };
  }
};

/** The dice of this call, and any call's dice from their beginning. */
export interface ActionDice {
  readonly thrown: CallDice;
  readonly throwDice: (thrown: CallDice) => Dice;
}

/** Refuses with `encounter_over`, `unanswered_reaction`, `unknown_actor`, `cannot_act`, `out_of_turn` or `action_spent`, and as the resolvers do. */
export const act = (state: EncounterState, action: EncounterAction, dice: ActionDice): ActionOutcome => {
  const done = perform(state, action, dice);
  if (done.state === state) return done;
  const settled = settleLasting(done.state);
  return {
    state: settled.state,
    result: { ...done.result, changes: [...done.result.changes, ...settled.changes] },
    events: [...done.events, ...settled.events],
  };
};

const perform = (state: EncounterState, action: EncounterAction, dice: ActionDice): ActionOutcome => {
  const { thrown, throwDice } = dice;
  if (state.over) throw new Refusal("encounter_over", "the encounter was ended", undefined);
  if (state.question !== undefined) return answer(state, action, dice);
  if ("reason" in action) {
    const mark = action.procedure === "impossible" ? markImpossible : markNoCheck;
    return { state, result: mark(action.reason), events: [] };
  }
  const actor = findActor(state, action.actor);
  if (isDead(actor)) throw unable(actor, "is dead");
  const effect = action.procedure === "attack" ? findEffect(actor, action.intent.weapon) : undefined;
  if (action.procedure === "attack" && effect !== undefined) {
    const { intent, scene } = action;
    const game = gameFor(state, actor, scene);
    const spent = spendEffect(spendAction(state, actor), actor, effect);
    const rolled = throwDice(thrown);
    const done = resolveEffect({ state, game, effect, target: intent.target, scene }, rolled);
    return applyParts(spent, { state, actor, game, bySheet: true, spell: undefined, dice: rolled }, done);
  }
  if (action.procedure !== "attack") {
    const rolled = throwDice(thrown);
    const result = resolveAction(gameFor(state, actor, action.scene), action, rolled);
    return applyResult(state, { actor, struck: undefined, hurt: actor.id, spell: undefined, dice: rolled }, result);
  }
  const { intent, scene } = action;
  return attack(state, { actor: actor.id, intent, scene, thrown, declined: [], halved: [] }, throwDice);
};

/** The attack as it would happen now. */
const planAttack = (state: EncounterState, waiting: WaitingAttack, throwDice: ActionDice["throwDice"]) => {
  const { intent, scene } = waiting;
  const actor = findActor(state, waiting.actor);
  const game = gameFor(state, actor, scene, usedWeapon(state, actor, intent));
  const spent = spendAttack(state, actor, { game, intent });
  const dice = throwDice(waiting.thrown);
  const parts = resolveAttackParts(game, intent, dice);
  const spell = intendedSpell(game, intent, weaponsAtHand(game));
  return { actor, game, intent, spent, parts, spell, dice, result: joinParts(game, parts, dice) };
};

/** Waits where somebody may react; happens otherwise. */
const attack = (state: EncounterState, waiting: WaitingAttack, throwDice: ActionDice["throwDice"]): ActionOutcome => {
  const planned = planAttack(state, waiting, throwDice);
  const { actor, game, spent, parts, result, spell, dice } = planned;
  if (result.impossible === true) return { state, result, events: [] };
  const open = findReactions(state, planned, waiting.declined);
  if (open.length > 0) {
    const question = { waiting, reactions: open };
    return { state: { ...state, question }, result: previewResult(result, open, state.edition), events: [] };
  }
  const dealt = parts.map((part) =>
    part.result.damage !== undefined && waiting.halved.includes(findTarget(game, part.target).id)
      ? { ...part, result: dodgeUncannily(part.result, state.edition) }
      : part,
  );
  const [only] = dealt;
  const joined = dealt.length === 1 && only !== undefined ? only.result : result;
  const done = applyParts(spent, { state, actor, game, bySheet: false, spell, dice }, { parts: dealt, result: joined });
  const harms = parts.some(({ target }) => isFoe(state, actor, findId(game, target)));
  const hiding = endHiding(done.state, state, { actor: actor.id, harms });
  return {
    state: hiding.state,
    result: { ...done.result, changes: [...done.result.changes, ...hiding.changes] },
    events: [...done.events, ...hiding.events],
  };
};

/** Nothing for the actor itself. */
const findId = (game: Game, target: string): string | undefined =>
  sameName(target, game.player.name) || sameName(target, "self") ? undefined : findTarget(game, target).id;

const isFoe = ({ creatures }: EncounterState, { side }: Creature, id: string | undefined): boolean =>
  creatures.some((one) => one.id === id && one.side !== side);

/** A reaction to the action that waits, or none; then it goes on. */
const answer = (
  { question, ...rest }: EncounterState,
  action: EncounterAction,
  { thrown, throwDice }: ActionDice,
): ActionOutcome => {
  const state: EncounterState = { ...rest, question: undefined };
  if (question === undefined) throw new RangeError("an answer needs a question");
  const { waiting, reactions } = question;
  if ("reason" in action) {
    if (action.procedure === "impossible") throw unanswered(question);
    return attack(state, { ...waiting, declined: [...waiting.declined, ...reactions] }, throwDice);
  }
  if (action.procedure !== "attack") throw unanswered(question);
  const { weapon } = action.intent;
  const reaction = chooseReaction(state, question, { actor: action.actor, weapon });
  const planned = planAttack(state, waiting, throwDice);
  const reacted = react(state, question, {
    reaction,
    slotLevel: action.scene.slotLevel,
    planned: planned.result,
    dice: throwDice(thrown),
  });
  const goesOn =
    reacted.stopped === undefined
      ? attack(reacted.state, reacted.waiting, throwDice)
      : stop(reacted.state, reacted.stopped, planned);
  return {
    ...goesOn,
    result: { ...goesOn.result, changes: [...reacted.changes, ...goesOn.result.changes] },
    events: [...reacted.events, ...goesOn.events],
  };
};

/** The turn is spent on what does not happen; an answer that is impossible spends nothing. */
const stop = (
  state: EncounterState,
  result: RollResult,
  { actor, game, intent, dice }: ReturnType<typeof planAttack>,
): ActionOutcome => {
  if (result.impossible === true) return { state, result, events: [] };
  const spent = spendAttack(state, actor, { game, intent });
  return applyResult(spent, { actor, struck: undefined, hurt: undefined, spell: undefined, dice }, result);
};

interface ActionTurn {
  /** Before the turn was spent. */
  readonly state: EncounterState;
  readonly actor: Creature;
  readonly game: Game;
  /** Characters took their damage with their own saves. */
  readonly bySheet: boolean;
  readonly spell: string | undefined;
  readonly dice: Dice;
}

/** What is done to each creature, one after the other. */
const applyParts = (
  spent: EncounterState,
  { state, actor, game, bySheet, spell, dice }: ActionTurn,
  { parts, result: joined }: { readonly parts: readonly AreaPart[]; readonly result: RollResult },
): ActionOutcome => {
  if (joined.impossible === true) return { state, result: joined, events: [] };
  const outcome = parts.reduce<ActionOutcome>(
    (before, { target, result }) => {
      const id = result.damage === undefined ? undefined : findTarget(game, target).id;
      const isOwn = bySheet && state.creatures.some((one) => one.id === id && one.kind === "character");
      const struck = isOwn ? undefined : id;
      const after = applyResult(before.state, { actor, struck, hurt: id, spell, dice }, result);
      return {
        state: after.state,
        result: { ...before.result, changes: [...before.result.changes, ...after.result.changes] },
        events: [...before.events, ...after.events],
      };
    },
    { state: spent, result: { ...joined, changes: [] }, events: [] },
  );
  return { ...outcome, result: { ...outcome.result, ...(joined.dice !== undefined && { dice: dice.record() }) } };
};

const magicalTraits = ["Magic Weapons", "Ki-Empowered Strikes", "Empowered Strikes"];

/** The weapon that an attack is made with, for creatures that only magic or a metal hurts; `undefined` for a spell and what rolls no attack. */
const usedWeapon = (state: EncounterState, actor: Creature, intent: AttackIntent): UsedWeapon | undefined => {
  const { edition } = state;
  const { sheet } = actor;
  const found = matchName(intent.weapon, weaponsAtHand({ player: sheet, edition }));
  if (found.kind !== "one" || intendedSpell({ player: sheet, edition }, intent, [found.found]) !== undefined)
    return undefined;
  const { name, bonus, unarmed } = found.found.value;
  const traits = [...actor.body.traits, ...sheet.features.map((feature) => feature.name)];
  const empowered = traits.some((trait) => trait === "Magic Weapons" || (unarmed && magicalTraits.includes(trait)));
  return { name, magical: bonus > 0 || empowered };
};

interface ActionParties {
  readonly actor: Creature;
  /** Id of the creature that was attacked. */
  readonly struck: string | undefined;
  /** Id of the creature that took the damage, by another's roll or its own. */
  readonly hurt: string | undefined;
  readonly spell: string | undefined;
  readonly dice: Dice;
}

const applyResult = (
  state: EncounterState,
  { actor, struck: target, hurt, spell, dice }: ActionParties,
  result: RollResult,
): ActionOutcome => {
  const struck = result.damage === undefined ? undefined : state.creatures.find(({ id }) => id === target);
  const wounds = struck?.kind === "character" ? characterWounds(state, struck, result) : { changes: [], events: [] };
  const changes = [
    ...result.changes.filter(
      (change) => struck?.kind !== "character" || change.id !== struck.id || !isHitPoints(change),
    ),
    ...wounds.changes,
  ].map((change) => ({ ...change, id: change.id ?? actor.id }));
  const after = applyChanges({ creatures: state.creatures, usedThisTurn: state.budget.used }, actor.id, changes);
  const dead = after.creatures.filter(
    (creature, index) => isDead(creature) && !isDead(state.creatures[index] ?? creature),
  );
  const deaths = dead
    .filter(({ sheet }) => !sheet.conditions.includes("Dead"))
    .map(({ id, sheet }): Change & { readonly id: string } => {
      return { who: sheet.name, id, field: "conditions", op: "add", value: "Dead", why: "at 0 hit points" };
    });
  const fallen = applyChanges(after, actor.id, deaths);
  const kept = keepConcentration({ ...state, creatures: fallen.creatures }, { hurt, damage: result.damage }, dice);
  const final = applyChanges(fallen, actor.id, kept.changes);
  const isOwnTurn = currentCreature(state).id === actor.id;
  return {
    state: {
      ...state,
      creatures: final.creatures,
      timers: addTimers(state.timers, beginTimers(state, changes, { actor, spell, dcOrAc: result.dcOrAc })),
      budget: isOwnTurn ? { ...state.budget, used: final.usedThisTurn } : state.budget,
    },
    result: { ...result, changes: [...changes, ...deaths, ...kept.changes] },
    events: [
      ...wounds.events,
      ...kept.events,
      ...dead.filter(({ kind }) => kind === "monster").map(({ sheet }) => `${sheet.name} dies`),
    ],
  };
};

const isHitPoints = ({ field }: Change): boolean => field === "currentHp" || field === "temporaryHp";

/** What damage that another creature dealt does to a character. */
const characterWounds = (
  state: EncounterState,
  struck: Creature,
  { damage }: RollResult,
): { readonly changes: readonly Change[]; readonly events: readonly string[] } => {
  const amount = damage?.totalDamage ?? 0;
  const game: Game = { edition: state.edition, rulings: state.rulings, player: struck.sheet, npcs: [], scene: noScene };
  const { changes, notes } = damageConsequences(game, amount, {
    crit: damage?.isCrit ?? false,
    trace: createTrace(state.edition),
  });
  return { changes: changes.map((change) => ({ ...change, id: struck.id })), events: notes };
};

/** Who concentrates and takes damage saves, unless the damage ended it already. */
const keepConcentration = (
  state: EncounterState,
  { hurt, damage }: { readonly hurt: string | undefined; readonly damage: RollResult["damage"] },
  dice: Dice,
): { readonly changes: readonly (Change & { readonly id: string })[]; readonly events: readonly string[] } => {
  const creature = state.creatures.find(({ id, kind }) => id === hurt && kind === "character");
  const amount = damage?.totalDamage ?? 0;
  const held = creature?.sheet.conditions.filter((one) => hasCondition({ conditions: [one] }, "Concentrating")) ?? [];
  if (creature === undefined || amount === 0 || held.length === 0) return { changes: [], events: [] };
  const { total, dcOrAc, success, changes } = resolveConcentration(gameFor(state, creature, noScene), amount, dice);
  const lost = success
    ? []
    : held.map(
        (value) =>
          ({ who: creature.sheet.name, field: "conditions", op: "remove", value, why: `${amount} damage` }) as const,
      );
  const ended = changes.filter(({ value }) => value !== "Concentrating");
  return {
    changes: [...ended, ...lost].map((change) => ({ ...change, id: creature.id })),
    events: [
      `${creature.sheet.name}'s save to keep concentrating: ${total} against DC ${dcOrAc}, ${success ? "kept" : "lost"}`,
    ],
  };
};
