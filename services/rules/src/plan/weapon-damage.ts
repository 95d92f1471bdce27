/** Damage of the weapon itself: its dice in this grip, the flat numbers that belong to it, and what a crit adds. */
import type { Game } from "@fairlead/contracts/rules";
import { brutalCriticalDice, martialArtsDie } from "../data/classes.ts";
import { type WeaponDice, weaponDice } from "../data/weapons.ts";
import type { RollEffects } from "../effects/apply.ts";
import type { Cause } from "../result/trace.ts";
import type { Modifier } from "../rules/d20.ts";
import type { DamageSpec } from "../rules/damage.ts";
import { feature, hasFightingStyle } from "../sheet/character.ts";
import { levelIn } from "../sheet/class-levels.ts";
import { fold } from "../sheet/names.ts";
import type { Weapon } from "../sheet/weapon.ts";
import {
  isMeleeWeaponAttack,
  isMonkWeapon,
  isPolearm,
  type WeaponAttack,
  type WeaponUse,
} from "../sheet/weapon-use.ts";

export const weaponDamage = (strike: WeaponAttack, wield: WeaponUse): DamageSpec => {
  const { game, weapon } = strike;
  const { dice, cause } = gripDice(strike, wield);
  const low = greatWeapon(game, weapon, wield);
  const twice = savageAttacker(game, weapon);
  const onCrit = critDice(game, weapon, wield);
  const fixed: readonly Modifier[] = dice.flat === 0 ? [] : [{ label: weapon.name, amount: dice.flat, ...cause }];
  return {
    label: weapon.name,
    count: dice.count,
    sides: dice.sides,
    flats: [...fixed, ...abilityDamage(strike, wield, dice), ...magicDamage(weapon)],
    damageType: isPolearmBonusAttack(strike) ? "bludgeoning" : weapon.damageType,
    cause,
    ...(onCrit.length > 0 && { onCrit }),
    ...(low !== undefined && { low }),
    ...(twice !== undefined && dice.count > 0 && { twice }),
  };
};

/** What a hit of this weapon deals in addition, by its sheet. */
export const extraDamage = ({ name, extra = [] }: Weapon): readonly DamageSpec[] =>
  extra.map(({ dice, damageType }) => {
    const { count, sides, flat } = weaponDice(dice);
    const cause: Cause = { rule: "weapon-damage", why: `${name} deals it in addition` };
    return {
      label: damageType === undefined ? name : `${name} (${damageType})`,
      count,
      sides,
      flats: flat === 0 ? [] : [{ label: name, amount: flat, ...cause }],
      damageType,
      cause,
    };
  });

interface GripDice {
  readonly dice: WeaponDice;
  readonly cause: Cause;
}

const gripDice = (strike: WeaponAttack, wield: WeaponUse): GripDice => {
  const { game, weapon } = strike;
  if (isPolearmBonusAttack(strike))
    return { dice: { count: 1, sides: 4, flat: 0 }, cause: { rule: "polearm-master", why: "the polearm's other end" } };
  const plain: GripDice =
    weapon.versatile !== undefined && wield.twoHands
      ? { dice: weapon.versatile, cause: { rule: "versatile", why: "held in two hands" } }
      : {
          dice: weapon.dice,
          cause: weapon.unarmed
            ? { rule: "unarmed-strike", why: "an unarmed strike" }
            : { rule: "weapon-damage", why: weapon.name },
        };
  if (!isMonkWeapon(strike)) return plain;
  const sides = martialArtsDie(levelIn(game.player, "monk"), game.edition);
  const better = plain.dice.count * (plain.dice.sides + 1) < sides + 1;
  return better
    ? {
        dice: { count: 1, sides, flat: 0 },
        cause: { rule: "martial-arts", why: `monk level ${levelIn(game.player, "monk")}` },
      }
    : plain;
};

