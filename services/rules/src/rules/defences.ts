/**
 * What a creature's defences leave of damage: grouped by type, never below 0, then resistance (halved, rounded down), then
 * vulnerability (doubled); immunity leaves nothing. Several resistances to one type count once. Both editions use this order.
 */
import type { DamageDealt, DamageLine, DamageType, Npc, Player } from "@fairlead/contracts/rules";
import { markDefences } from "../data/mark-defences.ts";
import type { Cause, Trace } from "../result/trace.ts";
import { conditionSources, hasCondition } from "../sheet/character.ts";

export type Defender = Pick<Npc | Player, "name" | "resistances" | "vulnerabilities" | "immunities" | "conditions">;

interface Defence {
  readonly immune: Cause | undefined;
  readonly resistant: Cause | undefined;
  readonly vulnerable: Cause | undefined;
}

const none: Defence = { immune: undefined, resistant: undefined, vulnerable: undefined };

const listedCause = (
  list: readonly DamageType[],
  type: DamageType,
  rule: Cause["rule"],
  why: string,
): Cause | undefined => (list.includes(type) ? { rule, why } : undefined);

/** What the creature has against a type; a petrified one resists everything. Untyped damage passes. */
export const defenceAgainst = (defender: Defender, type: DamageType | undefined): Defence => {
  const { name } = defender;
  const petrified = hasCondition(defender, "Petrified");
  const stone: Cause | undefined = petrified ? { rule: "condition", why: `${name} is petrified` } : undefined;
  if (type === undefined) return { ...none, resistant: stone };
  return {
    immune: listedCause(defender.immunities, type, "immunity", `${name} is immune to ${type}`),
    resistant:
      listedCause(defender.resistances, type, "resistance", `${name} resists ${type}`) ??
      markDefence(defender, type) ??
      stone,
    vulnerable: listedCause(defender.vulnerabilities, type, "vulnerability", `${name} is vulnerable to ${type}`),
  };
};

/** A spell at work: Protection from Energy, Warding Bond. */
const markDefence = (defender: Defender, type: DamageType): Cause | undefined => {
  const found = markDefences.find(
    ({ mark, choice, resists }) =>
      (resists === "all" || resists.includes(type)) &&
      (choice === undefined ? hasCondition(defender, mark) : conditionSources(defender, mark).includes(choice)),
  );
  return found === undefined ? undefined : { rule: "spell-at-work", why: `${defender.name} has ${found.mark}` };
};

/** Applies a defence to an amount of one type, 0 or more. */
export const afterDefence = (amount: number, { immune, resistant, vulnerable }: Defence): number => {
  if (immune !== undefined) return 0;
  const halved = resistant === undefined ? amount : Math.floor(amount / 2);
  return vulnerable === undefined ? halved : halved * 2;
};

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
    const rolled = Math.max(0, sum);
    const defence = defenceAgainst(defender, type);
    const dealt = afterDefence(rolled, defence);
    if (defence.immune !== undefined) trace.add(at, "0", defence.immune);
    else {
      if (defence.resistant !== undefined) trace.add(at, "halved", defence.resistant);
      if (defence.vulnerable !== undefined) trace.add(at, "doubled", defence.vulnerable);
    }
    return { damageType: type ?? "untyped", rolled, dealt, defence: defenceName(defence) };
  });
};
