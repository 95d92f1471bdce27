/** Extra damage of martial features: Sneak Attack, Rage, Brutal Strike, Frenzy, Colossus Slayer, Dueling, power attack. */
import { brutalStrikeDice, rageDamage, sneakAttackDice } from "../../data/classes.ts";
import { weaponDice } from "../../data/weapons.ts";
import { chosen, effect, feature, fightingStyle } from "../../sheet/character.ts";
import { rageDenied, rageHelps } from "../../sheet/rage.ts";
import { spent } from "../../sheet/spent.ts";
import { type DamageSpec, flatSpec } from "../damage.ts";
import { type Blow, denied, type Source, type Verdict, weaponAttack, weaponType } from "./source.ts";

/** Dice of Sneak Attack: the sheet's formula when it is dice, the class table otherwise. */
const sneakDice = ({ game: { player } }: Blow): { readonly count: number; readonly sides: number } => {
  const formula = feature(player, "Sneak Attack")?.scalingFormula ?? "";
  return /^[1-9]\d?d[1-9]\d{0,2}$/.test(formula)
    ? weaponDice(formula)
    : { count: sneakAttackDice(player.level), sides: 6 };
};

export const sneakAttack: Source = {
  name: "Sneak Attack",
  optional: true,
  verify(blow) {
    const { game, target, stance, armed } = blow;
    const { player, scene } = game;
    if (feature(player, "Sneak Attack") === undefined) return denied(`${player.name} does not have Sneak Attack`);
    if (scene.usedThisTurn.includes("Sneak Attack")) return denied("Sneak Attack was used this turn");
    if (armed === undefined || armed.weapon.unarmed) return denied("Sneak Attack needs a weapon");
    const { weapon } = armed;
    const fine = weapon.stat === "finesse" || weapon.properties.includes("finesse");
    if (!fine && !weapon.ranged) return denied(`${weapon.name} is neither a finesse nor a ranged weapon`);
    if (stance === "disadvantage") return denied("the attack roll has disadvantage");
    if (stance !== "advantage" && !target.engaged) {
      return denied(`the attack has no advantage, and no enemy of ${target.name} is within 5 feet of it`);
    }
    const why =
      stance === "advantage" ? "the attack roll has advantage" : `an enemy of ${target.name} is within 5 feet of it`;
    const spec: DamageSpec = {
      label: "Sneak Attack",
      ...sneakDice(blow),
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "sneak-attack", why },
    };
    return { granted: true, why, specs: [spec], onHit: [spent(game, "Sneak Attack")] };
  },
};

/** In 5.1 a melee weapon attack with strength, in 5.2 any attack with a weapon or bare hands that uses strength. */
const strengthBlow = ({ game, kind, ability, armed }: Blow): boolean =>
  armed !== undefined && ability === "strength" && (game.edition === "5.2" || kind === "melee");

export const rage: Source = {
  name: "Rage",
  aliases: ["Rage Damage"],
  optional: false,
  verify(blow) {
    const { player } = blow.game;
    const none = rageDenied(blow.game);
    if (none !== undefined) return denied(none);
    if (!strengthBlow(blow)) return denied("rage adds to strength-based weapon attacks only");
    const cause = { rule: "rage", why: `raging at level ${player.level}` } as const;
    const bonus = { label: "Rage", amount: rageDamage(player.level), ...cause };
    return {
      granted: true,
      why: cause.why,
      specs: [flatSpec({ label: "Rage", flats: [bonus], damageType: weaponType(blow), cause })],
    };
  },
};

/** Gives up the advantage of a reckless attack for dice; `attack-plan.ts` takes the advantage away. */
export const brutalStrike: Source = {
  name: "Brutal Strike",
  optional: true,
  verify(blow) {
    const { game, hampered, armed } = blow;
    const { player, edition, scene } = game;
    if (edition === "5.1") return denied("Brutal Strike is a rule of 5.2");
    if (feature(player, "Brutal Strike") === undefined) return denied(`${player.name} does not have Brutal Strike`);
    if (effect(player, "Reckless Attack") === undefined) return denied("Brutal Strike needs a reckless attack");
    if (armed === undefined || blow.ability !== "strength")
      return denied("Brutal Strike needs a strength-based attack");
    if (hampered) return denied("without its advantage the attack roll would have disadvantage");
    if (scene.usedThisTurn.includes("Brutal Strike")) return denied("Brutal Strike was used this turn");
    const why = "advantage given up for damage";
    const spec: DamageSpec = {
      label: "Brutal Strike",
      count: Math.max(1, brutalStrikeDice(player.level)),
      sides: 10,
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "brutal-strike", why },
    };
    return { granted: true, why, specs: [spec], onRoll: [spent(game, "Brutal Strike")] };
  },
};

