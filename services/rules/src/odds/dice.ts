/**
 * Exact odds of plain dice: an expression, solved instead of rolled. Each die is thrown once in it, so that its parts are independent of each other.
 *
 * Not solved: what is done with dice after some were kept or added, as in `4d6e6kh3`.
 */
import type { DiceOdds } from "@fairlead/contracts/rules";
import {
  type DiceNode,
  type DiceOperation,
  diceRange,
  type Expression,
  type FaceSelector,
  formatExpression,
  keptInstead,
  matchesFace,
  mostExplosions,
  type Selector,
} from "../dice/expression.ts";
import { combine, readDice } from "../resolve/roll.ts";
import { Refusal } from "../result/refusal.ts";
import { certain, type Distribution, die, listProbabilities, map, moments, times, weighted } from "./distribution.ts";
import { toFraction } from "./fraction.ts";

/** Values of an answer, and steps of the work on one part. */
const most = { outcomes: 1_000, pairs: 250_000, steps: 2_000_000 } as const;

/** Refuses with `bad_notation`, `unsolved_dice` or `too_many_outcomes`. */
export const computeDiceOdds = (notation: string): DiceOdds => {
  const expression = readDice(notation);
  const spread = solve(expression);
  const { mean, variance } = moments(spread);
  return {
    notation: formatExpression(expression),
    mean: toFraction(mean),
    variance: toFraction(variance),
    distribution: listProbabilities(spread).map(({ value, probability }) => ({
      value,
      probability: toFraction(probability),
    })),
  };
};

const tooMany = (expression: Expression, outcomes: number): Refusal<"too_many_outcomes"> =>
  new Refusal("too_many_outcomes", `${formatExpression(expression)} has about ${outcomes} possible values`, {
    outcomes,
    most: most.outcomes,
  });

const unsolved = (node: DiceNode, operation: string): Refusal<"unsolved_dice"> => {
  const term = formatExpression(node);
  return new Refusal("unsolved_dice", `${term} can be rolled, but its exact odds are not solved: ${operation}`, {
    term,
  });
};

const solve = (expression: Expression): Distribution => {
  const solved = solveParts(expression);
  if (solved.weights.size > most.outcomes) throw tooMany(expression, solved.weights.size);
  return solved;
};

const solveParts = (expression: Expression): Distribution => {
  switch (expression.kind) {
    case "flat":
      return certain(expression.amount);
    case "dice":
      return solveDice(expression);
    case "group":
      return solve(expression.of);
    case "negative":
      return map(solve(expression.of), (value) => 0 - value);
    default: {
      const { kind } = expression;
      const left = solve(expression.left);
      const right = solve(expression.right);
      const work = left.weights.size * right.weights.size;
      if (work > most.pairs) throw tooMany(expression, work);
      return pairs(left, right, (a, b) => combine(kind, a, b));
    }
  }
};

const pairs = (a: Distribution, b: Distribution, value: (left: number, right: number) => number): Distribution =>
  weighted(
    [...a.weights].flatMap(([left, weight]) =>
      [...b.weights].map(([right, other]) => [value(left, right) + 0, weight * other] as const),
    ),
  );

const solveDice = (node: DiceNode): Distribution => {
  const { count, sides, operations } = node;
  const single = operations.findIndex(({ kind }) => !["always", "once", "least", "most"].includes(kind));
  const before = single < 0 ? operations : operations.slice(0, single);
  const last = single < 0 ? undefined : operations[single];
  if (single >= 0 && single < operations.length - 1)
    throw unsolved(node, "something is done after dice were kept, dropped or added");
  const one = before.reduce((faces, operation) => changeFace(faces, operation, sides), die(sides));
  const isCut = last?.kind === "keep" || last?.kind === "drop";
  const [, highest] = diceRange(node);
  const outcomes = highest - count + 1;
  if (!isCut && outcomes > most.outcomes) throw tooMany(node, outcomes);
  switch (last?.kind) {
    case "explode":
      return times(chain(one, { sides, selectors: last.selectors, left: mostExplosions }), count);
    case "add":
      return addOne(one, node, last.selectors);
    case "keep":
      return keep(one, node, last.selectors);
    case "drop":
      return drop(one, node, last.selectors);
    default:
      return times(one, count);
  }
};

const drop = (one: Distribution, node: DiceNode, selectors: readonly Selector[]): Distribution => {
  const { count } = node;
  const kept = keptInstead(selectors, count);
  if (kept !== undefined) return keep(one, node, kept.selectors);
  return selectors.every((selector) => "face" in selector)
    ? addUp(
        map(one, (face) => (matchesAny(selectors, face) ? 0 : face)),
        node,
      )
    : refuseMixed(node);
};

/** So many dice, of which each counts this; refused before the work is done. */
const addUp = (one: Distribution, node: DiceNode): Distribution => {
  const outcomes = node.count * Math.max(...one.weights.keys()) + 1;
  if (outcomes > most.outcomes) throw tooMany(node, outcomes);
  return times(one, node.count);
};

