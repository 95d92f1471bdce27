/**
 * How a weapon is used in this attack: melee or ranged, thrown, in one hand or two, with which ability; or why it cannot be.
 */
import type { Ability, Game, Npc } from "@fairlead/contracts/rules";
import type { Cause } from "../result/trace.ts";
import { usesMartialArts } from "./armor.ts";
import { abilityModifier, cannotAct, charmedBy, feature } from "./character.ts";
import type { Weapon } from "./weapon.ts";

export interface WeaponUse {
  readonly kind: "melee" | "ranged";
  readonly thrown: boolean;
  readonly twoHands: boolean;
  /** `undefined` when the sheet says that no ability is used. */
  readonly ability: Ability | undefined;
  /** Modifier of that ability; 0 without one. */
  readonly modifier: number;
  /** Why that ability. */
  readonly cause: Cause;
  /** Normal and long range in feet, when limited. */
  readonly range: readonly [normal: number, long: number] | undefined;
}

type WeaponUseResult = { readonly ok: true; readonly wield: WeaponUse } | { readonly ok: false; readonly why: string };

export interface WeaponAttack {
  readonly game: Game;
  readonly weapon: Weapon;
  readonly target: Npc;
}

export const chooseWeaponUse = (strike: WeaponAttack): WeaponUseResult => {
  const { game, weapon, target } = strike;
  const { player, scene } = game;
  const no = (why: string): WeaponUseResult => ({ ok: false, why });
  const idle = cannotAct(player);
  if (idle !== undefined) return no(`${player.name} ${idle} and cannot attack`);
  const charm = charmedBy(player, target);
  if (charm !== undefined) return no(charm);
  if (target.cover === "total") return no(`${target.name} has total cover and cannot be targeted`);

  const throws = weapon.properties.includes("thrown");
  const reach = weapon.properties.includes("reach") ? 10 : 5;
  const distance = target.distance ?? 0;
  if (scene.delivery === "thrown" && !throws) return no(`${weapon.name} is not made for throwing`);
  const thrown =
    throws && (weapon.ranged || scene.delivery === "thrown" || (scene.delivery === "auto" && distance > reach));
  const kind = weapon.ranged || thrown ? "ranged" : "melee";
  const range = kind === "ranged" ? weapon.row?.range : undefined;
  if (kind === "melee" && distance > reach) {
    return no(`${target.name} is ${distance} feet away, and ${weapon.name} reaches ${reach}`);
  }
  if (range !== undefined && distance > range[1]) {
    return no(`${target.name} is ${distance} feet away, beyond the long range of ${range[1]} feet`);
  }

  const needsBoth = weapon.row?.name === "Lance" ? !scene.mounted : weapon.properties.includes("two-handed");
  const grips = weapon.versatile !== undefined && scene.hands === "two" && kind === "melee";
  const held = scene.otherWeaponHeld === true ? "another weapon" : player.worn.shield > 0 ? "a shield" : undefined;
  if ((needsBoth || grips) && held !== undefined) return no(`${weapon.name} needs both hands, and one holds ${held}`);
  const forbidden = loadingObstacle(strike) ?? extraAttackObstacle(strike);
  if (forbidden !== undefined) return no(forbidden);

  const chosen = chooseAbility(strike, kind);
  return { ok: true, wield: { kind, thrown, twoHands: needsBoth || grips, range, ...chosen } };
};

const loadingObstacle = ({ game: { scene }, weapon }: WeaponAttack): string | undefined =>
  weapon.properties.includes("loading") && scene.attack === "action" && scene.usedThisTurn.includes(weapon.name)
    ? `${weapon.name} has to be loaded: one shot an action`
    : undefined;

const extraAttackObstacle = ({ game, weapon }: WeaponAttack): string | undefined => {
  const { scene, player, edition } = game;
  if (scene.attack !== "bonus") return undefined;
  if (weapon.unarmed && (usesMartialArts(player) || feature(player, "Flurry of Blows") !== undefined)) return undefined;
  const light = weapon.properties.includes("light") && (edition === "5.2" || !weapon.ranged);
  if (game.rulings.polearmMaster && isPolearm(weapon)) return undefined;
  return light ? undefined : `the extra attack of two-weapon fighting needs a light weapon, and ${weapon.name} is none`;
};

/** Weapons whose other end the ruling lets strike. */
export const isPolearm = ({ row }: Weapon): boolean =>
  row !== undefined && ["Glaive", "Halberd", "Quarterstaff", "Spear"].includes(row.name);

type AbilityChoice = Pick<WeaponUse, "ability" | "modifier" | "cause">;

const chooseAbility = (strike: WeaponAttack, kind: WeaponUse["kind"]): AbilityChoice => {
  const { player } = strike.game;
  const { weapon } = strike;
  const using = (ability: Ability, cause: Cause): AbilityChoice => ({
    ability,
    modifier: abilityModifier(player.stats[ability]),
    cause,
  });
  const better = (cause: Cause): AbilityChoice => {
    const strength = using("strength", cause);
    const dexterity = using("dexterity", cause);
    return strength.modifier >= dexterity.modifier ? strength : dexterity;
  };
  if (isMonkWeapon(strike))
    return better({ rule: "martial-arts", why: "a monk weapon uses the better of two abilities" });
  switch (weapon.stat) {
    case "none":
      return { ability: undefined, modifier: 0, cause: { rule: "weapon-ability", why: "the sheet says none" } };
    case "str":
      return using("strength", { rule: "weapon-ability", why: "the sheet says strength" });
    case "dex":
      return using("dexterity", { rule: "weapon-ability", why: "the sheet says dexterity" });
    case "finesse":
      return better({ rule: "finesse", why: "the better of strength and dexterity" });
    case undefined:
      break;
  }
  if (weapon.properties.includes("finesse"))
    return better({ rule: "finesse", why: "the better of strength and dexterity" });
  if (weapon.ranged) return using("dexterity", { rule: "weapon-ability", why: "a ranged weapon" });
  return kind === "ranged"
    ? using("strength", { rule: "thrown", why: "a thrown melee weapon keeps its ability" })
    : using("strength", { rule: "weapon-ability", why: weapon.unarmed ? "an unarmed strike" : "a melee weapon" });
};

/** Bare hands, and the weapons that Martial Arts covers in each edition. */
export const isMonkWeapon = ({ game, weapon }: WeaponAttack): boolean => {
  if (!usesMartialArts(game.player)) return false;
  if (weapon.unarmed) return true;
  if (weapon.row === undefined || weapon.row.ranged) return false;
  const { category, name, properties } = weapon.row;
  if (game.edition === "5.2") return category === "simple" || properties.includes("light");
  return (
    name === "Shortsword" ||
    (category === "simple" && !properties.includes("two-handed") && !properties.includes("heavy"))
  );
};

/** True when the attack is made with a weapon in melee, or with bare hands where `unarmed` allows it. */
export const isMeleeWeaponAttack = (weapon: Weapon, wield: WeaponUse, unarmed: boolean): boolean =>
  wield.kind === "melee" && (unarmed || !weapon.unarmed);
