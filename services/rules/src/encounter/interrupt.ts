/**
 * An action that waits because somebody may react to it. It is rolled again with the same dice when the answer is known, so nothing of it has to be kept but the call:
 * the same calls give the same fight.
 *
 * Not here: which reactions there are (`reaction.ts`).
 */
import type { Change, Game, RollResult } from "@fairlead/contracts/rules";
import { asTarget, type Creature } from "../creatures/creature.ts";
import type { Dice } from "../dice/source.ts";
import { armorClass } from "../plan/attack-bonus.ts";
import { resolveAbilityCheck } from "../resolve/check.ts";
import { resolveSavingThrow } from "../resolve/save.ts";
import { impossible } from "../result/mark.ts";
import { buildRawSummary } from "../result/raw.ts";
import { Refusal } from "../result/refusal.ts";
import { createTrace } from "../result/trace.ts";
import { shieldMark } from "../rules/shield-spell.ts";
import { castingAbility } from "../sheet/casting.ts";
import { abilityModifier, proficiencyBonus } from "../sheet/character.ts";
import { sameName } from "../sheet/names.ts";
import { applyChanges } from "./change.ts";
import { legendaryResistance, spendResistance } from "./legendary.ts";
import { counterspell, payReaction, uncannyDodge } from "./reaction.ts";
import { noScene } from "./scene.ts";
import {
  currentCreature,
  type EncounterState,
  findActor,
  gameFor,
  type Reaction,
  type ReactionQuestion,
  type WaitingAttack,
} from "./state.ts";
import { addTimers } from "./timer.ts";

/** What a caller does about a question. */
interface ReactionChoice {
  readonly actor?: string | undefined;
  readonly weapon: string;
}

/** What a reaction makes of the fight and of the action that waited; `stopped` is the result where the action does not happen. */
interface ReactionOutcome {
  readonly state: EncounterState;
  readonly waiting: WaitingAttack;
  readonly changes: readonly Change[];
  readonly events: readonly string[];
  readonly stopped?: RollResult;
}

export const unanswered = ({ reactions }: ReactionQuestion): Refusal<"unanswered_reaction"> => {
  const listed = reactions.map(({ actor, weapon }) => `${actor}: ${weapon}`).join(", ");
  return new Refusal("unanswered_reaction", `an action waits for a reaction, or for none: ${listed}`, {
    reactions: reactions.map(({ actor, weapon }) => ({ actor, weapon })),
  });
};

/** The reaction that is meant. Refuses with `unanswered_reaction` where it is none of them, or may be several. */
export const chooseReaction = (
  state: EncounterState,
  question: ReactionQuestion,
  { actor, weapon }: ReactionChoice,
): Reaction => {
  const meant = question.reactions.filter((one) => sameName(one.weapon, weapon));
  const fitting = actor === undefined ? meant : meant.filter((one) => one.actor === findActor(state, actor).id);
  const [only, ...more] = fitting;
  if (only === undefined || more.length > 0) throw unanswered(question);
  return only;
};

/** Rolls and pays for a reaction. `caster` is the game of the actor that is interrupted, `planned` its result so far. */
export const react = (
  state: EncounterState,
  question: ReactionQuestion,
  {
    reaction,
    slotLevel,
    planned,
    dice,
  }: {
    readonly reaction: Reaction;
    readonly slotLevel: number | undefined;
    readonly planned: RollResult;
    readonly dice: Dice;
  },
): ReactionOutcome => {
  const { waiting } = question;
  const creature = findActor(state, reaction.actor);
  const { name } = creature.sheet;
  if (reaction.weapon === uncannyDodge)
    return {
      ...spend(state, creature, []),
      waiting: { ...waiting, halved: [...waiting.halved, creature.id] },
      events: [`${name} uses ${uncannyDodge}`],
    };
  if (reaction.weapon === legendaryResistance)
    return {
      state: { ...state, creatures: state.creatures.map((one) => (one === creature ? spendResistance(one) : one)) },
      waiting: { ...waiting, resisted: [...waiting.resisted, creature.id] },
      changes: [],
      events: [`${name} uses ${legendaryResistance} and passes the save`],
    };
  const paid = payReaction(state, creature, { spell: reaction.weapon, slotLevel });
  if (!paid.ok) {
    const stopped = impossible(`${reaction.weapon} needs a spell slot: ${paid.why}`, state.edition);
    return { state: { ...state, question }, waiting, changes: [], events: [], stopped };
  }
  if (reaction.weapon === counterspell)
    return counter(state, waiting, { creature, level: paid.level, spends: paid.changes, planned, dice });
  const mark: Change = {
    who: name,
    id: creature.id,
    field: "conditions",
    op: "add",
    value: shieldMark,
    why: shieldMark,
  };
  const shielded = spend(state, creature, [...paid.changes, mark]);
  const after = findActor(shielded.state, creature.id);
  const { ac } = armorClass(asTarget(after), state.edition);
  const timer = {
    on: creature.id,
    field: "conditions",
    value: shieldMark,
    whose: creature.id,
    at: "start",
    left: 1,
  } as const;
  return {
    state: { ...shielded.state, timers: addTimers(shielded.state.timers, [timer]) },
    changes: shielded.changes,
    waiting,
    events: [`${name} casts ${shieldMark}: Armor Class ${ac} until the start of its next turn`],
  };
};

