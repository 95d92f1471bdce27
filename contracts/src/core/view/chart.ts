/**
 * Shares of a whole as rows of a chart. Pure.
 *
 * Fractions are added as whole numbers of any length, so that the rows of a chart add up to 1 as exactly as what they show does.
 */
import type { VerbView } from "../verb.ts";
import { add, nothing, parseRatio, type Ratio, subtract, whole } from "./ratio.ts";
import { itemsAt, type Scope, valueAt } from "./scope.ts";

type Shares = Extract<VerbView, { readonly shares: unknown }>["shares"];
type Histogram = Extract<VerbView, { readonly histogram: unknown }>;

export interface ChartRow {
  readonly name: string;
  readonly ratio: Ratio;
}

/** A row for each named share. */
export const sharesRows = (scope: Scope, shares: Shares): readonly ChartRow[] =>
  shares.map(({ name, of, less }) => ({
    name,
    ratio: subtract(
      of === undefined ? whole : parseRatio(valueAt(scope, of)),
      less === undefined ? nothing : parseRatio(valueAt(scope, less)),
    ),
  }));

interface Share {
  readonly number: number;
  readonly ratio: Ratio;
}

/** A row for each number, or a row for each few numbers where there are many; 0 keeps its own. */
export const histogramRows = (scope: Scope, { histogram, number, share }: Histogram): readonly ChartRow[] => {
  const all = itemsAt(scope, histogram).map((value): Share => {
    const item = { ...scope, value };
    return { number: Number(valueAt(item, number)), ratio: parseRatio(valueAt(item, share)) };
  });
  const [zero, ...others] = all;
  if (zero === undefined) return [];
  const isApart = zero.number === 0 && others.length > 0;
  return isApart ? [{ name: "0", ratio: zero.ratio }, ...groupShares(others)] : groupShares(all);
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
