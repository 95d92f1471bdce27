/**
 * `rules.simulateEncounter`: a whole fight, played many times with seeds that follow from one, and what the samples say with their confidence bounds. The work is done in slices of some
 * milliseconds; between them other calls run, and a call that is cancelled or out of time stops. The same input gives the same bytes.
 */
import { setImmediate as nextTurnOfLoop } from "node:timers/promises";
import type { Simulation, SimulationInput } from "@fairlead/contracts/rules";
import type { FindMonster } from "../creatures/monster.ts";
import { begin, newestState } from "../encounter/log.ts";
import { meanEstimate, shareEstimate } from "./interval.ts";
import { type FoughtSample, fightOnce } from "./sample.ts";
import { createRanking } from "./tactics.ts";
import { findChosenAttacks } from "./uses.ts";

/** Milliseconds of one slice; a single attack, or its exact odds, may take longer. */
const sliceMs = 8;

interface SimulationTools {
  readonly findMonster: FindMonster;
  readonly signal: AbortSignal;
  readonly seed: string;
}

/** Rejects with the signal's reason once it has fired; refuses as the start of a fight does, and names in `uses` that mean nothing in it. */
export const simulateEncounter = async (
  { samples: count, rounds, uses, ...input }: Omit<SimulationInput, "seed">,
  { findMonster, signal, seed }: SimulationTools,
): Promise<Simulation> => {
  const start = newestState(begin("simulation", { type: "start", seed, input }, findMonster).history);
  const ranking = createRanking(start, findChosenAttacks(start, uses));
  const samples: FoughtSample[] = [];
  let started = performance.now();
  while (samples.length < count) {
    const fight = fightOnce(input, { seed: `${seed}|${samples.length}`, rounds, ranking, findMonster });
    for (let turn = fight.next(); ; turn = fight.next()) {
      if (turn.done === true) {
        samples.push(turn.value);
        break;
      }
      if (performance.now() - started < sliceMs) continue;
      await nextTurnOfLoop();
      signal.throwIfAborted();
      started = performance.now();
    }
  }
  return summarize(samples, { edition: input.edition, seed });
};

const summarize = (
  samples: readonly FoughtSample[],
  { edition, seed }: Pick<Simulation, "edition" | "seed">,
): Simulation => {
  const won = (winner: FoughtSample["winner"]) =>
    shareEstimate(samples.filter((sample) => sample.winner === winner).length, samples.length);
  const ids = (samples[0]?.creatures ?? []).map(({ id, side }) => ({ id, side }));
  const ordered = ids.toSorted((a, b) => (a.side === b.side ? (a.id < b.id ? -1 : 1) : a.side === "party" ? -1 : 1));
  return {
    edition,
    seed,
    samples: samples.length,
    party: won("party"),
    foes: won("foes"),
    undecided: won("neither"),
    rounds: meanEstimate(samples.map((sample) => sample.rounds)),
    creatures: ordered.map(({ id, side }) => {
      const ends = samples.flatMap(({ creatures }) => creatures.filter((one) => one.id === id));
      return {
        id,
        side,
        standing: shareEstimate(ends.filter(({ standing }) => standing).length, samples.length),
        dead: shareEstimate(ends.filter(({ dead }) => dead).length, samples.length),
        hitPoints: meanEstimate(ends.map(({ hitPoints }) => hitPoints)),
      };
    }),
    assumed: [
      "each creature attacks the living enemy with the fewest hit points",
      "with what `uses` names, else with what has the highest exact mean damage against that enemy",
      "an effect like a breath is used whenever it is there, on two enemies",
      "no reactions, no healing, no movement: everybody is in reach of everybody",
    ],
  };
};
