/**
 * Exact distributions over whole numbers: a weight for every value, over one common denominator. BigInt throughout, so nothing is
 * ever rounded. Not here: where the numbers come from.
 */

export interface Distribution {
  /** Sum of all weights. */
  readonly whole: bigint;
  /** Weights above 0, by value. */
  readonly weights: ReadonlyMap<number, bigint>;
}

/** An exact rational number in lowest terms, denominator above 0. */
export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? (a < 0n ? -a : a) : gcd(b, a % b));

export const ratio = (over: bigint, under: bigint): Ratio => {
  const shared = gcd(over, under);
  return { over: over / shared, under: under / shared };
};

export const certain = (value: number): Distribution => ({ whole: 1n, weights: new Map([[value, 1n]]) });

/** Weights added up by value; zero weights are left out. */
export const weighted = (pairs: Iterable<readonly [value: number, weight: bigint]>): Distribution => {
  const weights = new Map<number, bigint>();
  let whole = 0n;
  for (const [value, weight] of pairs) {
    if (weight === 0n) continue;
    weights.set(value, (weights.get(value) ?? 0n) + weight);
    whole += weight;
  }
  return { whole, weights };
};

/** A fair die. */
export const die = (sides: number): Distribution =>
  weighted(Array.from({ length: sides }, (_, index) => [index + 1, 1n] as const));

/** Each value replaced by another one; values that meet are added up. */
export const map = ({ weights }: Distribution, change: (value: number) => number): Distribution =>
  weighted([...weights].map(([value, weight]) => [change(value), weight]));

/** Sum of two independent numbers. */
export const sum = (a: Distribution, b: Distribution): Distribution => {
  const [small, large] = a.weights.size < b.weights.size ? [a, b] : [b, a];
  const weights = new Map<number, bigint>();
  for (const [value, weight] of small.weights) {
    for (const [other, otherWeight] of large.weights) {
      const total = value + other;
      weights.set(total, (weights.get(total) ?? 0n) + weight * otherWeight);
    }
  }
  return { whole: a.whole * b.whole, weights };
};

/** Sum of `count` independent numbers of one kind, by repeated doubling. */
export const times = (one: Distribution, count: number): Distribution => {
  if (count === 0) return certain(0);
  const half = times(one, Math.floor(count / 2));
  const even = sum(half, half);
  return count % 2 === 0 ? even : sum(even, one);
};

/** The highest, or the lowest, of `count` independent numbers of one kind. */
export const extreme = (one: Distribution, count: number, which: "highest" | "lowest"): Distribution => {
  const values = [...one.weights].sort(([a], [b]) => (which === "highest" ? a - b : b - a));
  const power = BigInt(count);
  const pairs: [number, bigint][] = [];
  let below = 0n;
  for (const [value, weight] of values) {
    pairs.push([value, (below + weight) ** power - below ** power]);
    below += weight;
  }
  return weighted(pairs);
};

/** One of several distributions, each taken with its share; shares are whole numbers over their sum. */
export const mixture = (parts: readonly { readonly share: bigint; readonly of: Distribution }[]): Distribution => {
  const used = parts.filter(({ share }) => share > 0n);
  const common = used.reduce((product, { of }) => product * (of.whole / gcd(product, of.whole)), 1n);
  return weighted(
    used.flatMap(({ share, of }) =>
      [...of.weights].map(([value, weight]) => [value, share * weight * (common / of.whole)] as const),
    ),
  );
};

/** Both together, over a common denominator: parts of a whole, whose weights need not add up to it. */
export const join = (a: Distribution, b: Distribution): Distribution => {
  const whole = a.whole * (b.whole / gcd(a.whole, b.whole));
  const weights = new Map<number, bigint>();
  for (const part of [a, b])
    for (const [value, weight] of part.weights)
      weights.set(value, (weights.get(value) ?? 0n) + weight * (whole / part.whole));
  return { whole, weights };
};

/** A part that comes `over` times in `under`. */
export const scale = ({ whole, weights }: Distribution, over: bigint, under: bigint): Distribution => ({
  whole: whole * under,
  weights: new Map([...weights].map(([value, weight]) => [value, weight * over])),
});

/** How much of the whole a part is. */
export const share = ({ whole, weights }: Distribution): Ratio =>
  ratio(
    [...weights.values()].reduce((all, weight) => all + weight, 0n),
    whole,
  );

/** Mean and variance, exact. */
export const moments = ({ whole, weights }: Distribution): { readonly mean: Ratio; readonly variance: Ratio } => {
  let first = 0n;
  let second = 0n;
  for (const [value, weight] of weights) {
    const number = BigInt(value);
    first += number * weight;
    second += number * number * weight;
  }
  return { mean: ratio(first, whole), variance: ratio(second * whole - first * first, whole * whole) };
};

/** Values in ascending order with their probabilities. */
export const listProbabilities = ({
  whole,
  weights,
}: Distribution): { readonly value: number; readonly probability: Ratio }[] =>
  [...weights].sort(([a], [b]) => a - b).map(([value, weight]) => ({ value, probability: ratio(weight, whole) }));
