/** Exact odds of a d20 test: every kept face with every total, from the plan that is also rolled. */
import { type BonusDie, countedFace, type D20Test, dieCount, flatModifier, stance } from "../rules/d20.ts";
import { type Distribution, die, extreme, weighted } from "./distribution.ts";

/** One possible result of the test. Its probability is its weight over the sum of all weights. */
interface Face {
  readonly natural: number;
  readonly total: number;
  readonly weight: bigint;
}

/** The kept face, before what it counts for. Luck rolls the first 1 again, once. */
const keptFaceDistribution = (test: D20Test): Distribution => {
  const count = dieCount(test);
  const which = stance(test) === "disadvantage" ? "lowest" : "highest";
  if (test.luck === undefined) return extreme(die(20), count, which);
  const pairs: [number, bigint][] = [];
  for (const faces of combinations(count)) {
    const unlucky = faces.indexOf(1);
    if (unlucky < 0) pairs.push([keepFace(faces, which), 20n]);
    else for (let again = 1; again <= 20; again += 1) pairs.push([keepFace(faces.with(unlucky, again), which), 1n]);
  }
  return weighted(pairs);
};

const keepFace = (faces: readonly number[], which: "highest" | "lowest"): number =>
  which === "highest" ? Math.max(...faces) : Math.min(...faces);

/** Every combination of `count` d20s: 20, 400 or 8,000. */
const combinations = (count: number): number[][] =>
  count === 0
    ? [[]]
    : combinations(count - 1).flatMap((faces) => Array.from({ length: 20 }, (_, index) => [...faces, index + 1]));

/** Every outcome. `fails` is used as when rolling, for dice that are only spent on a failure. */
export const solveD20 = (test: D20Test, fails: (die: number, total: number) => boolean): Face[] => {
  const flat = flatModifier(test);
  const start = [...keptFaceDistribution(test).weights].map(
    ([natural, weight]): Face => ({
      natural,
      total: countedFace(natural, test) + flat,
      weight,
    }),
  );
  return test.bonusDice.reduce((faces, bonus) => withBonus(faces, bonus, { test, fails }), start);
};

const withBonus = (
  faces: readonly Face[],
  { sides, sign, when }: BonusDie,
  { test, fails }: { readonly test: D20Test; readonly fails: (die: number, total: number) => boolean },
): Face[] => {
  const merged = new Map<string, Face>();
  const add = (face: Face): void => {
    const key = `${face.natural} ${face.total}`;
    merged.set(key, { ...face, weight: (merged.get(key)?.weight ?? 0n) + face.weight });
  };
  for (const face of faces) {
    const rolled = when === "always" || fails(countedFace(face.natural, test), face.total);
    if (!rolled) add({ ...face, weight: face.weight * BigInt(sides) });
    else for (let side = 1; side <= sides; side += 1) add({ ...face, total: face.total + sign * side });
  }
  return [...merged.values()];
};
