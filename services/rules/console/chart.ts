/** Bars and lines of charts, as numbers. Pure. */
import type { Odds } from "./api.ts";

export const chart = { width: 640, height: 200, left: 40, right: 8, top: 12, bottom: 26 } as const;

export const plot = {
  width: chart.width - chart.left - chart.right,
  height: chart.height - chart.top - chart.bottom,
} as const;

interface Bar {
  readonly value: number;
  readonly share: number;
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
}

/** The next of 1, 2 or 5 times a power of ten: a round end of an axis. */
export const roundUp = (most: number): number => {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most * 0.999999) ?? 10) * power;
};

/**
 * What is charted of it: a miss is so likely beside each amount of damage that nothing else would be seen, so it is said in words instead. `missed` is its
 * probability, where it is left out.
 */
export const chartedOutcomes = ({
  distribution,
  measured,
}: Pick<Odds, "distribution" | "measured">): { readonly charted: Odds["distribution"]; readonly missed: number } => {
  const [first, ...rest] = distribution;
  return measured === "damage" && first?.value === 0 && rest.length > 1
    ? { charted: rest, missed: Number(first.probability.decimal) }
    : { charted: distribution, missed: 0 };
};

/** One bar for each value, by its place on the axis: values that cannot happen leave a gap. */
export const distributionBars = (distribution: Odds["distribution"]): readonly Bar[] => {
  const shares = distribution.map(({ value, probability }) => ({ value, share: Number(probability.decimal) }));
  const first = shares[0]?.value ?? 0;
  const last = shares.at(-1)?.value ?? 0;
  const step = plot.width / (last - first + 1);
  const most = roundUp(Math.max(0, ...shares.map(({ share }) => share)));
  return shares.map(({ value, share }) => {
    const height = (share / most) * plot.height;
    return {
      value,
      share,
      x: chart.left + (value - first) * step + Math.min(2, step * 0.1),
      width: Math.max(0.5, step - Math.min(4, step * 0.2)),
      y: chart.top + plot.height - height,
      height,
    };
  });
};

/** At most so many labels, evenly apart. */
export const axisValues = (first: number, last: number, most = 12): readonly number[] => {
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => first + index * step);
};

export const percent = (share: number): string => {
  const hundredths = share * 100;
  if (hundredths === 0 || hundredths === 100) return `${hundredths} %`;
  return hundredths < 0.1 ? "< 0.1 %" : hundredths > 99.9 ? "> 99.9 %" : `${hundredths.toFixed(1)} %`;
};
