/** Spell slots: how many there are, which one is spent, and the change that spends it. */
import type { Change, Game } from "@fairlead/contracts/rules";
import { classSlots } from "../data/classes.ts";
import { fold } from "./names.ts";

type Owner = Pick<Game, "player" | "edition">;

/** Slots by level: the sheet's, or the class table's when the sheet gives none. */
export const spellSlots = ({ player, edition }: Owner): Readonly<Record<string, number>> =>
  Object.keys(player.spellSlots).length > 0
    ? player.spellSlots
    : classSlots(fold(player.characterClass), player.level, edition);

const ownCount = (record: Readonly<Record<string, number>>, level: number): number =>
  Object.hasOwn(record, String(level)) ? (record[String(level)] ?? 0) : 0;

export const freeSlots = (owner: Owner, level: number): number =>
  ownCount(spellSlots(owner), level) - ownCount(owner.player.spellSlotsUsed, level);

export type SlotChoice =
  | { readonly ok: true; readonly level: number; readonly change: Change }
  | { readonly ok: false; readonly why: string };

/** The requested slot, or the lowest free one of level `least` or higher. */
export const chooseSlot = (owner: Owner, wanted: number | undefined, least: number): SlotChoice => {
  const { player } = owner;
  if (wanted !== undefined && wanted < least) return { ok: false, why: `a slot of level ${least} or higher is needed` };
  const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9].filter((level) => level >= least && freeSlots(owner, level) > 0);
  const level = wanted === undefined ? levels[0] : levels.find((free) => free === wanted);
  if (level === undefined) {
    return {
      ok: false,
      why: wanted === undefined ? "no spell slot is left" : `no spell slot of level ${wanted} is left`,
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
