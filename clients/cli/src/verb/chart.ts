/** The rows of a chart as text: each with its fraction, its percentage and a bar. Pure. */
import { type ChartRow, fractionText, largestRatio, partsFilled, percentText } from "@fairlead/contracts/view";
import { table } from "../terminal/table.ts";

/** Longest fraction that is shown, in characters; a longer one is left to `--json`. */
const longestFraction = 23;
const percentWidth = 9;
const longestBar = 32;
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

const bar = (length: number, isPossible: boolean): string => {
  const text = "█".repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? "");
  return text === "" && isPossible ? "▏" : text;
};

export const printBars = (rows: readonly ChartRow[]): string => {
  const largest = largestRatio(rows.map(({ ratio }) => ratio));
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return table(
    rows.map(({ name, ratio }) => {
      const fraction = fractionText(ratio);
      return [
        name.padStart(width),
        fraction.length <= longestFraction ? fraction : "…",
        percentText(ratio).padStart(percentWidth),
        bar(partsFilled(ratio, largest, longestBar * 8), ratio.over > 0n),
      ];
    }),
  );
};
