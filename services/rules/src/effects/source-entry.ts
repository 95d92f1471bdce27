/** What on a sheet brings a rule: effects at work, marks among the conditions, features, worn items, and what was chosen with them. Not here: whether the rule counts on a roll (`apply.ts`). */
import type { DamageType, Game, Player } from "@fairlead/contracts/rules";
import {
  chosenOptions,
  conditionSources,
  type Effect,
  feature,
  hasCondition,
  hasFightingStyle,
} from "../sheet/character.ts";
import { fold, sameName } from "../sheet/names.ts";
import type { EffectRule } from "./rule.ts";

/** An effect's own entry has a die, a bonus, a skill and a target; other sources have none of it. */
export type SourceEntry = Partial<Pick<Effect, "die" | "bonus" | "skill" | "target" | "damageType">> &
  Pick<Effect, "name"> & { readonly field?: "conditions"; readonly chosen?: readonly string[] };

const inUse = /\((?:worn|attuned|equipped)[^()]*\)$/i;

const usedItems = ({ inventory = [] }: Player): readonly SourceEntry[] =>
  inventory.filter((item) => inUse.test(item)).map((item) => ({ name: item.slice(0, item.lastIndexOf("(")).trim() }));

/** "Ring of Resistance (fire)": the name, and what was chosen with it. */
const splitChoice = (written: string): readonly [name: string, chosen: string | undefined] => {
  const open = written.endsWith(")") ? written.lastIndexOf(" (") : -1;
  return open === -1 ? [written, undefined] : [written.slice(0, open), written.slice(open + 2, -1)];
};

/** A mark among the conditions, whatever it is of; "Fire Shield (warm)" is that one alone. */
const hasMark = (player: Player, name: string): boolean => {
  const [mark, chosen] = splitChoice(name);
  return chosen === undefined ? hasCondition(player, name) : conditionSources(player, mark).includes(fold(chosen));
};

/** The entries of the sheet that bring a rule. */
export const sourceEntries = ({ player }: Game, { source: { kind, name } }: EffectRule): readonly SourceEntry[] => {
  const named = (entries: readonly SourceEntry[]): readonly SourceEntry[] =>
    entries.flatMap((entry) => {
      const [written, chosen] = splitChoice(entry.name);
      if (sameName(entry.name, name)) return [entry];
      return chosen !== undefined && sameName(written, name) ? [{ ...entry, chosen: [fold(chosen)] }] : [];
    });
  const when = (holds: boolean): readonly SourceEntry[] => (holds ? [{ name }] : []);
  switch (kind) {
    case "always":
      return [{ name }];
    case "effect":
      return [
        ...named(player.effects ?? []),
        ...(hasMark(player, name)
          ? [{ name, field: "conditions", chosen: conditionSources(player, name) } as const]
          : []),
      ];
    case "item":
      return named([...(player.effects ?? []), ...usedItems(player)]);
    case "feature":
      return when(feature(player, name) !== undefined).map((entry) => ({
        ...entry,
        chosen: chosenOptions(player, name),
      }));
    case "style":
      return when(hasFightingStyle(player, name));
    case "condition":
      return when(hasCondition(player, name));
  }
};

/** The colors of dragons, whose damage a sheet may name by them. */
const dragonColors: Readonly<Partial<Record<DamageType, readonly string[]>>> = {
  acid: ["black", "copper"],
  cold: ["silver", "white"],
  fire: ["brass", "gold", "red"],
  lightning: ["blue", "bronze"],
  poison: ["green"],
};

/** Whether a type of damage was chosen with an entry. */
export const isChosen = (
  damageType: DamageType | undefined,
  { damageType: own, chosen = [] }: SourceEntry,
): boolean => {
  if (damageType === undefined) return false;
  const words = [damageType, ...(dragonColors[damageType] ?? [])];
  return own === damageType || chosen.some((option) => option.split(/\W+/).some((word) => words.includes(word)));
};
