/** Spell slots: how many there are, which one is spent, and the change that spends it. */
import type { Change } from "@fairlead/contracts/rules";
import { multiclassSlots } from "../data/classes.ts";
import type { Sheet } from "./character.ts";
import { classLevels } from "./class-levels.ts";

/** Slots by level: the sheet's, or the class table's when the sheet gives none. */
export const spellSlots = ({ player, edition }: Sheet): Readonly<Record<string, number>> =>
  Object.keys(player.spellSlots).length > 0 ? player.spellSlots : multiclassSlots([...classLevels(player)], edition);

const ownCount = (record: Readonly<Record<string, number>>, level: number): number =>
  Object.hasOwn(record, String(level)) ? (record[String(level)] ?? 0) : 0;

const freeSlots = (sheet: Sheet, level: number): number =>
  ownCount(spellSlots(sheet), level) - ownCount(sheet.player.spellSlotsUsed, level);

/** Slots left by level. */
export const slotsLeft = (sheet: Sheet): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.keys(spellSlots(sheet)).map((level) => [level, Math.max(0, freeSlots(sheet, Number(level)))]),
  );

type SlotChoice =
  | { readonly ok: true; readonly level: number; readonly change: Change }
  | { readonly ok: false; readonly why: string };

/** The requested slot, or the lowest free one of level `least` or higher. */
export const chooseSlot = (sheet: Sheet, requested: number | undefined, least: number): SlotChoice => {
  const { player } = sheet;
  if (requested !== undefined && requested < least)
    return { ok: false, why: `a slot of level ${least} or higher is needed` };
  const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((level) => level >= least && freeSlots(sheet, level) > 0);
  const level = requested === undefined ? levels[0] : levels.find((free) => free === requested);
  if (level === undefined) {
    return {
      ok: false,
      why: requested === undefined ? "no spell slot is left" : `no spell slot of level ${requested} is left`,
    };
  }
  const change: Change = {
    who: player.name,
    field: `spellSlotsUsed.${level}`,
    op: "set",
    value: ownCount(player.spellSlotsUsed, level) + 1,
    why: `a spell slot of level ${level} is spent`,
  };
  return { ok: true, level, change };
};
