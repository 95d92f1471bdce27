/**
 * What a number of samples says: a share or a mean, and the bounds of its 95 % confidence interval. Pure.
 *
 * The interval of a share is exact (Clopper and Pearson) for any number of samples. That of a mean is Student's: exact for values of a normal distribution, near it for others, and
 * without width where all samples are the same.
 */
import type { Simulation } from "@fairlead/contracts/rules";

type Estimate = Simulation["rounds"];

/** What is outside of the interval, on both sides together. */
const outside = 0.05;

/** Numbers of an answer are whole or text; four places, without those that are 0. */
const rounded = (number: number): string => String(Number(number.toFixed(4)));

export const shareEstimate = (count: number, samples: number): Estimate => ({
  value: rounded(count / samples),
  low: rounded(count === 0 ? 0 : betaQuantile(outside / 2, count, samples - count + 1)),
  high: rounded(count === samples ? 1 : betaQuantile(1 - outside / 2, count + 1, samples - count)),
});

/** Throws for less than two samples: they say nothing about how far the mean may be off. */
export const meanEstimate = (values: readonly number[]): Estimate => {
  const count = values.length;
  if (count < 2) throw new RangeError("the interval of a mean needs two samples");
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = studentQuantile(count - 1) * Math.sqrt(squares / (count - 1) / count);
  return { value: rounded(mean), low: rounded(mean - half), high: rounded(mean + half) };
};

/** Student's t, as far from 0 as leaves `outside` on both sides together: t of f degrees is outside by the beta distribution at f / (f + t²). */
const studentQuantile = (freedom: number): number => {
  const part = betaQuantile(outside, freedom / 2, 0.5);
  return Math.sqrt((freedom * (1 - part)) / part);
};

/** Halvings of the interval from 0 to 1; more change nothing in four places. */
const halvings = 50;

/** Where so much of the beta distribution is below. */
const betaQuantile = (below: number, a: number, b: number): number => {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (low + high) / 2;
    if (betaShare(middle, a, b) < below) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** The regularized incomplete beta function, by its continued fraction on the side where that ends soon. */
const betaShare = (x: number, a: number, b: number): number => {
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) + logGamma(a + b) - logGamma(a) - logGamma(b));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
};

/** Steps of the fraction; it needs about the root of the larger argument, which is 2,001 at most. */
const mostSteps = 500;
const precision = 1e-12;
const tiny = 1e-300;

/** Lentz's way to add up the fraction from its beginning. */
const fraction = (x: number, a: number, b: number): number => {
  const kept = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / kept(1 - ((a + b) * x) / (a + 1));
  let sum = d;
  for (let step = 1; step <= mostSteps; step += 1) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    sum *= d * c;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    sum *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return sum;
};

/** Stirling's series, on an argument that is large enough for it. */
const logGamma = (number: number): number => {
  let [shift, at] = [0, number];
  for (; at < 10; at += 1) shift += Math.log(at);
  const series = 1 / (12 * at) - 1 / (360 * at ** 3) + 1 / (1_260 * at ** 5) - 1 / (1_680 * at ** 7);
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift;
};
