/**
 * One simulated fight, from initiative until one side is down or the rounds are over, by the same calls as a kept fight. Reactions are not taken. It gives way between its turns, so that
 * whoever runs it can stop it. Not here: who does what (`tactics.ts`) and what many fights say (`simulate.ts`).
 */
import type { StartEncounterInput } from "@fairlead/contracts/rules";
import { type Creature, isDead } from "../creatures/creature.ts";
import type { FindMonster } from "../creatures/monster.ts";
import { advance, begin, type EncounterHistory, newestState } from "../encounter/log.ts";
import { noScene } from "../encounter/scene.ts";
import { currentCreature, type EncounterState } from "../encounter/state.ts";
import { isRefusal } from "../result/refusal.ts";
import { isUp, listStrikes, type Ranking, type Slices } from "./tactics.ts";

type Winner = "party" | "foes" | "neither";

/** What is left of a creature; its sheet is not kept, since there are thousands of samples. */
interface CreatureEnd extends Pick<Creature, "id" | "side"> {
  readonly standing: boolean;
  readonly dead: boolean;
  readonly hitPoints: number;
}

export interface FoughtSample {
  readonly winner: Winner;
  readonly rounds: number;
  /** As they are at the end, in initiative order. */
  readonly creatures: readonly CreatureEnd[];
}

interface SampleOptions {
  readonly seed: string;
  readonly rounds: number;
  readonly ranking: Ranking;
  readonly findMonster: FindMonster;
}

/** Calls of one turn, at most: attacks, rays, and tries that are refused. */
const mostCalls = 30;

/** Yields after each turn, and between the measurements of what a creature chooses from. */
export function* fightOnce(
  input: Omit<StartEncounterInput, "dice">,
  { seed, rounds, ranking, findMonster }: SampleOptions,
): Slices<FoughtSample> {
  let { history } = begin("simulation", { type: "start", seed, input }, findMonster);
  for (;;) {
    const state = newestState(history);
    const winner = findWinner(state);
    if (winner !== undefined || state.round > rounds)
      return {
        winner: winner ?? "neither",
        rounds: Math.min(rounds, state.round),
        creatures: state.creatures.map(endState),
      };
    history = yield* takeTurn(history, ranking);
    if (findWinner(newestState(history)) === undefined)
      history = forget(advance(history, { type: "end_turn" }).history);
    yield undefined;
  }
}

const endState = (creature: Creature): CreatureEnd => ({
  ...{ id: creature.id, side: creature.side, standing: isUp(creature), dead: isDead(creature) },
  hitPoints: creature.sheet.currentHP,
});

/** Nothing is undone here: only the newest state is kept. */
const forget = (history: EncounterHistory): EncounterHistory => ({ ...history, states: [newestState(history)] });

const findWinner = ({ creatures }: EncounterState): Winner | undefined => {
  const isSideUp = (side: Creature["side"]): boolean => creatures.some((one) => one.side === side && isUp(one));
  if (!isSideUp("foes")) return isSideUp("party") ? "party" : "neither";
  return isSideUp("party") ? undefined : "foes";
};

function* takeTurn(before: EncounterHistory, ranking: Ranking): Slices<EncounterHistory> {
  let history = before;
  for (let calls = 0; calls < mostCalls; calls += 1) {
    const next = yield* tryStrikes(history, ranking);
    if (next === undefined) return history;
    history = declineReactions(next);
    if (findWinner(newestState(history)) !== undefined) return history;
  }
  return history;
}

/** The first strike that the rules allow; `undefined` where none is left. */
function* tryStrikes(history: EncounterHistory, ranking: Ranking): Slices<EncounterHistory | undefined> {
  const state = newestState(history);
  const actor = currentCreature(state);
  if (!isUp(actor)) return undefined;
  for (const { weapon, target } of yield* listStrikes(state, ranking)) {
    try {
      const call = { procedure: "attack", intent: { weapon, target }, scene: noScene, actor: actor.id } as const;
      const { history: after, answer } = advance(history, { type: "act", action: call });
      if (!("impossible" in answer && answer.impossible === true)) return forget(after);
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      if (thrown.reason === "cannot_act" || thrown.reason === "out_of_turn") return undefined;
    }
  }
  return undefined;
}

/** Each answer may ask again. */
const declineReactions = (asked: EncounterHistory): EncounterHistory => {
  let history = asked;
  for (let calls = 0; calls < mostCalls && newestState(history).question !== undefined; calls += 1)
    history = forget(
      advance(history, { type: "act", action: { procedure: "noCheck", reason: "reactions are not simulated" } })
        .history,
    );
  return history;
};
