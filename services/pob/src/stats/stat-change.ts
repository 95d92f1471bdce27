/** What a what-if changes, most important first: curated stats in their order, the others by how much they move. Pure. */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import { statRank } from "./stat-table.ts";

type StatValue = number | string;
export type StatChange = CallerOutput<(typeof pob)["procedures"]["luaCalcWith"]>["changes"][number];

/** Old and new value of each stat that differs; `null` where it does not exist. */
export type StatDifferences = Readonly<
  Record<string, { readonly old: StatValue | null; readonly new: StatValue | null }>
>;

export const sortChanges = (raw: StatDifferences, fields: readonly string[] | undefined): StatChange[] =>
  Object.entries(raw)
    .filter(([name]) => fields === undefined || fields.includes(name))
    .map(([name, { old, new: next }]) => ({
      name,
      old,
      new: next,
      delta: typeof old === "number" && typeof next === "number" ? next - old : null,
    }))
    .toSorted(
      (a, b) =>
        statRank(a.name) - statRank(b.name) || relativeChange(b) - relativeChange(a) || (a.name < b.name ? -1 : 1),
    );

/** The differences of two maps of stats. */
export const diffStats = (
  before: Readonly<Record<string, StatValue>>,
  after: Readonly<Record<string, StatValue>>,
): StatDifferences =>
  Object.fromEntries(
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((name) => before[name] !== after[name])
      .map((name) => [name, { old: before[name] ?? null, new: after[name] ?? null }]),
  );

/** How far a value moves in proportion to what it was. */
const relativeChange = ({ old, delta }: StatChange): number =>
  delta === null ? 0 : Math.abs(delta) / Math.max(Math.abs(typeof old === "number" ? old : 0), 1e-9);
