/**
 * Damage dice: what one source will roll, as data, and the rolling of it. A critical hit doubles dice and never flat numbers.
 *
 * Not here: which sources apply (`weapon-damage.ts`, `sources/`), what the target's defences leave of it (`defences.ts`).
 */
import type { DamageLine, DamageType } from "@fairlead/contracts/rules";
import type { Dice } from "../dice/source.ts";
import { type Cause, signed, type Trace } from "../result/trace.ts";
import type { Modifier } from "./d20.ts";

export interface DamageSpec {
  /** "Rapier", "Sneak Attack": the line's label, its dice's purpose and their stream. */
  readonly label: string;
  readonly count: number;
  readonly sides: number;
  /** Flat numbers, each with its rule; never doubled. */
  readonly flats: readonly Modifier[];
  readonly damageType: DamageType | undefined;
  /** Why these dice. */
  readonly cause: Cause;
  /** Dice added on a critical hit, after doubling. */
  readonly onCrit?: readonly (Cause & { readonly dice: number })[];
  /** What becomes of 1s and 2s: rolled again once (5.1), or counted as 3 (5.2). */
  readonly low?: Cause & { readonly become: "rerolled" | "three" };
  /** The dice are rolled twice, and the better set counts. */
  readonly twice?: Cause;
}

/** Dice that a critical hit, or a plain one, rolls. */
export const diceCount = (spec: DamageSpec, crit: boolean): number =>
  crit && spec.count > 0 ? spec.count * 2 + (spec.onCrit ?? []).reduce((sum, { dice }) => sum + dice, 0) : spec.count;

export const flatDamage = ({ flats }: DamageSpec): number => flats.reduce((sum, { amount }) => sum + amount, 0);

/** A number that does not roll: the fixed damage of a blowgun, or a bonus of its own line. */
export const flatSpec = (spec: Omit<DamageSpec, "count" | "sides">): DamageSpec => ({ ...spec, count: 0, sides: 0 });

interface DamageRollOptions {
  readonly dice: Dice;
  readonly trace: Trace;
  readonly crit: boolean;
}

/** Rolls one line; `index` is its place in the breakdown. */
export const rollDamage = (spec: DamageSpec, index: number, { dice, trace, crit }: DamageRollOptions): DamageLine => {
  const at = `damage.breakdown[${index}]`;
  const count = diceCount(spec, crit);
  const written = count === 0 ? "" : `${count}d${spec.sides}`;
  if (count > 0) {
    trace.add(`${at}.dice`, `${spec.count}d${spec.sides}`, spec.cause);
    if (crit) {
      trace.add(`${at}.dice`, `${spec.count}d${spec.sides} becomes ${spec.count * 2}d${spec.sides}`, {
        rule: "critical-hit",
        why: "dice are doubled, flat numbers are not",
      });
      for (const { dice: extra, ...cause } of spec.onCrit ?? [])
        trace.add(`${at}.dice`, `+${extra}d${spec.sides}`, cause);
    }
  }
  const first = rollSet(spec, count, { dice, trace, crit }, at);
  const rolls = spec.twice === undefined || count === 0 ? first : betterSet(spec, first, { dice, trace, crit }, at);
  for (const { label: _, amount, ...cause } of spec.flats) {
    trace.add(`${at}.flatBonus`, signed(amount), cause);
  }
  const flatBonus = flatDamage(spec);
  return {
    label: spec.label,
    dice: written,
    rolls,
    flatBonus,
    subtotal: sum(rolls) + flatBonus,
    ...(spec.damageType !== undefined && { damageType: spec.damageType }),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

const rollSet = (spec: DamageSpec, count: number, { dice, trace }: DamageRollOptions, at: string): number[] =>
  Array.from({ length: count }, () => {
    const face = dice.roll(spec.sides, spec.label, `damage: ${spec.label}`);
    if (spec.low === undefined || face > 2) return face;
    const { become, ...cause } = spec.low;
    const counts =
      become === "three" ? 3 : dice.roll(spec.sides, `${spec.label}, rerolled`, `damage: ${spec.label} reroll`);
    trace.add(`${at}.rolls`, `${face} ${become === "three" ? "counts as" : "rolled again:"} ${counts}`, cause);
    return counts;
  });

const betterSet = (spec: DamageSpec, first: number[], rolling: DamageRollOptions, at: string): number[] => {
  const second = rollSet(spec, first.length, rolling, at);
  const better = sum(second) > sum(first) ? second : first;
  if (spec.twice !== undefined) {
    rolling.trace.add(`${at}.rolls`, `the better of ${sum(first)} and ${sum(second)}`, spec.twice);
  }
  return better;
};
