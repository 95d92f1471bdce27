/** The end of a turn, and whose turn is next: the dead are passed over, and the dying make their death save and are passed over unless they wake. */
import type { Game } from "@fairlead/contracts/rules";
import { type Creature, isDead, isDying } from "../creatures/creature.ts";
import type { Dice } from "../dice/source.ts";
import { rollDeathSave } from "../resolve/death-save.ts";
import { Refusal } from "../result/refusal.ts";
import { applyChanges } from "./change.ts";
import { rechargeEffects } from "./effect.ts";
import { unanswered } from "./interrupt.ts";
import { saveAgain, settleLasting } from "./lasting.ts";
import { regainLegendary } from "./legendary.ts";
import { noScene } from "./scene.ts";
import { currentCreature, type EncounterState, freshBudget } from "./state.ts";
import { countTurn, removal } from "./timer.ts";

interface TurnOutcome {
  readonly state: EncounterState;
  readonly events: readonly string[];
}

/** Refuses with `encounter_over` or `unanswered_reaction`. */
export const endTurn = (before: EncounterState, dice: Dice): TurnOutcome => {
  if (before.over) throw new Refusal("encounter_over", "the encounter was ended", undefined);
  if (before.question !== undefined) throw unanswered(before.question);
  const events: string[] = [];
  let state = before;
  for (let passed = 0; passed < before.creatures.length; passed += 1) {
    const saved = saveAgain(state, currentCreature(state), dice);
    const ended = passTime(saved.state, "end");
    const begun = passTime(nextTurn(ended.state), "start");
    const settled = settleLasting(begun.state);
    state = settled.state;
    events.push(...saved.events, ...ended.events, ...begun.events, ...settled.events);
    const creature = state.creatures[state.turn];
    if (creature === undefined || isDead(creature)) continue;
    if (!isDying(creature)) {
      const ready = rechargeEffects(creature, dice);
      events.push(...ready.events);
      state = { ...state, creatures: state.creatures.map((one) => (one.id === creature.id ? ready.creature : one)) };
      break;
    }
    const dying = makeDeathSave(state, creature, dice);
    state = dying.state;
    events.push(...dying.events);
    if ((dying.state.creatures[state.turn]?.sheet.currentHP ?? 0) > 0) break;
  }
  return { state, events };
};

/** What ends with the turn of whoever has it. */
const passTime = (state: EncounterState, at: "start" | "end"): TurnOutcome => {
  const { id } = currentCreature(state);
  const { timers, ended } = countTurn(state, id, at);
  if (timers.length === state.timers.length) return { state: { ...state, timers }, events: [] };
  const { creatures } = applyChanges({ creatures: state.creatures, usedThisTurn: [] }, id, ended);
  return {
    state: { ...state, timers, creatures },
    events: ended.map(({ who, value }) => `${value} of ${who} is over`),
  };
};

/** The fight after its end: what lasts some turns of it is over, and no action waits. */
export const endEncounter = (state: EncounterState): EncounterState => {
  const ended = state.timers.flatMap((timer) => removal(timer, state.creatures) ?? []);
  const { creatures } = applyChanges({ creatures: state.creatures, usedThisTurn: [] }, "", ended);
  return { ...state, creatures, timers: [], question: undefined, over: true };
};

/** A creature has its reaction back when its turn begins. */
const nextTurn = (state: EncounterState): EncounterState => {
  const turn = (state.turn + 1) % state.creatures.length;
  return {
    ...state,
    turn,
    round: turn === 0 ? state.round + 1 : state.round,
    budget: freshBudget,
    creatures: state.creatures.map((one, index) =>
      index === turn ? { ...regainLegendary(one), reaction: true } : one,
    ),
  };
};

const makeDeathSave = (state: EncounterState, creature: Creature, dice: Dice): TurnOutcome => {
  const { edition, rulings } = state;
  const game: Game = { edition, rulings, player: creature.sheet, npcs: [], scene: noScene };
  const saved = rollDeathSave(
    { edition, game, ...creature.deathSaves, advantage: false, disadvantage: false, bonus: 0 },
    dice,
  );
  const { successes, failures, notes, natural, changes } = saved;
  const { creatures } = applyChanges({ creatures: state.creatures, usedThisTurn: [] }, creature.id, changes);
  return {
    state: {
      ...state,
      creatures: creatures.map((one) =>
        one.id === creature.id ? { ...one, deathSaves: { successes, failures } } : one,
      ),
    },
    events: [`${creature.sheet.name}'s death save, ${natural}: ${notes}`],
  };
};