const refuseMixed = (node: DiceNode): never => {
  throw unsolved(node, "several dice are chosen by rank and by face at once");
};

/** One die after it is rerolled, or held between bounds. */
const changeFace = (faces: Distribution, operation: DiceOperation, sides: number): Distribution => {
  switch (operation.kind) {
    case "least":
      return map(faces, (face) => Math.max(face, operation.amount));
    case "most":
      return map(faces, (face) => Math.min(face, operation.amount));
    case "once":
      return rerolled(faces, operation.selectors, die(sides));
    case "always":
      return rerolled(
        faces,
        operation.selectors,
        weighted([...die(sides).weights].filter(([face]) => !matchesFace(operation.selectors, face))),
      );
    default:
      return faces;
  }
};

/** Faces that match are thrown again. */
const rerolled = (faces: Distribution, selectors: readonly FaceSelector[], again: Distribution): Distribution => {
  const thrown = [...faces.weights].reduce(
    (all, [face, weight]) => (matchesFace(selectors, face) ? all + weight : all),
    0n,
  );
  return weighted([
    ...[...faces.weights].flatMap(([face, weight]) =>
      matchesFace(selectors, face) ? [] : [[face, weight * again.whole] as const],
    ),
    ...[...again.weights].map(([face, share]) => [face, thrown * share] as const),
  ]);
};

/** The sum of a die and of those that it explodes into. */
const chain = (
  first: Distribution,
  {
    sides,
    selectors,
    left,
  }: { readonly sides: number; readonly selectors: readonly FaceSelector[]; readonly left: number },
): Distribution => {
  const next = left === 0 ? certain(0) : chain(die(sides), { sides, selectors, left: left - 1 });
  return weighted(
    [...first.weights].flatMap(([face, weight]) =>
      left > 0 && matchesFace(selectors, face)
        ? [...next.weights].map(([more, share]) => [face + more, weight * share] as const)
        : [[face, weight * next.whole] as const],
    ),
  );
};

/** One more die where any matches: all falls less those without a match. */
const addOne = (one: Distribution, { count, sides }: DiceNode, selectors: readonly FaceSelector[]): Distribution => {
  const without = times(weighted([...one.weights].filter(([face]) => !matchesFace(selectors, face))), count);
  const all = times(one, count);
  const fresh = die(sides);
  const matched = [...all.weights].map(
    ([value, weight]) => [value, weight - (without.weights.get(value) ?? 0n)] as const,
  );
  return weighted([
    ...[...without.weights].map(([value, weight]) => [value, weight * fresh.whole] as const),
    ...matched.flatMap(([value, weight]) =>
      [...fresh.weights].map(([face, share]) => [value + face, weight * share] as const),
    ),
  ]);
};

const matchesAny = (selectors: readonly Selector[], face: number): boolean =>
  selectors.some((selector) => "face" in selector && matchesFace([selector], face));

const keep = (one: Distribution, node: DiceNode, selectors: readonly Selector[]): Distribution => {
  const { count } = node;
  if (selectors.every((selector) => "face" in selector))
    return addUp(
      map(one, (face) => (matchesAny(selectors, face) ? face : 0)),
      node,
    );
  const [only, ...more] = selectors;
  if (only === undefined || "face" in only || more.length > 0) return refuseMixed(node);
  const outcomes = only.count * Math.max(...one.weights.keys()) + 1;
  if (outcomes > most.outcomes || one.weights.size * count ** 2 * outcomes > most.steps) throw tooMany(node, outcomes);
  return keepRanked(one, count, only);
};

/** How many dice are placed, and the sum of those kept, by text "placed sum". */
type DiceCounts = Map<number, Map<number, bigint>>;

/** Faces from the one that is kept first: so many dice show it, in so many ways; dice after the kept ones add nothing. */
const keepRanked = (
  one: Distribution,
  count: number,
  { which, count: kept }: Extract<Selector, { readonly count: number }>,
): Distribution => {
  const faces = [...one.weights].sort(([a], [b]) => (which === "highest" ? b - a : a - b));
  let placed: DiceCounts = new Map([[0, new Map([[0, 1n]])]]);
  for (const [face, weight] of faces) placed = placeFace(placed, { face, weight, count, kept });
  return weighted([...(placed.get(count) ?? new Map<number, bigint>())]);
};

const placeFace = (
  before: DiceCounts,
  {
    face,
    weight,
    count,
    kept,
  }: { readonly face: number; readonly weight: bigint; readonly count: number; readonly kept: number },
): DiceCounts => {
  const after: DiceCounts = new Map();
  for (const [done, sums] of before) {
    let ways = 1n;
    for (let more = 0; done + more <= count; more += 1) {
      if (more > 0) ways = (ways * weight * BigInt(count - done - more + 1)) / BigInt(more);
      const adds = face * Math.max(0, Math.min(more, kept - done));
      const target = after.get(done + more) ?? new Map<number, bigint>();
      after.set(done + more, target);
      for (const [value, share] of sums) target.set(value + adds, (target.get(value + adds) ?? 0n) + share * ways);
    }
  }
  return after;
};
