/**
 * Every possible roll of the dice, by running the resolver once for each: slow, and independent of the solver. For tests only.
 */
import type { RollResult } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { type Distribution, type Ratio, ratio, weighted } from "../odds/distribution.ts";

interface PossibleRoll<T> {
  readonly value: T;
  /** Product of the sides of the dice rolled: this one has the probability 1 / ways. */
  readonly ways: bigint;
}

interface Run {
  readonly result: RollResult;
  readonly ways: bigint;
}

/** All runs of a resolver. */
export const everyRun = (resolve: (dice: Dice) => RollResult): Run[] =>
  everyFall(resolve).map(({ value, ways }) => ({ result: value, ways }));

/** Every fall of the dice. `resolve` must be a pure function of the faces it draws. */
export const everyFall = <T>(resolve: (dice: Dice) => T): PossibleRoll<T>[] => {
  const runs: PossibleRoll<T>[] = [];
  let path: number[] = [];
  for (;;) {
    const sides: number[] = [];
    const draws: number[] = [];
    const purposes: string[] = [];
    const dice: Dice = {
      roll(count, purpose) {
        const face = path[draws.length] ?? 1;
        sides.push(count);
        draws.push(face);
        purposes.push(purpose);
        return face;
      },
      record: () => ({
        source: "values",
        madeBy: "caller",
        draws: draws.map((value, index) => ({
          sides: sides[index] ?? 2,
          value,
          purpose: purposes[index] ?? "",
          stream: "",
        })),
        unused: 0,
      }),
    };
    runs.push({ value: resolve(dice), ways: sides.reduce((product, count) => product * BigInt(count), 1n) });
    path = draws;
    while (path.length > 0 && path.at(-1) === sides[path.length - 1]) path = path.slice(0, -1);
    if (path.length === 0) return runs;
    path = path.with(-1, (path.at(-1) ?? 0) + 1);
  }
};

/** Shares over the common denominator of all runs. */
const common = (runs: readonly Run[]): bigint => runs.reduce((most, { ways }) => lcm(most, ways), 1n);

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));
const lcm = (a: bigint, b: bigint): bigint => (a / gcd(a, b)) * b;

export const runDistribution = (runs: readonly Run[], value: (result: RollResult) => number): Distribution => {
  const whole = common(runs);
  return weighted(runs.map(({ result, ways }) => [value(result), whole / ways] as const));
};

export const runChance = (runs: readonly Run[], test: (result: RollResult) => boolean): Ratio => {
  const whole = common(runs);
  return ratio(
    runs.reduce((sum, { result, ways }) => (test(result) ? sum + whole / ways : sum), 0n),
    whole,
  );
};
