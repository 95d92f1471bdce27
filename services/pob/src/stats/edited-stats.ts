/** What an edit did to the stats: those before it and those after it, compared. */
import { diffStats, type StatChange, sortChanges } from "./stat-change.ts";

type Stats = Parameters<typeof diffStats>[0];

export interface EditedStats {
  /** The most important first. */
  readonly changes: StatChange[];
  /** How many there are in all. */
  readonly changed: number;
}

const mostShown = 40;

export const compareStats = (before: Stats, after: Stats): EditedStats => {
  const sorted = sortChanges(diffStats(before, after), undefined);
  return { changes: sorted.slice(0, mostShown), changed: sorted.length };
};
