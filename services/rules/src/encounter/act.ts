/**
 * An action in an encounter: who may act now, and the roll by the same resolvers as a call by value.
 *
 * Not here: what its result makes of the fight (`apply.ts`), what an attack takes of a turn (`budget.ts`), and the order of turns (`turn.ts`).
 */
import type {
  AttackIntent,
  Game,
  RollResult,
  SavingThrowIntent,
  Scene,
  SkillCheckIntent,
} from "@fairlead/contracts/rules";
import { type Creature, isDead } from "../creatures/creature.ts";
import type { LegendaryAction } from "../data/monster-row.ts";
import type { Dice } from "../dice/source.ts";
import { joinParts } from "../resolve/area.ts";
import { resolveAttack, resolveAttackParts } from "../resolve/attack.ts";
import { resolveAbilityCheck, resolveSkillCheck } from "../resolve/check.ts";
import { resolveSavingThrow } from "../resolve/save.ts";
import { markImpossible, markNoCheck } from "../result/mark.ts";
import { Refusal } from "../result/refusal.ts";
import { sameName } from "../sheet/names.ts";
import { intendedSpell } from "../sheet/spell-name.ts";
import { findTarget } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import { type ActionOutcome, applyParts, applyResult } from "./apply.ts";
import { spendAction, spendAttack, unable } from "./budget.ts";
import { findEffect, resolveEffect, spendEffect } from "./effect.ts";
import { chooseReaction, react, unanswered } from "./interrupt.ts";
import { endHiding, settleLasting } from "./lasting.ts";
import { findLegendary, legendaryResistance, spendLegendary } from "./legendary.ts";
import { dodgeUncannily, findReactions, previewResult } from "./reaction.ts";
import { type CallDice, type EncounterState, findActor, gameFor, type WaitingAttack } from "./state.ts";
import { usedWeapon } from "./used-weapon.ts";

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
  const legendary = action.procedure === "attack" ? chooseLegendary(state, actor, action) : undefined;
  const effect =
    action.procedure === "attack" ? (legendary?.effect ?? findEffect(actor, action.intent.weapon)) : undefined;
  if (action.procedure === "attack" && effect !== undefined) {
    const { intent, scene } = action;
    const game = gameFor(state, actor, scene);
    const spent =
      legendary === undefined
        ? spendEffect(spendAction(state, actor), actor, effect)
        : spendLegendary(state, actor, legendary);
    const rolled = throwDice(thrown);
    const done = resolveEffect({ state, game, effect, target: intent.target, scene }, rolled);
    return applyParts(spent, { state, actor, game, effect, spell: undefined, dice: rolled }, done);
  }
  if (legendary !== undefined && legendary.attack === undefined) {
    const result = markNoCheck(`${actor.sheet.name} uses ${legendary.name}, which the rules here do not roll`);
    return { state: spendLegendary(state, actor, legendary), result, events: [] };
  }
  if (action.procedure !== "attack") {
    const rolled = throwDice(thrown);
    const result = resolveAction(gameFor(state, actor, action.scene), action, rolled);
    return applyResult(
      state,
      { actor, struck: undefined, hurt: actor.id, spell: undefined, effect: undefined, dice: rolled },
      result,
    );
  }
  const { intent: written, scene } = action;
  const intent = { ...written, weapon: legendary?.attack ?? written.weapon };
  const waiting = { actor: actor.id, intent, scene, thrown, declined: [], halved: [], resisted: [], legendary };
  return attack(state, waiting, throwDice);
};

/** A reaction is none, and neither is what is done in one's own turn. */
const chooseLegendary = (
  state: EncounterState,
  actor: Creature,
  { intent, scene }: { readonly intent: AttackIntent; readonly scene: Scene },
): LegendaryAction | undefined => (scene.attack === "action" ? findLegendary(state, actor, intent.weapon) : undefined);

/** What the attack takes of the turn. */
const pay = (
  state: EncounterState,
  {
    actor,
    game,
    intent,
    legendary,
  }: {
    readonly actor: Creature;
    readonly game: Game;
    readonly intent: AttackIntent;
    readonly legendary: LegendaryAction | undefined;
  },
): EncounterState =>
  legendary === undefined ? spendAttack(state, actor, { game, intent }) : spendLegendary(state, actor, legendary);

/** Those who use a Legendary Resistance, with its mark. */
const withResistance = (game: Game, resisted: readonly string[]): Game =>
  resisted.length === 0
    ? game
    : {
        ...game,
        npcs: game.npcs.map((npc) =>
          resisted.includes(npc.id) ? { ...npc, conditions: [...npc.conditions, legendaryResistance] } : npc,
        ),
      };

/** The attack as it would happen now. */
const planAttack = (state: EncounterState, waiting: WaitingAttack, throwDice: ActionDice["throwDice"]) => {
  const { intent, scene, legendary, resisted } = waiting;
  const actor = findActor(state, waiting.actor);
  const game = withResistance(gameFor(state, actor, scene, usedWeapon(state, actor, intent)), resisted);
  const spent = pay(state, { actor, game, intent, legendary });
  const dice = throwDice(waiting.thrown);
  const parts = resolveAttackParts(game, intent, dice);
  const spell = intendedSpell(game, intent, weaponsAtHand(game));
  return { actor, game, intent, legendary, spent, parts, spell, dice, result: joinParts(game, parts, dice) };
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
  const done = applyParts(
    spent,
    { state, actor, game, effect: undefined, spell, dice },
    { parts: dealt, result: joined },
  );
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
  { actor, game, intent, legendary, dice }: ReturnType<typeof planAttack>,
): ActionOutcome => {
  if (result.impossible === true) return { state, result, events: [] };
  const spent = pay(state, { actor, game, intent, legendary });
  return applyResult(
    spent,
    { actor, struck: undefined, hurt: undefined, spell: undefined, effect: undefined, dice },
    result,
  );
};
