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

export const isLarger = (a: Ratio, b: Ratio): boolean => a.over * b.under > b.over * a.under;
