/** Stats as people read them, and what changed of them. Pure. */
import type { CuratedStat, WhatIf } from "./api.ts";

const compact = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export const statText = (value: number, unit: CuratedStat["unit"] = "number"): string => {
  const number = compact.format(value);
  switch (unit) {
    case "percent":
      return `${number} %`;
    case "per_second":
      return `${number}/s`;
    case "seconds":
      return `${number} s`;
    case "multiplier":
      return `×${new Intl.NumberFormat("en", { maximumFractionDigits: 2 }).format(value)}`;
    case "number":
      return number;
  }
};

export const signed = (value: number): string => `${value > 0 ? "+" : ""}${compact.format(value)}`;

export interface StatRow {
  readonly name: string;
  readonly label: string;
  readonly before: number | undefined;
  readonly after: number;
  readonly unit: CuratedStat["unit"];
  readonly verdict: "better" | "worse" | "same";
}

/** Stats by group, each with what it was when the build was loaded. */
export const statGroups = (
  now: readonly CuratedStat[],
  before: readonly CuratedStat[],
): readonly { readonly group: string; readonly rows: readonly StatRow[] }[] => {
  const then = new Map(before.map(({ name, value }) => [name, value]));
  const groups = new Map<string, StatRow[]>();
  for (const { name, label, value, unit, better, group } of now) {
    const old = then.get(name);
    const rows = groups.get(group) ?? [];
    groups.set(group, rows);
    rows.push({ name, label, before: old, after: value, unit, verdict: verdictFor(old, value, better) });
  }
  return [...groups].map(([group, rows]) => ({ group, rows }));
};

const verdictFor = (before: number | undefined, after: number, better: CuratedStat["better"]): StatRow["verdict"] => {
  if (before === undefined || Math.abs(after - before) < 1e-9) return "same";
  return after > before === (better === "higher") ? "better" : "worse";
};

export const changeText = (value: WhatIf["changes"][number]["old"]): string =>
  value === null ? "–" : typeof value === "number" ? compact.format(value) : value;

/** "enemyIsBoss=Pinnacle, usePowerCharges=true" as options; texts stay texts, `null` resets. */
export const parseConfig = (text: string): Readonly<Record<string, string | number | boolean | null>> =>
  Object.fromEntries(
    text
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each.includes("="))
      .map((each) => {
        const at = each.indexOf("=");
        return [each.slice(0, at).trim(), parseValue(each.slice(at + 1).trim())];
      }),
  );

const parseValue = (text: string): string | number | boolean | null => {
  if (text === "true" || text === "false") return text === "true";
  if (text === "null" || text === "") return null;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
};
