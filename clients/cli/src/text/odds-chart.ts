/**
 * Exact odds as a small chart: one row an outcome, with its fraction, its percentage and a bar. Pure.
 *
 * Fractions are added as whole numbers of any length, so that the rows of a chart add up to 1 as exactly as the odds do.
 */
import type { Odds } from "@fairlead/contracts/rules";
import { table } from "../terminal/table.ts";

interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

const read = (fraction: string): Ratio => {
  const [over = "0", under = "1"] = fraction.split("/");
  return { over: BigInt(over), under: BigInt(under) };
};

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

const lowest = ({ over, under }: Ratio): Ratio => {
  const shared = divisor(over < 0n ? -over : over, under) || 1n;
  return { over: over / shared, under: under / shared };
};

const add = (a: Ratio, b: Ratio): Ratio =>
  lowest({ over: a.over * b.under + b.over * a.under, under: a.under * b.under });
const subtract = (a: Ratio, b: Ratio): Ratio => add(a, { over: -b.over, under: b.under });

/** Text of a fraction; a long one is left to `--json`. */
const shown = ({ over, under }: Ratio): string => {
  const text = under === 1n ? String(over) : `${over}/${under}`;
  return text.length <= longestFraction ? text : "…";
};

const longestFraction = 23;
const steps = 10_000n;

/** Hundredths of a percent, rounded half up. */
const hundredths = ({ over, under }: Ratio): bigint => (2n * over * steps + under) / (2n * under);

const percent = (ratio: Ratio): string => {
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

interface Row {
  readonly name: string;
  readonly ratio: Ratio;
}

const chart = (rows: readonly Row[]): string => {
  const largest = rows.reduce((best, { ratio }) => (ratio.over * best.under > best.over * ratio.under ? ratio : best), {
    over: 0n,
    under: 1n,
  });
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return table(
    rows.map(({ name, ratio }) => [name.padStart(width), shown(ratio), percent(ratio), bar(ratio, largest)]),
  );
};

/** Miss, hit and critical hit; failure and success where nothing crits. */
const outcomes = ({ success, crit }: Odds): readonly Row[] => {
  const passed = read(success.fraction);
  const critical = read(crit.fraction);
  const failed = subtract({ over: 1n, under: 1n }, passed);
  if (critical.over === 0n) {
    return [
      { name: "failure", ratio: failed },
      { name: "success", ratio: passed },
    ];
  }
  return [
    { name: "miss", ratio: failed },
    { name: "hit", ratio: subtract(passed, critical) },
    { name: "critical hit", ratio: critical },
  ];
};

const mostRows = 30;

/** One row a value, or a row for each few values where there are many; 0 damage keeps its own. */
const values = ({ distribution }: Odds): readonly Row[] => {
  const [zero, ...others] = distribution;
  const alone = zero?.value === 0 && others.length > 0;
  const spread = alone ? others : distribution;
  const first = spread[0]?.value ?? 0;
  const last = spread.at(-1)?.value ?? 0;
  const width = Math.ceil((last - first + 1) / mostRows);
  const rows = new Map<number, Ratio>();
  for (const { value, probability } of spread) {
    const group = Math.floor((value - first) / width);
    rows.set(group, add(rows.get(group) ?? { over: 0n, under: 1n }, read(probability.fraction)));
  }
  const grouped = [...rows].map(([group, ratio]) => {
    const from = first + group * width;
    const to = Math.min(last, from + width - 1);
    return { name: from === to ? String(from) : `${from} to ${to}`, ratio };
  });
  return alone ? [{ name: "0", ratio: read(zero.probability.fraction) }, ...grouped] : grouped;
};

const stances = {
  advantage: ", with advantage",
  disadvantage: ", with disadvantage",
  neither: "",
} as const;

export const oddsChart = (odds: Odds): string => {
  const mean = `mean ${Number(odds.mean.decimal)}, standard deviation ${Math.sqrt(Number(odds.variance.decimal)).toFixed(3)}`;
  return [
    `${odds.of} against ${odds.against}${stances[odds.stance]}`,
    ...(odds.notes === "" ? [] : [odds.notes]),
    "",
    chart(outcomes(odds)),
    "",
    `${odds.measured}: ${mean}`,
    chart(values(odds)),
  ].join("\n");
};
