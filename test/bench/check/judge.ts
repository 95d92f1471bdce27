/**
 * Judges measured ratios by those that are recorded. Pure.
 *
 * A row fails when it has become dearer by more than the bound. It cannot be judged where the recorded ratio is of another Node or processor, or where
 * our rounds differ so much that the machine has not been quiet once. Not here: how it is measured (`check.ts`).
 */
import type { Row, SideName } from "./rows.ts";

/** What `docs/bench.json` holds. */
export interface Recorded {
  /** The major version of Node, and the processor. */
  readonly node: string;
  readonly arch: string;
  readonly recorded: string;
  /** Ratios by the names of rows. */
  readonly rows: Readonly<Record<string, number>>;
}

export interface Machine {
  readonly node: string;
  readonly arch: string;
}

/** Microseconds of every counted round of each side. */
export type Rounds = ReadonlyMap<SideName, readonly number[]>;

export interface Verdict {
  readonly name: string;
  readonly outcome: "kept" | "better" | "dearer" | "foreign" | "restless" | "not recorded";
  readonly ratio: number;
  readonly was: number | undefined;
  /** Why it was not judged. */
  readonly why?: string;
}

/** A row may become so many times as dear. */
export const bound = 1.15;

/** The second least round of ours is within this of the least, or the machine was never quiet. */
const quiet = 1.1;

const leastOf = (rounds: readonly number[]): number => Math.min(...rounds);

/** How far apart the two least rounds are. */
const spread = (rounds: readonly number[]): number => {
  const [least = Number.NaN, second = Number.NaN] = rounds.toSorted((a, b) => a - b);
  return second / least;
};

export const ratioIn = ({ side, limit }: Row, rounds: Rounds): number =>
  leastOf(rounds.get(side) ?? []) / leastOf(rounds.get(limit) ?? []);

export const judge = (rows: readonly Row[], rounds: Rounds, against: Recorded, machine: Machine): readonly Verdict[] =>
  rows.map((row) => {
    const { name } = row;
    const ratio = ratioIn(row, rounds);
    const was = against.rows[name];
    if (against.node !== machine.node || against.arch !== machine.arch) {
      const why = `recorded with Node ${against.node} on ${against.arch}, and this is Node ${machine.node} on ${machine.arch}`;
      return { name, outcome: "foreign", ratio, was, why };
    }
    if (was === undefined || !Number.isFinite(ratio)) return { name, outcome: "not recorded", ratio, was };
    if (ratio <= was / bound) return { name, outcome: "better", ratio, was };
    if (ratio <= was * bound) return { name, outcome: "kept", ratio, was };
    // What is beyond the bound by more than that may be the machine's is dearer, however restless it was.
    const unrest = spread(rounds.get(row.side) ?? []);
    if (unrest <= quiet || ratio > was * bound * unrest ** 2) return { name, outcome: "dearer", ratio, was };
    const found = (rounds.get(row.side) ?? []).toSorted((a, b) => a - b).slice(0, 2);
    const why = `the two least rounds of ${row.side} are ${found.map((micros) => micros.toFixed(1)).join(" and ")} us, so no round was quiet`;
    return { name, outcome: "restless", ratio, was, why };
  });

/** One line for people. */
export const toLine = ({ name, outcome, ratio, was, why }: Verdict): string => {
  const figures = `${ratio.toFixed(2)} (recorded ${was?.toFixed(2) ?? "nothing"})`;
  const more = was === undefined ? "" : `, ${Math.round((ratio / was - 1) * 100)} %`;
  switch (outcome) {
    case "kept":
      return `kept          ${name} ${figures}`;
    case "better":
      return `better        ${name} ${figures}${more}: record it, so that it is kept`;
    case "dearer":
      return `DEARER        ${name} ${figures}${more}, and at most 15 % is allowed`;
    case "foreign":
    case "restless":
      return `not judged    ${name} ${figures}: ${why}`;
    case "not recorded":
      return `NOT RECORDED  ${name} ${figures}: npm run bench -- --record`;
  }
};

export const isFailure = ({ outcome }: Verdict): boolean => outcome === "dearer" || outcome === "not recorded";
