/**
 * The state of an encounter, and what of it callers see. Pure data: every change makes another one.
 *
 * Not here: its version and its log (`log.ts`), which say how it came about.
 */
import type { AttackIntent, DiceInput, EncounterView, Game, Player, Scene } from "@fairlead/contracts/rules";
import { actionAttacks, asTarget, type Creature, isDying, type UsedWeapon } from "../creatures/creature.ts";
import type { LegendaryAction, MonsterEffect } from "../data/monster-row.ts";
import { armorClass } from "../plan/attack-bonus.ts";
import { Refusal } from "../result/refusal.ts";
import type { SheetedGame } from "../rules/defender.ts";
import { listHitDice } from "../sheet/hit-dice.ts";
import { matchName, sameName } from "../sheet/names.ts";
import { isAreaMark } from "../sheet/ongoing.ts";
import { slotsLeft } from "../sheet/spell-slots.ts";
import { creatureAliases } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";
import type { Timer } from "./timer.ts";

/** What is left of the turn. */
export interface TurnBudget {
  /** Attacks left in the action; `undefined` while the action is unspent. */
  readonly attacks: number | undefined;
  readonly bonus: boolean;
  /** Strikes left of Flurry of Blows. */
  readonly flurry: number;
  /** Rays left of the spell that was cast; `undefined` where nothing counts them. */
  readonly rays: number | undefined;
  /** What works once a turn and was used. */
  readonly used: readonly string[];
  /** Ids of others that have taken a legendary action in this turn. */
  readonly legendary: readonly string[];
}

/** What somebody may do about an action before it happens. */
export interface Reaction {
  /** Id of the creature that may react. */
  readonly actor: string;
  /** "Shield". */
  readonly weapon: string;
  /** What it would answer, in a few words. */
  readonly to: string;
}

/** Where the dice of a call come from: its own, or the encounter's seed split by the version. */
export interface CallDice {
  readonly version: number;
  readonly dice: DiceInput | undefined;
}

/** An attack or a spell that waits, as it was called. */
export interface WaitingAttack {
  /** Id of who attacks. */
  readonly actor: string;
  readonly intent: AttackIntent;
  readonly scene: Scene;
  readonly thrown: CallDice;
  /** Reactions that are not taken. */
  readonly declined: readonly Reaction[];
  /** Ids of those who take half of the damage. */
  readonly halved: readonly string[];
  /** Ids of those who pass a failed save. */
  readonly resisted: readonly string[];
  /** The legendary action that it is. */
  readonly legendary?: LegendaryAction | undefined;
}

/** Asked of the callers: does somebody react? */
export interface ReactionQuestion {
  readonly waiting: WaitingAttack;
  readonly reactions: readonly Reaction[];
}

export interface EncounterState {
  readonly edition: Game["edition"];
  readonly rulings: Game["rulings"];
  /** In initiative order. */
  readonly creatures: readonly Creature[];
  /** From 1. */
  readonly round: number;
  /** Index of the creature whose turn it is. */
  readonly turn: number;
  readonly budget: TurnBudget;
  readonly timers: readonly Timer[];
  /** Until it is answered nothing else happens. */
  readonly question: ReactionQuestion | undefined;
  readonly over: boolean;
}

export const freshBudget: TurnBudget = {
  attacks: undefined,
  bonus: true,
  flurry: 0,
  rays: undefined,
  used: [],
  legendary: [],
};

export const currentCreature = ({ creatures, turn }: EncounterState): Creature => {
  const creature = creatures[turn];
  if (creature === undefined) throw new RangeError(`no creature has turn ${turn}`);
  return creature;
};

/** Whoever is named, by id or a unique name; without a name, whoever has the turn. Refuses with `unknown_actor`. */
export const findActor = (state: EncounterState, name: string | undefined): Creature => {
  if (name === undefined) return currentCreature(state);
  const byId = state.creatures.find(({ id }) => sameName(id, name));
  if (byId !== undefined) return byId;
  const found = matchName(
    name,
    state.creatures.map((creature) => {
      const { name: kind } = creature.sheet;
      return { name: kind, aliases: creatureAliases({ id: creature.id, name: kind }), value: creature };
    }),
  );
  if (found.kind === "one") return found.found.value;
  const known = (found.kind === "several" ? found.found.map(({ value }) => value) : state.creatures).map(
    ({ id }) => id,
  );
  const problem = found.kind === "several" ? `${name} may be several creatures` : `no creature is called ${name}`;
  throw new Refusal("unknown_actor", `${problem}: ${known.slice(0, 40).join(", ")}`, {
    name,
    known: known.slice(0, 40),
  });
};