export const frenzy: Source = {
  name: "Frenzy",
  optional: false,
  verify(blow) {
    const { game, armed } = blow;
    const { player, scene } = game;
    if (game.edition === "5.1") return denied("Frenzy adds damage in 5.2 only");
    if (feature(player, "Frenzy") === undefined) return denied(`${player.name} does not have Frenzy`);
    if (!rageHelps(game) || effect(player, "Reckless Attack") === undefined) {
      return denied("Frenzy needs rage and a reckless attack");
    }
    if (armed === undefined || blow.ability !== "strength") return denied("Frenzy needs a strength-based attack");
    if (scene.usedThisTurn.includes("Frenzy")) return denied("Frenzy was used this turn");
    const why = "raging and reckless, the first hit this turn";
    const spec: DamageSpec = {
      label: "Frenzy",
      count: rageDamage(player.level),
      sides: 6,
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "frenzy", why },
    };
    return { granted: true, why, specs: [spec], onHit: [spent(game, "Frenzy")] };
  },
};

export const colossusSlayer: Source = {
  name: "Colossus Slayer",
  optional: false,
  verify(blow) {
    const { game, target } = blow;
    const { player, scene } = game;
    const known =
      feature(player, "Colossus Slayer") !== undefined || chosen(player, "Hunter's Prey").includes("colossus slayer");
    if (!known) return denied(`${player.name} does not have Colossus Slayer`);
    if (!weaponAttack(blow)) return denied("Colossus Slayer needs a weapon");
    if (target.currentHp >= target.maxHp) return denied(`${target.name} has all its hit points`);
    if (scene.usedThisTurn.includes("Colossus Slayer")) return denied("Colossus Slayer was used this turn");
    const why = `${target.name} is missing hit points`;
    const spec: DamageSpec = {
      label: "Colossus Slayer",
      count: 1,
      sides: 8,
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "colossus-slayer", why },
    };
    return { granted: true, why, specs: [spec], onHit: [spent(game, "Colossus Slayer")] };
  },
};

export const dueling: Source = {
  name: "Dueling",
  optional: false,
  verify(blow) {
    const { game, armed } = blow;
    const { player, scene } = game;
    if (game.edition === "5.2" && !game.rulings.duelingAfter51) {
      return denied("Dueling is not in the SRD 5.2; `rulings.duelingAfter51` switches it on");
    }
    if (!fightingStyle(player, "Dueling")) return denied(`${player.name} does not have the Dueling style`);
    if (armed === undefined || armed.weapon.unarmed || armed.weapon.ranged)
      return denied("Dueling needs a melee weapon");
    if (armed.wield.twoHands) return denied("the weapon is in two hands");
    if (scene.otherWeaponHeld || scene.attack === "bonus") return denied("the other hand holds a weapon");
    const cause = { rule: "dueling", why: "one melee weapon in one hand" } as const;
    return {
      granted: true,
      why: cause.why,
      specs: [
        flatSpec({
          label: "Dueling",
          flats: [{ label: "Dueling", amount: 2, ...cause }],
          damageType: weaponType(blow),
          cause,
        }),
      ],
    };
  },
};

/** Takes -5 on the attack roll, which `attack-bonus.ts` adds, for +10 damage. Off unless the table rules it in. */
export const powerAttack: Source = {
  name: "Power Attack",
  aliases: ["Great Weapon Master", "Sharpshooter"],
  optional: true,
  verify(blow): Verdict {
    const { game, armed } = blow;
    if (!game.rulings.powerAttack) return denied("not a rule of the SRD; `rulings.powerAttack` switches it on");
    const heavy = armed?.weapon.properties.includes("heavy") === true && !armed.weapon.ranged;
    if (!heavy && armed?.weapon.ranged !== true) return denied("a power attack needs a heavy melee or a ranged weapon");
    const cause = { rule: "power-attack", why: "-5 on the attack for +10 damage" } as const;
    return {
      granted: true,
      why: cause.why,
      specs: [
        flatSpec({
          label: "Power Attack",
          flats: [{ label: "Power Attack", amount: 10, ...cause }],
          damageType: weaponType(blow),
          cause,
        }),
      ],
    };
  },
};
