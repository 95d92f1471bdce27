/**
 * What a result makes of the fight: its changes, dropping and dying, deaths of monsters, the saves of those who concentrate, and the timers of what begins.
 *
 * Not here: who may act, and what it takes of the turn (`act.ts`).
 */
import type { Change, Game, RollResult } from "@fairlead/contracts/rules";
import { type Creature, isDead } from "../creatures/creature.ts";
import type { MonsterEffect } from "../data/monster-row.ts";
import type { Dice } from "../dice/source.ts";
import type { AreaPart } from "../resolve/area.ts";
import { resolveConcentration } from "../resolve/concentration.ts";
import { createTrace } from "../result/trace.ts";
import { damageConsequences } from "../rules/character-damage.ts";
import { hasCondition } from "../sheet/character.ts";
import { isAreaMark } from "../sheet/ongoing.ts";
import { findTarget } from "../sheet/target.ts";
import { applyChanges } from "./change.ts";
import { beginTimers, endByDamage } from "./lasting.ts";
import { noScene } from "./scene.ts";
import { currentCreature, type EncounterState, gameFor } from "./state.ts";
import { addTimers } from "./timer.ts";

export interface ActionOutcome {
  readonly state: EncounterState;
  readonly result: RollResult;
  /** What happened in addition, in sentences. */
  readonly events: readonly string[];
}

interface ActionTurn {
  /** Before the turn was spent. */
  readonly state: EncounterState;
  readonly actor: Creature;
  readonly game: Game;
  /** Characters took its damage with their own saves. */
  readonly effect: MonsterEffect | undefined;
  readonly spell: string | undefined;
  readonly dice: Dice;
}

/** What is done to each creature, one after the other. */
export const applyParts = (
  spent: EncounterState,
  { state, actor, game, effect, spell, dice }: ActionTurn,
  { parts, result: joined }: { readonly parts: readonly AreaPart[]; readonly result: RollResult },
): ActionOutcome => {
  if (joined.impossible === true) return { state, result: joined, events: [] };
  const outcome = parts.reduce<ActionOutcome>(
    (before, { target, result }) => {
      const id = result.damage === undefined ? undefined : findTarget(game, target).id;
      const isOwn = effect !== undefined && state.creatures.some((one) => one.id === id && one.kind === "character");
      const struck = isOwn ? undefined : id;
      const after = applyResult(before.state, { actor, struck, hurt: id, spell, effect, dice }, result);
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

interface ActionParties {
  readonly actor: Creature;
  /** Id of the creature that was attacked. */
  readonly struck: string | undefined;
  /** Id of the creature that took the damage, by another's roll or its own. */
  readonly hurt: string | undefined;
  readonly spell: string | undefined;
  readonly effect: MonsterEffect | undefined;
  readonly dice: Dice;
}

export const applyResult = (
  state: EncounterState,
  { actor, struck: target, hurt, spell, effect, dice }: ActionParties,
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
  const used = final.usedThisTurn.filter(
    (one, index) => isOwnTurn || index < state.budget.used.length || isAreaMark({ player: actor.sheet }, one),
  );
  const freed = endByDamage(
    { ...state, creatures: final.creatures },
    { hurt, by: actor, amount: result.damage?.totalDamage ?? 0 },
    dice,
  );
  return {
    state: {
      ...freed.state,
      timers: addTimers(
        freed.state.timers,
        beginTimers(state, changes, { actor, spell, effect, dcOrAc: result.dcOrAc }),
      ),
      budget: { ...state.budget, used },
    },
    result: { ...result, changes: [...changes, ...deaths, ...kept.changes, ...freed.changes] },
    events: [
      ...wounds.events,
      ...kept.events,
      ...freed.events,
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