/** A hit of Sap leaves a condition on its target, which counts as an effect when that one attacks. */
const actingSheet = (sheet: Player): Player =>
  sheet.conditions.includes("Sapped") ? { ...sheet, effects: [...(sheet.effects ?? []), { name: "Sap" }] } : sheet;

/** The game as its actor sees it: everybody else is a creature that can be attacked. */
export const gameFor = (state: EncounterState, actor: Creature, scene: Scene, weapon?: UsedWeapon): SheetedGame => {
  const isOwnTurn = currentCreature(state).id === actor.id;
  const own = isOwnTurn
    ? state.budget.used
    : state.budget.used.filter((used) => isAreaMark({ player: actor.sheet }, used));
  return {
    edition: state.edition,
    rulings: state.rulings,
    player: actingSheet(actor.sheet),
    npcs: state.creatures.filter(({ id }) => id !== actor.id).map((creature) => asTarget(creature, weapon)),
    sheets: new Map(state.creatures.map(({ id, sheet }) => [id, sheet])),
    scene: { ...scene, usedThisTurn: [...scene.usedThisTurn, ...own] },
  };
};

const viewEffect = (
  { name, ability, dc, damage, onSuccess, recharge }: MonsterEffect,
  spent: readonly string[] = [],
) => ({
  name,
  ability,
  dc,
  ...(damage !== undefined && { dice: damage.dice }),
  ...(damage?.type !== undefined && { damageType: damage.type }),
  onSuccess,
  ...(recharge !== undefined && { recharge, ready: !spent.includes(name) }),
});

/** Slots and hit dice that a character has left. */
const viewResources = ({ kind, sheet }: Creature, edition: Game["edition"]) => {
  if (kind === "monster") return {};
  const slots = Object.entries(slotsLeft({ player: sheet, edition }));
  const dice = listHitDice(sheet);
  return {
    ...(slots.length > 0 && { slots: Object.fromEntries(slots) }),
    ...(dice.length > 0 && { hitDice: Object.fromEntries(dice.map(({ sides, left }) => [`d${sides}`, left])) }),
  };
};

const viewLegendary = ({ legendary }: Creature) =>
  legendary === undefined
    ? {}
    : {
        legendary: {
          left: legendary.left,
          actions: legendary.actions.map(({ name, cost = 1 }) => ({ name, cost })),
          resistances: legendary.resistances,
        },
      };

const viewTimers = ({ timers }: EncounterState, { id }: Creature) => {
  const own = timers.filter(({ on }) => on === id);
  if (own.length === 0) return {};
  return {
    ends: own.map(({ value, whose, at, left, again }) => ({
      name: value,
      turn: whose,
      at,
      left,
      ...(again !== undefined && { save: `${again.ability} DC ${again.dc}` }),
    })),
  };
};

/** What callers see of a question. */
export const viewQuestion = ({ question }: EncounterState) =>
  question === undefined ? {} : { reactions: question.reactions.map((reaction) => ({ ...reaction })) };

/** What callers see. */
export const viewEncounter = (
  handle: string,
  version: number,
  state: EncounterState,
  events: readonly string[] = [],
): EncounterView => {
  const current = currentCreature(state);
  const { budget } = state;
  return {
    encounter: handle,
    version,
    edition: state.edition,
    over: state.over,
    round: state.round,
    turn: current.id,
    actions: { attacks: budget.attacks ?? actionAttacks(current).attacks, bonus: budget.bonus },
    creatures: state.creatures.map((creature) => ({
      id: creature.id,
      name: creature.sheet.name,
      side: creature.side,
      initiative: creature.initiative,
      ac: armorClass(asTarget(creature), state.edition).ac,
      hp: creature.sheet.currentHP,
      maxHp: creature.sheet.maxHP,
      temporaryHp: creature.sheet.temporaryHP,
      conditions: [...creature.sheet.conditions],
      ...viewTimers(state, creature),
      ...(isDying(creature) && { deathSaves: { ...creature.deathSaves } }),
      reaction: creature.reaction,
      ...viewLegendary(creature),
      ...viewResources(creature, state.edition),
      attacks: weaponsAtHand({ player: creature.sheet, edition: state.edition }).map(({ name }) => name),
      ...(creature.effects !== undefined &&
        creature.effects.length > 0 && { effects: creature.effects.map((one) => viewEffect(one, creature.spent)) }),
    })),
    events: [...events],
    ...viewQuestion(state),
  };
};
