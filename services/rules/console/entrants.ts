/** Who fights, as somebody types it: "Aria, 3 Goblin, Ogre". A name of a sheet is that sheet, any other is a monster of the SRD. Pure. */
import type { TypedSheet } from "./sheet.ts";

export type Entrant = TypedSheet | string;

/** Of one name; the contract takes at most 50 foes in all. */
const mostOfOne = 50;

export const parseEntrants = (text: string, sheets: readonly TypedSheet[]): readonly Entrant[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .flatMap((each) => {
      const [, count = "1", name = each] = /^(\d{1,2})\s*[x×]?\s+(.+)$/.exec(each) ?? [];
      const sheet = sheets.find((known) => known.name.toLowerCase() === name.toLowerCase());
      return Array.from({ length: Math.min(mostOfOne, Math.max(1, Number(count))) }, () => sheet ?? name);
    });

/** "3 Goblin, Ogre", for people. */
export const countNames = (names: readonly string[]): string => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${count} ${name}`)).join(", ");
};
