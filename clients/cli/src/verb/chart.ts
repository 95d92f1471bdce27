/**
 * Shares of a whole as a small chart: one row each, with its fraction, its percentage and a bar. Pure.
 *
 * Fractions are added as whole numbers of any length, so that the rows of a chart add up to 1 as exactly as what they show does.
 */
import type { VerbView } from "@fairlead/contracts";
import { table } from "../terminal/table.ts";
import { add, isLarger, nothing, parseRatio, type Ratio, subtract, whole } from "./ratio.ts";
import { itemsAt, type Scope, valueAt } from "./scope.ts";

type Shares = Extract<VerbView, { readonly shares: unknown }>["shares"];
type Histogram = Extract<VerbView, { readonly histogram: unknown }>;

/** Longest fraction that is shown, in characters; a longer one is left to `--json`. */
const longestFraction = 23;

const fractionText = ({ over, under }: Ratio): string => {
  const text = under === 1n ? String(over) : `${over}/${under}`;
  return text.length <= longestFraction ? text : "…";
};

const steps = 10_000n;

/** Hundredths of a percent, rounded half up. */
const hundredths = ({ over, under }: Ratio): bigint => (2n * over * steps + under) / (2n * under);

const percentText = (ratio: Ratio): string => {
  const amount = hundredths(ratio);
  if (amount === 0n && ratio.over > 0n) return " < 0.01 %";
  if (amount === steps && ratio.over < ratio.under) return "> 99.99 %";
  return `${amount / 100n}.${String(amount % 100n).padStart(2, "0")} %`.padStart(9);
};

const longestBar = 32;
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"] as const;

const bar = (ratio: Ratio, largest: Ratio): string => {
  if (largest.over === 0n) return "";
  const length = Number((ratio.over * largest.under * BigInt(longestBar * 8)) / (ratio.under * largest.over));
  const text = "█".repeat(Math.floor(length / 8)) + (eighths[length % 8] ?? "");
  return text === "" && ratio.over > 0n ? "▏" : text;
};

interface ChartRow {
  readonly name: string;
  readonly ratio: Ratio;
}

const chart = (rows: readonly ChartRow[]): string => {
  const largest = rows.reduce((best, { ratio }) => (isLarger(ratio, best) ? ratio : best), nothing);
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return table(
    rows.map(({ name, ratio }) => [name.padStart(width), fractionText(ratio), percentText(ratio), bar(ratio, largest)]),
  );
};

/** A row for each named share. */
export const sharesChart = (scope: Scope, shares: Shares): string =>
  chart(
    shares.map(({ name, of, less }) => ({
      name,
      ratio: subtract(
        of === undefined ? whole : parseRatio(valueAt(scope, of)),
        less === undefined ? nothing : parseRatio(valueAt(scope, less)),
      ),
    })),
  );

interface Share {
  readonly number: number;
  readonly ratio: Ratio;
}

/** A row for each number, or a row for each few numbers where there are many; 0 keeps its own. */
export const histogramChart = (scope: Scope, { histogram, number, share }: Histogram): string | undefined => {
  const all = itemsAt(scope, histogram).map((value): Share => {
    const item = { ...scope, value };
    return { number: Number(valueAt(item, number)), ratio: parseRatio(valueAt(item, share)) };
  });
  const [zero, ...others] = all;
  if (zero === undefined) return undefined;
  const isApart = zero.number === 0 && others.length > 0;
  return chart(isApart ? [{ name: "0", ratio: zero.ratio }, ...groupShares(others)] : groupShares(all));
};

const mostRows = 30;

const groupShares = (shares: readonly Share[]): readonly ChartRow[] => {
  const first = shares[0]?.number ?? 0;
  const last = shares.at(-1)?.number ?? 0;
  const width = Math.ceil((last - first + 1) / mostRows);
  const rows = new Map<number, Ratio>();
  for (const { number, ratio } of shares) {
    const group = Math.floor((number - first) / width);
    rows.set(group, add(rows.get(group) ?? nothing, ratio));
  }
  return [...rows].map(([group, ratio]) => {
    const from = first + group * width;
    const to = Math.min(last, from + width - 1);
    return { name: from === to ? String(from) : `${from} to ${to}`, ratio };
  });
};
