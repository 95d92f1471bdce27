/**
 * What a creature's defences leave of damage: grouped by type, never below 0, then adjustments (what effects add or take off), then resistance (halved, rounded
 * down), then vulnerability (doubled); immunity leaves nothing. Several resistances to one type count once. Both editions use this order. An adjustment that names no type is of
 * the first type that the blow deals.
 */
import type { DamageDealt, DamageLine, DamageType } from "@fairlead/contracts/rules";
import { type Cause, signed, type Trace } from "../result/trace.ts";
import type { Modifier } from "./d20.ts";
import type { Defender } from "./defender.ts";

interface Defence {
  readonly immune: Cause | undefined;
  readonly resistant: Cause | undefined;
  readonly vulnerable: Cause | undefined;
  /** Added before anything is halved. */
  readonly adjustments: readonly Modifier[];
}

const listedCause = (
  list: readonly DamageType[],
  type: DamageType | undefined,
  rule: Cause["rule"],
  why: string,
): Cause | undefined => (type !== undefined && list.includes(type) ? { rule, why } : undefined);

const blows: readonly (DamageType | undefined)[] = ["bludgeoning", "piercing", "slashing"];

/** Against weapons that are neither magical nor of the metal that it minds. */
const plainWeaponCause = (defender: Defender, type: DamageType | undefined): Cause | undefined => {
  const { nonmagical, byPlainWeapon, weapon, name } = defender;
  if (nonmagical === undefined || !byPlainWeapon || !blows.includes(type)) return undefined;
  const { unless, defence } = nonmagical;
  if (unless !== undefined && weapon.toLowerCase().includes(unless)) return undefined;
  const except = unless === undefined ? "" : `, nor ${unless}`;
  return { rule: defence, why: `${name} has ${defence} to blows that are not magical${except}` };
};

/** What the creature has against a type; `first` of the types of one blow. Untyped damage meets what names no type. */
export const defenceAgainst = (defender: Defender, type: DamageType | undefined, first = true): Defence => {
  const { name, nonmagical } = defender;
  const plain = plainWeaponCause(defender, type);
  const at = defender.at(type, first);
  return {
    immune:
      listedCause(defender.immunities, type, "immunity", `${name} is immune to ${type}`) ??
      (nonmagical?.defence === "immunity" ? plain : undefined) ??
      at.immunity,
    resistant:
      listedCause(defender.resistances, type, "resistance", `${name} resists ${type}`) ??
      (nonmagical?.defence === "resistance" ? plain : undefined) ??
      at.resistance,
    vulnerable:
      listedCause(defender.vulnerabilities, type, "vulnerability", `${name} is vulnerable to ${type}`) ??
      at.vulnerability,
    adjustments: at.modifiers,
  };
};

/** An amount of 0 or more with what is added and taken off; nothing is added where nothing was dealt. */
const adjust = (amount: number, { adjustments }: Defence): number =>
  amount === 0
    ? 0
    : Math.max(
        0,
        adjustments.reduce((sum, one) => sum + one.amount, amount),
      );

const halveAndDouble = (amount: number, { immune, resistant, vulnerable }: Defence): number => {
  if (immune !== undefined) return 0;
  const halved = resistant === undefined ? amount : Math.floor(amount / 2);
  return vulnerable === undefined ? halved : halved * 2;
};

/** Applies a defence to an amount of one type, 0 or more. */
export const afterDefence = (amount: number, defence: Defence): number =>
  halveAndDouble(adjust(amount, defence), defence);

const defenceName = ({ immune, resistant, vulnerable }: Defence): DamageDealt["defence"] => {
  if (immune !== undefined) return "immunity";
  if (resistant !== undefined && vulnerable !== undefined) return "resistance and vulnerability";
  if (resistant !== undefined) return "resistance";
  return vulnerable === undefined ? "none" : "vulnerability";
};

/** Damage by type, in the order in which types first appear. */
export const dealtByType = (defender: Defender, lines: readonly DamageLine[], trace: Trace): DamageDealt[] => {
  const types = [...new Set(lines.map(({ damageType }) => damageType))];
  return types.map((type, index) => {
    const sum = lines.reduce((total, line) => (line.damageType === type ? total + line.subtotal : total), 0);
    const at = `damage.byType[${index}].dealt`;
    if (sum < 0) trace.add(at, "0", { rule: "no-negative-damage", why: "damage is never below 0" });
    const defence = defenceAgainst(defender, type, index === 0);
    const before = Math.max(0, sum);
    const rolled = adjust(before, defence);
    if (before > 0)
      for (const { amount, label: _, ...cause } of defence.adjustments)
        trace.add(`damage.byType[${index}].rolled`, signed(amount), cause);
    const dealt = halveAndDouble(rolled, defence);
    if (defence.immune !== undefined) trace.add(at, "0", defence.immune);
    else {
      if (defence.resistant !== undefined) trace.add(at, "halved", defence.resistant);
      if (defence.vulnerable !== undefined) trace.add(at, "doubled", defence.vulnerable);
    }
    return { damageType: type ?? "untyped", rolled, dealt, defence: defenceName(defence) };
  });
};
