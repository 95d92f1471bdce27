/** Exact fractions of whole numbers of any length, read from texts like `13/20`. Pure. */

export interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

export const whole: Ratio = { over: 1n, under: 1n };
export const nothing: Ratio = { over: 0n, under: 1n };

/** A fraction in text; nothing where it is none. */
export const parseRatio = (text: unknown): Ratio => {
  const [, over, under = "1"] = /^(-?\d+)(?:\/([1-9]\d*))?$/.exec(String(text)) ?? [];
  return over === undefined ? nothing : { over: BigInt(over), under: BigInt(under) };
};

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

const reduce = ({ over, under }: Ratio): Ratio => {
  const shared = divisor(over < 0n ? -over : over, under) || 1n;
  return { over: over / shared, under: under / shared };
};

export const add = (a: Ratio, b: Ratio): Ratio =>
  reduce({ over: a.over * b.under + b.over * a.under, under: a.under * b.under });
export const subtract = (a: Ratio, b: Ratio): Ratio => add(a, { over: -b.over, under: b.under });

const isLarger = (a: Ratio, b: Ratio): boolean => a.over * b.under > b.over * a.under;

const steps = 10_000n;

/** Hundredths of a percent, rounded half up. */
const hundredths = ({ over, under }: Ratio): bigint => (2n * over * steps + under) / (2n * under);

/** `35.00 %`. What is hardly possible is not called impossible, and what is nearly certain not certain. */
export const percentText = (ratio: Ratio): string => {
  const amount = hundredths(ratio);
  if (amount === 0n && ratio.over > 0n) return "< 0.01 %";
  if (amount === steps && ratio.over < ratio.under) return "> 99.99 %";
  return `${amount / 100n}.${String(amount % 100n).padStart(2, "0")} %`;
};

export const fractionText = ({ over, under }: Ratio): string => (under === 1n ? String(over) : `${over}/${under}`);

/** How many of `parts` equal parts of the largest one it fills, from 0 to `parts`. */
export const partsFilled = (ratio: Ratio, largest: Ratio, parts: number): number =>
  largest.over === 0n ? 0 : Number((ratio.over * largest.under * BigInt(parts)) / (ratio.under * largest.over));

export const largestRatio = (ratios: readonly Ratio[]): Ratio =>
  ratios.reduce((best, ratio) => (isLarger(ratio, best) ? ratio : best), nothing);