/** A bonus attack with a polearm, where the ruling allows it; one that is light enough for two-weapon fighting is no such attack. */
const isPolearmBonusAttack = ({ game, weapon }: WeaponAttack): boolean =>
  game.rulings.polearmMaster && game.scene.attack === "bonus" && isPolearm(weapon);

/** The modifier of the attack's ability. 5.2 adds none to a damage that does not roll; an attack that follows, none above 0. */
const abilityDamage = (strike: WeaponAttack, wield: WeaponUse, dice: WeaponDice): readonly Modifier[] => {
  const { game, weapon } = strike;
  if (wield.ability === undefined || weapon.row?.name === "Net") return [];
  const amount = wield.modifier;
  const label = wield.ability;
  if (dice.count === 0 && !weapon.unarmed && game.edition === "5.2") return [];
  const { attack } = game.scene;
  const offHand = attack === "bonus" && !weapon.unarmed && !isPolearmBonusAttack(strike);
  if ((offHand || attack === "cleave") && amount > 0) {
    return offHand && hasFightingStyle(game.player, "Two-Weapon Fighting")
      ? [{ label, amount, rule: "two-weapon-style", why: "the style adds the modifier to the other hand" }]
      : [{ label, amount: 0, rule: offHand ? "two-weapon-fighting" : "cleave", why: "no positive modifier is added" }];
  }
  return [{ label, amount, rule: "damage-roll", why: `the attack's ability, ${wield.ability}` }];
};

const magicDamage = ({ bonus, name }: Weapon): readonly Modifier[] =>
  bonus === 0 ? [] : [{ label: "Magic", amount: bonus, rule: "magic-weapon", why: `${name} is magic` }];

/** 1s and 2s of a melee weapon in two hands that is made for them; a lance of 5.1 has neither property. */
const greatWeapon = (game: Game, weapon: Weapon, wield: WeaponUse): DamageSpec["low"] => {
  if (!hasFightingStyle(game.player, "Great Weapon Fighting")) return undefined;
  const made = weapon.properties.includes("two-handed") || weapon.properties.includes("versatile");
  if (!made || !isMeleeWeaponAttack(weapon, wield, false) || !wield.twoHands) return undefined;
  const become = game.edition === "5.1" ? "rerolled" : "three";
  return { become, rule: "great-weapon-fighting", why: "a melee weapon in two hands" };
};

const savageAttacker = (game: Game, weapon: Weapon): Cause | undefined => {
  const able = game.edition === "5.2" && feature(game.player, "Savage Attacker") !== undefined && !weapon.unarmed;
  return able && !game.scene.usedThisTurn.includes("Savage Attacker")
    ? { rule: "savage-attacker", why: "the first weapon hit this turn" }
    : undefined;
};

const critDice = (game: Game, weapon: Weapon, wield: WeaponUse): NonNullable<DamageSpec["onCrit"]> => {
  const { player, edition } = game;
  if (edition !== "5.1" || !isMeleeWeaponAttack(weapon, wield, false)) return [];
  const brutal =
    feature(player, "Brutal Critical") === undefined ? 0 : brutalCriticalDice(levelIn(player, "barbarian"));
  const savage = feature(player, "Savage Attacks") !== undefined || /\bhalf-orc\b/.test(fold(player.race));
  return [
    ...(brutal > 0
      ? [{ dice: brutal, rule: "brutal-critical", why: `barbarian level ${levelIn(player, "barbarian")}` } as const]
      : []),
    ...(savage ? [{ dice: 1, rule: "savage-attacks", why: "a melee critical hit by a half-orc" } as const] : []),
  ];
};

/** Damage that effects at work add to a hit: of their own type, or of the attack's. */
export const effectDamage = (
  { damage }: Pick<RollEffects, "damage">,
  own: DamageSpec["damageType"],
): readonly DamageSpec[] =>
  damage.map(({ label, count, sides, amount, damageType = own, cause }) => ({
    ...{ label, count, sides, damageType, cause },
    flats: amount === 0 ? [] : [{ label, amount, ...cause }],
  }));
