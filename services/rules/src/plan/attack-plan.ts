/**
 * An attack as data: what will be rolled, what it has to reach, what a hit does. Made before any die is rolled, from the state
 * and the intent alone, so that the same plan can be rolled (`attack.ts`) or solved exactly.
 */
import type { AttackIntent, Change, Claim, Game, Npc } from "@fairlead/contracts/rules";
import type { Cause } from "../result/trace.ts";
import { attackEffects } from "../rules/boons.ts";
import { type D20Test, stance } from "../rules/d20.ts";
import { type DamageSpec, flatSpec } from "../rules/damage.ts";
import { creatureDefender, type Defender } from "../rules/defender.ts";
import { luckAndAccuracy } from "../rules/luck.ts";
import { isTooLarge, masteryRiders, unlockedMastery } from "../rules/mastery.ts";
import { addCondition, type Rider } from "../rules/rider.ts";
import { isClaimed, parseClaims, verifyClaims } from "../rules/sources/claims.ts";
import { brutalStrike, powerAttack } from "../rules/sources/martial.ts";
import type { ClaimedAttack } from "../rules/sources/source.ts";
import { applySpending, markUsed } from "../sheet/spending.ts";
import { findTarget } from "../sheet/target.ts";
import { findWeapon, type Weapon } from "../sheet/weapon.ts";
import { chooseWeaponUse, type WeaponUse } from "../sheet/weapon-use.ts";
import {
  armorClass,
  attackModifiers,
  type CritRange,
  critRange,
  helplessCrit,
  powerAttackPenalty,
  weaponWords,
} from "./attack-bonus.ts";
import { circumstances, endSingleUseEffects } from "./circumstances.ts";
import { planFollowUp } from "./follow-up.ts";
import { effectDamage, extraDamage, weaponDamage } from "./weapon-damage.ts";

export interface AttackPlan {
  /** "Rapier Attack". */
  readonly checkType: string;
  readonly target: Npc;
  /** The same creature, as the damage finds it. */
  readonly defender: Defender;
  readonly test: D20Test;
  /** Attack rolls of one casting, this one included; 1 for a weapon. */
  readonly rays: number;
  /** Number to reach, cover included. */
  readonly ac: number;
  readonly acCauses: readonly (Cause & { readonly effect: string })[];
  readonly crit: CritRange;
  /** A natural number in a widened range must reach the AC as well. */
  readonly wideCritNeedsHit: boolean;
  /** Why any hit is a critical hit. */
  readonly helpless: Cause | undefined;
  readonly specs: readonly DamageSpec[];
  /** Damage of a miss. */
  readonly onMiss: { readonly spec: DamageSpec; readonly halved: boolean } | undefined;
  readonly claims: readonly Claim[];
  /** Made whether it hits or not. */
  readonly always: readonly Change[];
  readonly onHit: readonly Change[];
  /** Effects that end when their die is rolled. */
  readonly ends: readonly { readonly label: string; readonly change: Change }[];
  /** Notes of every outcome. */
  readonly notes: readonly string[];
  /** What else a hit does; `dealt` is the damage after defences. */
  readonly riders: (dealt: number) => readonly Rider[];
}

export type AttackPlanResult =
  | { readonly ok: true; readonly plan: AttackPlan }
  | { readonly ok: false; readonly why: string };

export const planWeaponAttack = (game: Game, intent: AttackIntent): AttackPlanResult => {
  const weapon = findWeapon(game, intent.weapon);
  const target = findTarget(game, intent.target);
  const claimed = parseClaims(intent.extra_damage_sources ?? []);
  const wielded = chooseWeaponUse({ game, weapon, target });
  if (!wielded.ok) return wielded;
  const { wield } = wielded;
  const { kind, ability, range } = wield;
  const mastery = unlockedMastery(game, weapon);
  const follows = planFollowUp(game, { weapon, wield, mastery });
  if (!follows.ok) return follows;

  const at = attackEffects(game, { target, ability, attack: weaponWords(weapon, wield) });
  const around = circumstances({ game, target, kind, ability, weapon, range, at });
  const blow: ClaimedAttack = {
    ...{ game: applySpending(game, follows.spends), target, kind, ability, armed: { weapon, wield } },
    stance: stance(around),
    hasDisadvantage: around.disadvantages.length > 0,
  };
  const brutal =
    isClaimed(claimed, brutalStrike) && brutalStrike.verify({ ...blow, slot: undefined, claimed: true }).granted;
  const advantages = brutal ? [] : around.advantages;
  const hit = { ...blow, stance: stance({ ...around, advantages }) };
  const granted = verifyClaims(hit, claimed);
  const power =
    isClaimed(claimed, powerAttack) && powerAttack.verify({ ...hit, slot: undefined, claimed: true }).granted;

  const { ac, causes: acCauses } = armorClass(target, game.edition);
  const own = weaponDamage({ game, weapon, target }, wield);
  const { low } = own;
  const added =
    game.rulings.greatWeaponAllDice && low !== undefined
      ? granted.specs.map((spec) => (spec.count > 0 ? { ...spec, low } : spec))
      : granted.specs;
  return {
    ok: true,
    plan: {
      checkType: `${weapon.name} Attack`,
      target,
      defender: creatureDefender(game, target, weapon),
      test: {
        purpose: "attack roll",
        advantages,
        disadvantages: around.disadvantages,
        modifiers: [...attackModifiers(game, weapon, wield), ...(power ? [powerAttackPenalty] : []), ...at.modifiers],
        bonusDice: at.bonusDice,
        ...luckAndAccuracy(game, ability),
      },
      rays: 1,
      ac,
      acCauses,
      crit: critRange(at.crit),
      wideCritNeedsHit: game.rulings.wideCritNeedsHit,
      helpless: helplessCrit(target, kind),
      specs: [own, ...extraDamage(weapon), ...added, ...effectDamage(at, weapon.damageType)],
      onMiss: mastery === "Graze" ? graze(weapon, wield) : undefined,
      claims: granted.verdicts,
      always: [
        ...endSingleUseEffects(game, target),
        ...granted.onRoll,
        ...(weapon.properties.includes("loading") && game.scene.attack === "action"
          ? [markUsed(game, weapon.name, "a loading weapon fires once an action")]
          : []),
        ...follows.spends,
      ],
      onHit: [...granted.onHit, ...(own.twice === undefined ? [] : [markUsed(game, "Savage Attacker")])],
      ends: at.ends,
      notes: [],
      riders: (dealt) => [
        ...(mastery === undefined ? [] : masteryRiders(mastery, { game, wield, target, dealt })),
        ...net(game, weapon, target),
        ...granted.riders,
      ],
    },
  };
};

const graze = (weapon: Weapon, wield: WeaponUse): AttackPlan["onMiss"] => {
  if (wield.modifier <= 0) return undefined;
  const cause = { rule: "graze", why: `a miss with ${weapon.name}` } as const;
  const flats = [{ label: "Graze", amount: wield.modifier, ...cause }];
  return { spec: flatSpec({ label: "Graze", flats, damageType: weapon.damageType, cause }), halved: false };
};

const net = ({ edition }: Game, weapon: Weapon, target: Npc): readonly Rider[] => {
  if (edition === "5.2" || weapon.row?.name !== "Net" || isTooLarge(target)) return [];
  const effect = `${target.name} is restrained`;
  return [{ label: "Net", rule: "net", effect, changes: [addCondition(target, "Restrained", "caught in a net")] }];
};
