/** What is added to a weapon's attack roll, each number with its rule; and from which natural number on it crits. */
import type { Game, Npc } from "@fairlead/contracts/rules";
import { conditionsThat } from "../data/conditions.ts";
import type { Edition } from "../data/weapons.ts";
import type { RollEffects } from "../effects/apply.ts";
import { type Cause, signed } from "../result/trace.ts";
import type { AttackFacts } from "../rules/boons.ts";
import type { Modifier } from "../rules/d20.ts";
import { markEffects } from "../rules/marks.ts";
import { shieldBonus, shieldSpell } from "../rules/shield-spell.ts";
import { abilityLabel, hasCondition, proficiencyBonus } from "../sheet/character.ts";
import { fold } from "../sheet/names.ts";
import { isProficient, type Weapon } from "../sheet/weapon.ts";
import type { WeaponUse } from "../sheet/weapon-use.ts";
import { isAdjacent } from "./circumstances.ts";

export const attackModifiers = (game: Game, weapon: Weapon, wield: WeaponUse): readonly Modifier[] => {
  const { player } = game;
  if (weapon.toHit !== undefined)
    return [{ label: "Attack", amount: weapon.toHit, rule: "d20-test", why: `attack bonus of ${weapon.name}` }];
  const modifiers: Modifier[] = [];
  if (wield.ability !== undefined) {
    modifiers.push({ label: abilityLabel(wield.ability), amount: wield.modifier, ...wield.cause });
  }
  if (isProficient(player, weapon)) {
    const why = weapon.unarmed ? "everyone is proficient with unarmed strikes" : `proficient with ${weapon.name}`;
    modifiers.push({ label: "Prof", amount: proficiencyBonus(player), rule: "proficiency-bonus", why });
  }
  if (weapon.bonus !== 0) {
    modifiers.push({ label: "Magic", amount: weapon.bonus, rule: "magic-weapon", why: `${weapon.name} is magic` });
  }
  return modifiers;
};

export const powerAttackPenalty: Modifier = {
  label: "Power Attack",
  amount: -5,
  rule: "power-attack",
  why: "-5 on the attack for +10 damage",
};

export interface CritRange {
  /** Lowest natural number that crits. */
  readonly from: 18 | 19 | 20;
  readonly cause: Cause;
}

/** A champion crits more often, with weapons and bare hands. */
export const critRange = (widened: RollEffects["crit"]): CritRange =>
  widened ?? { from: 20, cause: { rule: "natural-20", why: "a natural 20" } };

/** The words of an attack with a weapon, for the effects that ask for them. A stat block's own attack bonus holds a ranged weapon's style already. */
export const weaponWords = ({ unarmed, ranged, toHit }: Weapon, { kind }: WeaponUse): AttackFacts["attack"] => [
  kind,
  unarmed ? "unarmed" : "weapon",
  ...(ranged && toHit === undefined ? ["shooting" as const] : []),
];

const deadly = conditionsThat("critWithin5ft");

/** Any hit from within 5 feet on a paralyzed or unconscious creature is a critical hit. */
export const helplessCrit = (target: Npc, kind: "melee" | "ranged"): Cause | undefined => {
  const condition = deadly.find((name) => hasCondition(target, name));
  return condition !== undefined && isAdjacent({ target, kind })
    ? { rule: "condition", why: `${target.name} is ${fold(condition)} and within 5 feet` }
    : undefined;
};

const coverBonus = { none: 0, half: 2, three_quarters: 5, total: 0 } as const;

/** The number to reach: AC, cover, the mark of the Shield spell, and other spells at work on the creature. */
export const armorClass = (
  target: Npc,
  edition: Edition,
): { readonly ac: number; readonly causes: readonly (Cause & { effect: string })[] } => {
  const { ac, cover, name } = target;
  const bonus = coverBonus[cover];
  const shield = shieldSpell(target);
  const { modifiers, least } = markEffects(target, edition, { roll: "armor" });
  const added = modifiers.reduce((sum, { amount }) => sum + amount, 0);
  const sum = ac + bonus + added + (shield === undefined ? 0 : shieldBonus);
  return {
    ac: Math.max(sum, least?.number ?? sum),
    causes: [
      { rule: "armor-class", why: `armor class of ${name}`, effect: String(ac) },
      ...(bonus === 0
        ? []
        : [{ rule: "cover", why: `${name} has ${cover.replace("_", "-")} cover`, effect: `+${bonus}` } as const]),
      ...(shield === undefined ? [] : [{ ...shield, effect: `+${shieldBonus}` }]),
      ...modifiers.map(({ amount, rule, why }) => ({ rule, why, effect: signed(amount) })),
      ...(least === undefined || least.number <= sum ? [] : [{ ...least.cause, effect: `at least ${least.number}` }]),
    ],
  };
};