/** The state in which the reaction is used and its changes are made. */
const spend = (
  state: EncounterState,
  creature: Creature,
  changes: readonly Change[],
): Pick<ReactionOutcome, "state" | "changes"> => {
  const own = changes.map((change) => ({ ...change, id: change.id ?? creature.id }));
  const after = applyChanges({ creatures: state.creatures, usedThisTurn: state.budget.used }, creature.id, own);
  const isOwnTurn = currentCreature(state).id === creature.id;
  return {
    state: {
      ...state,
      creatures: after.creatures.map((one) => (one.id === creature.id ? { ...one, reaction: false } : one)),
      budget: isOwnTurn ? { ...state.budget, used: after.usedThisTurn } : state.budget,
    },
    changes: own.filter(({ field }) => field !== "scene.usedThisTurn" || isOwnTurn),
  };
};

interface Countering {
  readonly creature: Creature;
  /** Level of the slot. */
  readonly level: number;
  readonly spends: readonly Change[];
  readonly planned: RollResult;
  readonly dice: Dice;
}

/** The level that a result spends a slot of; 0 for a cantrip. */
const castLevel = ({ changes }: RollResult): number =>
  Math.max(0, ...changes.map(({ field }) => Number(/^spellSlotsUsed\.(\d)$/.exec(field)?.[1] ?? 0)));

/** 5.1: at once up to the level of the slot, else an ability check; 5.2: a Constitution save of the caster. */
const counter = (
  state: EncounterState,
  waiting: WaitingAttack,
  { creature, level, spends, planned, dice }: Countering,
): ReactionOutcome => {
  const caster = findActor(state, waiting.actor);
  const game = gameFor(state, creature, noScene);
  const rolled =
    state.edition === "5.2"
      ? saveOfCaster(state, { creature, caster }, dice)
      : level >= castLevel(planned)
        ? undefined
        : checkOfCounter(game, 10 + castLevel(planned), dice);
  const countered = rolled === undefined || (state.edition === "5.2" ? !rolled.success : rolled.success);
  const roller = state.edition === "5.2" ? caster : creature;
  const ended = (rolled?.changes ?? []).map((change) => ({ ...change, id: change.id ?? roller.id }));
  const spent = spend(state, creature, [...spends, ...ended]);
  const { name } = creature.sheet;
  const how = rolled === undefined ? `a slot of level ${level}` : `${rolled.total} against DC ${rolled.dcOrAc}`;
  const event = `${name} casts ${counterspell}, ${how}: the spell of ${caster.sheet.name} ${countered ? "fails" : "goes on"}`;
  const base = { ...spent, waiting, events: [event] };
  if (!countered) return base;
  return { ...base, stopped: counteredResult(state, { rolled, event, planned }) };
};

const checkOfCounter = (game: Game, dc: number, dice: Dice): RollResult => ({
  ...resolveAbilityCheck(game, { ability: castingAbility(game.player) ?? "intelligence", dc }, dice),
  claims: [],
});

const saveOfCaster = (
  state: EncounterState,
  { creature, caster }: { readonly creature: Creature; readonly caster: Creature },
  dice: Dice,
): RollResult => {
  const { sheet } = creature;
  const modifier = abilityModifier(sheet.stats[castingAbility(sheet) ?? "intelligence"]);
  const dc = 8 + proficiencyBonus(sheet) + modifier;
  const game = gameFor(state, caster, { ...noScene, magical: true });
  return { ...resolveSavingThrow(game, { ability: "constitution", dc, source: counterspell }, dice), claims: [] };
};

/** The spell that fails: 5.1 spends its slot, 5.2 does not. */
const counteredResult = (
  { edition }: EncounterState,
  {
    rolled,
    event,
    planned,
  }: { readonly rolled: RollResult | undefined; readonly event: string; readonly planned: RollResult },
): RollResult => {
  const trace = createTrace(edition);
  trace.add("success", "countered", { rule: "counterspell", why: event });
  const parsed = {
    checkType: counterspell,
    components: rolled?.components ?? "",
    dieResult: rolled?.dieResult ?? 0,
    totalModifier: rolled?.totalModifier ?? "+0",
    total: rolled?.total ?? 0,
    dcOrAc: rolled?.dcOrAc ?? "N/A",
    success: true,
    notes: event,
  };
  const kept = planned.changes.filter(({ field }) => edition === "5.1" && field.startsWith("spellSlotsUsed."));
  return {
    ...parsed,
    edition,
    raw: buildRawSummary(parsed),
    ...(rolled?.dice !== undefined && { dice: rolled.dice }),
    rules: [...(rolled?.rules ?? []), ...trace.list()],
    claims: [],
    changes: kept,
  };
};
