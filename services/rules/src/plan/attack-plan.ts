/**
 * An attack as data: what will be rolled, what it has to reach, what a hit does. Made before any die is rolled, from the state
 * and the intent alone, so that the same plan can be rolled (`attack.ts`) or solved exactly.
 */
import type { AttackIntent, Change, Claim, Game, Npc } from "@fairlead/contracts/rules";
import type { Cause } from "../result/trace.ts";
import { boonsFor } from "../rules/boons.ts";
import { type D20Test, stance } from "../rules/d20.ts";
import { type DamageSpec, flatSpec } from "../rules/damage.ts";
import { masteryOf, masteryRiders, tooLarge } from "../rules/mastery.ts";
import { afflicted, type Rider } from "../rules/rider.ts";
import { claims, grant, readClaims } from "../rules/sources/claims.ts";
import { brutalStrike, powerAttack } from "../rules/sources/martial.ts";
import type { Blow } from "../rules/sources/source.ts";
import { halflingLuck } from "../sheet/character.ts";
import { afterSpending, spent } from "../sheet/spent.ts";
import { findTarget } from "../sheet/target.ts";
import { findWeapon, type Weapon } from "../sheet/weapon.ts";
import { type Wield, wieldOf } from "../sheet/wield.ts";
import {
  armorClass,
  attackModifiers,
  type CritRange,
  critRange,
  helplessCrit,
  powerAttackPenalty,
} from "./attack-bonus.ts";
import { circumstances, usedUp } from "./circumstances.ts";
import { followUp } from "./follow-up.ts";
import { weaponDamage } from "./weapon-damage.ts";

export interface AttackPlan {
  /** "Rapier Attack". */
  readonly checkType: string;
  readonly target: Npc;
  readonly test: D20Test;
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
  /** Said about every outcome. */
  readonly notes: readonly string[];
  /** What else a hit does, given the damage that went through. */
  readonly riders: (dealt: number) => readonly Rider[];
}

export type Planned = { readonly ok: true; readonly plan: AttackPlan } | { readonly ok: false; readonly why: string };

export const planWeaponAttack = (game: Game, intent: AttackIntent): Planned => {
  const weapon = findWeapon(game, intent.weapon);
  const target = findTarget(game, intent.target);
  const claimed = readClaims(intent.extra_damage_sources ?? []);
  const wielded = wieldOf({ game, weapon, target });
  if (!wielded.ok) return wielded;
  const { wield } = wielded;
  const { kind, ability, range } = wield;
  const mastery = masteryOf(game, weapon);
  const follows = followUp(game, { weapon, wield, mastery });
  if (!follows.ok) return follows;

  const around = circumstances({ game, target, kind, ability, weapon, range });
  const blow: Omit<Blow, "slot"> = {
    ...{ game: afterSpending(game, follows.spends), target, kind, ability, armed: { weapon, wield } },
    stance: stance(around),
    hampered: around.disadvantages.length > 0,
  };
  const brutal = claims(claimed, brutalStrike) && brutalStrike.verify({ ...blow, slot: undefined }).granted;
  const advantages = brutal ? [] : around.advantages;
  const hit = { ...blow, stance: stance({ ...around, advantages }) };
  const granted = grant(hit, claimed);
  const power = claims(claimed, powerAttack) && powerAttack.verify({ ...hit, slot: undefined }).granted;

  const boons = boonsFor(game, { kind: "attack", target });
  const { ac, causes: acCauses } = armorClass(target);
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
      test: {
        purpose: "attack roll",
        advantages,
        disadvantages: around.disadvantages,
        modifiers: [
          ...attackModifiers(game, weapon, wield),
          ...(power ? [powerAttackPenalty] : []),
          ...boons.modifiers,
        ],
        bonusDice: boons.bonusDice,
        ...luckAndAccuracy(game, ability),
      },
      ac,
      acCauses,
      crit: critRange(game),
      wideCritNeedsHit: game.rulings.wideCritNeedsHit,
      helpless: helplessCrit(target, kind),
      specs: [own, ...added],
      onMiss: mastery === "Graze" ? graze(weapon, wield) : undefined,
      claims: granted.verdicts,
      always: [
        ...usedUp(game, target),
        ...granted.onRoll,
        ...(weapon.properties.includes("loading") && game.scene.attack === "action"
          ? [spent(game, weapon.name, "a loading weapon fires once an action")]
          : []),
        ...follows.spends,
      ],
      onHit: [...granted.onHit, ...(own.twice === undefined ? [] : [spent(game, "Savage Attacker")])],
      ends: boons.ends,
      notes: [],
      riders: (dealt) => [
        ...(mastery === undefined ? [] : masteryRiders(mastery, { game, wield, target, dealt })),
        ...net(game, weapon, target),
        ...granted.riders,
      ],
    },
  };
};

/** A halfling's luck, and the third die of the ruling. */
export const luckAndAccuracy = (
  { player, rulings }: Game,
  ability: Wield["ability"],
): Pick<D20Test, "luck" | "thirdDie"> => ({
  ...(halflingLuck(player) && { luck: { rule: "halfling-luck", why: `${player.name} is lucky` } }),
  ...(rulings.elvenAccuracy &&
    ability !== "strength" &&
    ability !== "constitution" &&
    ability !== undefined && { thirdDie: { rule: "elven-accuracy", why: "switched on for this table" } }),
});

const graze = (weapon: Weapon, wield: Wield): AttackPlan["onMiss"] => {
  if (wield.modifier <= 0) return undefined;
  const cause = { rule: "graze", why: `a miss with ${weapon.name}` } as const;
  const flats = [{ label: "Graze", amount: wield.modifier, ...cause }];
  return { spec: flatSpec({ label: "Graze", flats, damageType: weapon.damageType, cause }), halved: false };
};

const net = ({ edition }: Game, weapon: Weapon, target: Npc): readonly Rider[] => {
  if (edition === "5.2" || weapon.row?.name !== "Net" || tooLarge(target)) return [];
  const effect = `${target.name} is restrained`;
  return [{ label: "Net", rule: "net", effect, changes: [afflicted(target, "Restrained", "caught in a net")] }];
};
