/** What a number of samples says: a share or a mean, and the bounds of its 95 % confidence interval. Pure. */
import type { Simulation } from "@fairlead/contracts/rules";

type Estimate = Simulation["rounds"];

/** Of the normal distribution, on both sides. */
const z95 = 1.959964;

/** Numbers of an answer are whole or text; four places, without those that are 0. */
const rounded = (number: number): string => String(Number(number.toFixed(4)));

/** Wilson's interval, which is inside 0 and 1 for any count. */
export const shareEstimate = (count: number, samples: number): Estimate => {
  const share = count / samples;
  const weight = z95 ** 2 / samples;
  const middle = (share + weight / 2) / (1 + weight);
  const half = (z95 / (1 + weight)) * Math.sqrt((share * (1 - share)) / samples + weight / (4 * samples));
  return {
    value: rounded(share),
    low: rounded(Math.max(0, Math.min(share, middle - half))),
    high: rounded(Math.min(1, Math.max(share, middle + half))),
  };
};

/** By the standard error of the mean; one sample has no width. */
export const meanEstimate = (values: readonly number[]): Estimate => {
  const count = Math.max(1, values.length);
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = count < 2 ? 0 : z95 * Math.sqrt(squares / (count - 1) / count);
  return { value: rounded(mean), low: rounded(mean - half), high: rounded(mean + half) };
};
