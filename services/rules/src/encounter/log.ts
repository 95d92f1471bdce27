/**
 * An encounter as the list of its calls. The state is what these calls make of nothing, one after the other; an undo takes the newest state away and is
 * a call itself, so versions only grow. Pure: the same calls give the same states and the same answers, byte for byte.
 *
 * Not here: where calls are stored (`store.ts`).
 */
import { createHash } from "node:crypto";
import type {
  DiceInput,
  EncounterProgress,
  EncounterView,
  RollResult,
  StartEncounterInput,
} from "@fairlead/contracts/rules";
import type { Creature } from "../creatures/creature.ts";
import type { FindMonster } from "../creatures/monster.ts";
import { type Dice, scriptedDice, seededDice } from "../dice/source.ts";
import { Refusal } from "../result/refusal.ts";
import { act, type EncounterAction } from "./act.ts";
import { type Rest, takeRest } from "./rest.ts";
import { noScene } from "./scene.ts";
import { startEncounter } from "./start.ts";
import { type EncounterState, viewEncounter, viewQuestion } from "./state.ts";
import { endEncounter, endTurn } from "./turn.ts";

/** A call as it is stored. A call without dice takes them from the encounter's own seed, split by the version. */
export type EncounterCall =
  | {
      readonly type: "start";
      readonly seed: string;
      readonly input: Omit<StartEncounterInput, "dice">;
      /** The party of an earlier fight that goes on, as it was then. */
      readonly survivors?: readonly Creature[] | undefined;
      readonly dice?: DiceInput | undefined;
    }
  | { readonly type: "act"; readonly action: EncounterAction; readonly dice?: DiceInput | undefined }
  | { readonly type: "end_turn"; readonly dice?: DiceInput | undefined }
  | ({ readonly type: "rest"; readonly dice?: DiceInput | undefined } & Rest)
  | { readonly type: "undo" }
  | { readonly type: "end" };

export interface EncounterHistory {
  readonly handle: string;
  readonly seed: string;
  /** Number of calls so far. */
  readonly version: number;
  /** States that an undo can go back to, the newest last. */
  readonly states: readonly EncounterState[];
}

/** The result of an action, and the encounter after it. */
export type EncounterActionResult = RollResult & { encounter: EncounterProgress };

export type EncounterAnswer = EncounterView | EncounterActionResult;

export interface AnsweredCall {
  readonly history: EncounterHistory;
  readonly answer: EncounterAnswer;
}

/** Of the answer's JSON. */
export const digest = (answer: EncounterAnswer): string =>
  createHash("sha256").update(JSON.stringify(answer)).digest("hex");

export const newestState = ({ states }: EncounterHistory): EncounterState => {
  const state = states.at(-1);
  if (state === undefined) throw new RangeError("an encounter has a state from its start on");
  return state;
};

const callDice = (dice: DiceInput | undefined, seed: string, version: number): Dice => {
  if (dice === undefined) return seededDice(seed, "server", `v${version}`);
  return "values" in dice ? scriptedDice(dice.values) : seededDice(String(dice.seed), "caller", dice.label);
};

/** The history and the answer after the first call. */
export const begin = (
  handle: string,
  { seed, input, survivors, dice }: Extract<EncounterCall, { readonly type: "start" }>,
  findMonster: FindMonster,
): AnsweredCall => {
  const state = startEncounter(input, callDice(dice, seed, 1), { findMonster, scene: noScene, survivors });
  return { history: { handle, seed, version: 1, states: [state] }, answer: viewEncounter(handle, 1, state) };
};

/** The history and the answer after a later call. Refuses as the call does; the history is then as it was. */
export const advance = (
  history: EncounterHistory,
  call: Exclude<EncounterCall, { readonly type: "start" }>,
): AnsweredCall => {
  const { handle, seed, states } = history;
  const version = history.version + 1;
  const state = newestState(history);
  const viewed = (next: readonly EncounterState[], events: readonly string[] = []): AnsweredCall => {
    const made = { ...history, version, states: next };
    return { history: made, answer: viewEncounter(handle, version, newestState(made), events) };
  };
  switch (call.type) {
    case "act": {
      const outcome = act(state, call.action, {
        thrown: { version, dice: call.dice },
        throwDice: (thrown) => callDice(thrown.dice, seed, thrown.version),
      });
      const { round, turn, creatures } = outcome.state;
      const progress = {
        id: handle,
        version,
        round,
        turn: creatures[turn]?.id ?? "",
        events: [...outcome.events],
        ...viewQuestion(outcome.state),
      };
      return {
        history: { ...history, version, states: [...states, outcome.state] },
        answer: { ...outcome.result, encounter: progress },
      };
    }
    case "end_turn": {
      const outcome = endTurn(state, callDice(call.dice, seed, version));
      return viewed([...states, outcome.state], outcome.events);
    }
    case "rest": {
      const outcome = takeRest(state, call, callDice(call.dice, seed, version));
      return viewed([...states, outcome.state], outcome.events);
    }
    case "undo":
      if (states.length < 2) throw new Refusal("nothing_to_undo", "nothing was done since the start", undefined);
      return viewed(states.slice(0, -1));
    case "end":
      if (state.over) throw new Refusal("encounter_over", "the encounter was ended already", undefined);
      return viewed([...states, endEncounter(state)]);
  }
};
