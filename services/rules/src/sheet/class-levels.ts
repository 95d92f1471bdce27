/** Levels by class: what a class's features count with, where `level` is the character's own (proficiency, cantrips). */
import type { Player } from "@fairlead/contracts/rules";
import { baseName, fold } from "./names.ts";

type ClassSheet = Pick<Player, "characterClass" | "classLevels" | "level">;

/** Levels by folded class name, in the order of the sheet: `classLevels`, or "Fighter 5/Rogue 3" as the class, or all levels in one class. */
export const classLevels = ({
  characterClass,
  classLevels: levels,
  level,
}: ClassSheet): ReadonlyMap<string, number> => {
  if (levels !== undefined && Object.keys(levels).length > 0)
    return new Map(Object.entries(levels).map(([name, count]) => [fold(baseName(name)), count]));
  const written = fold(baseName(characterClass))
    .split(/ ?[/,&+] ?/)
    .map((part) => /^([a-z]+) ([1-9]\d?)$/.exec(part));
  const read = written.flatMap((match) => (match === null ? [] : [[match[1] ?? "", Number(match[2])] as const]));
  return read.length === written.length ? new Map(read) : new Map([[fold(characterClass), level]]);
};

/** The levels in a class. A character of one class has all levels in it, whatever feature of another class the sheet lists. */
export const levelIn = (player: ClassSheet, characterClass: string): number => {
  const levels = classLevels(player);
  return levels.size > 1 ? (levels.get(characterClass) ?? player.level) : player.level;
};

export const hasClass = (player: ClassSheet, characterClass: string): boolean =>
  classLevels(player).has(characterClass);

/** "Fighter 5/Rogue 3", or "Rogue 5". */
export const classText = (player: ClassSheet): string => {
  const { classLevels: levels, characterClass, level } = player;
  if (levels !== undefined && Object.keys(levels).length > 0)
    return Object.entries(levels)
      .map(([name, count]) => `${name} ${count}`)
      .join("/");
  return classLevels(player).size > 1 ? characterClass : `${characterClass} ${level}`;
};
