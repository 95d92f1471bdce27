/** Extra damage of martial features: Sneak Attack, Rage, Brutal Strike, Frenzy, Colossus Slayer, Dueling, power attack. */
import { brutalStrikeDice, rageDamage, sneakAttackDice } from "../../data/classes.ts";
import { chosenOptions, effect, feature, hasFightingStyle } from "../../sheet/character.ts";
import { levelIn } from "../../sheet/class-levels.ts";
import { rageHelps, rageObstacle } from "../../sheet/rage.ts";
import { featureDice } from "../../sheet/scaling-formula.ts";
import { markUsed } from "../../sheet/spending.ts";
import { type DamageSpec, flatSpec } from "../damage.ts";
import {
  type AttackContext,
  type DamageSource,
  deny,
  fromCaller,
  isWeaponAttack,
  type SourceVerdict,
  weaponType,
  withClaimedEffects,
} from "./source.ts";

export const sneakAttack: DamageSource = {
  name: "Sneak Attack",
  optional: true,
  verify(blow) {
    const { game, target, stance, armed } = blow;
    const { player, scene } = game;
    if (feature(player, "Sneak Attack") === undefined) return deny(`${player.name} does not have Sneak Attack`);
    if (scene.usedThisTurn.includes("Sneak Attack")) return deny("Sneak Attack was used this turn");
    if (armed === undefined || armed.weapon.unarmed) return deny("Sneak Attack needs a weapon");
    const { weapon } = armed;
    const fine = weapon.stat === "finesse" || weapon.properties.includes("finesse");
    if (!fine && !weapon.ranged) return deny(`${weapon.name} is neither a finesse nor a ranged weapon`);
    if (stance === "disadvantage") return deny("the attack roll has disadvantage");
    if (stance !== "advantage" && target.engaged === false) {
      return deny(`the attack has no advantage, and no enemy of ${target.name} is within 5 feet of it`);
    }
    const beset = `an enemy of ${target.name} is within 5 feet of it`;
    const believed = target.engaged === undefined ? fromCaller(beset) : beset;
    const why = stance === "advantage" ? "the attack roll has advantage" : believed;
    const spec: DamageSpec = {
      label: "Sneak Attack",
      ...featureDice(player, "Sneak Attack", { count: sneakAttackDice(levelIn(player, "rogue")), sides: 6 }),
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "sneak-attack", why },
    };
    return { granted: true, why, specs: [spec], onHit: [markUsed(game, "Sneak Attack")] };
  },
};

/** In 5.1 a melee weapon attack with strength, in 5.2 any attack with a weapon or bare hands that uses strength. */
const isStrengthAttack = ({ game, kind, ability, armed }: AttackContext): boolean =>
  armed !== undefined && ability === "strength" && (game.edition === "5.2" || kind === "melee");

export const rage: DamageSource = {
  name: "Rage",
  aliases: ["Rage Damage"],
  optional: false,
  verify(blow) {
    const { player } = blow.game;
    const { game, believed } = withClaimedEffects(blow, ["Rage"]);
    const none = rageObstacle(game);
    if (none !== undefined) return deny(none);
    if (!isStrengthAttack(blow)) return deny("rage adds to strength-based weapon attacks only");
    const raging = `raging at level ${levelIn(player, "barbarian")}`;
    const cause = { rule: "rage", why: believed ? fromCaller(raging) : raging } as const;
    const bonus = { label: "Rage", amount: rageDamage(levelIn(player, "barbarian")), ...cause };
    return {
      granted: true,
      why: cause.why,
      specs: [flatSpec({ label: "Rage", flats: [bonus], damageType: weaponType(blow), cause })],
    };
  },
};

/** Gives up the advantage of a reckless attack for dice; `attack-plan.ts` takes the advantage away. */
export const brutalStrike: DamageSource = {
  name: "Brutal Strike",
  optional: true,
  verify(blow) {
    const { hasDisadvantage: hampered, armed } = blow;
    const { game, believed } = withClaimedEffects(blow, ["Reckless Attack"]);
    const { player, edition, scene } = game;
    if (edition === "5.1") return deny("Brutal Strike is a rule of 5.2");
    if (feature(player, "Brutal Strike") === undefined) return deny(`${player.name} does not have Brutal Strike`);
    if (effect(player, "Reckless Attack") === undefined) return deny("Brutal Strike needs a reckless attack");
    if (armed === undefined || blow.ability !== "strength") return deny("Brutal Strike needs a strength-based attack");
    if (hampered) return deny("without its advantage the attack roll would have disadvantage");
    if (scene.usedThisTurn.includes("Brutal Strike")) return deny("Brutal Strike was used this turn");
    const reckless = "advantage given up for damage";
    const why = believed ? fromCaller(reckless) : reckless;
    const spec: DamageSpec = {
      label: "Brutal Strike",
      ...featureDice(player, "Brutal Strike", {
        count: Math.max(1, brutalStrikeDice(levelIn(player, "barbarian"))),
        sides: 10,
      }),
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "brutal-strike", why },
    };
    return { granted: true, why, specs: [spec], onRoll: [markUsed(game, "Brutal Strike")] };
  },
};

export const frenzy: DamageSource = {
  name: "Frenzy",
  optional: false,
  verify(blow) {
    const { armed } = blow;
    const { game, believed } = withClaimedEffects(blow, ["Rage", "Reckless Attack"]);
    const { player, scene } = game;
    if (game.edition === "5.1") return deny("Frenzy adds damage in 5.2 only");
    if (feature(player, "Frenzy") === undefined) return deny(`${player.name} does not have Frenzy`);
    if (!rageHelps(game) || effect(player, "Reckless Attack") === undefined) {
      return deny("Frenzy needs rage and a reckless attack");
    }
    if (armed === undefined || blow.ability !== "strength") return deny("Frenzy needs a strength-based attack");
    if (scene.usedThisTurn.includes("Frenzy")) return deny("Frenzy was used this turn");
    const frenzied = "raging and reckless, the first hit this turn";
    const why = believed ? fromCaller(frenzied) : frenzied;
    const spec: DamageSpec = {
      label: "Frenzy",
      count: rageDamage(levelIn(player, "barbarian")),
      sides: 6,
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "frenzy", why },
    };
    return { granted: true, why, specs: [spec], onHit: [markUsed(game, "Frenzy")] };
  },
};

export const colossusSlayer: DamageSource = {
  name: "Colossus Slayer",
  optional: false,
  verify(blow) {
    const { game, target, claimed } = blow;
    const { player, scene } = game;
    const believed = claimed && target.maxHp === undefined;
    const known =
      feature(player, "Colossus Slayer") !== undefined ||
      chosenOptions(player, "Hunter's Prey").includes("colossus slayer");
    if (!known) return deny(`${player.name} does not have Colossus Slayer`);
    if (!isWeaponAttack(blow)) return deny("Colossus Slayer needs a weapon");
    if (!believed && target.currentHp >= (target.maxHp ?? 1)) return deny(`${target.name} has all its hit points`);
    if (scene.usedThisTurn.includes("Colossus Slayer")) return deny("Colossus Slayer was used this turn");
    const hurt = `${target.name} is missing hit points`;
    const why = believed ? fromCaller(hurt) : hurt;
    const spec: DamageSpec = {
      label: "Colossus Slayer",
      ...featureDice(player, "Colossus Slayer", { count: 1, sides: 8 }),
      flats: [],
      damageType: weaponType(blow),
      cause: { rule: "colossus-slayer", why },
    };
    return { granted: true, why, specs: [spec], onHit: [markUsed(game, "Colossus Slayer")] };
  },
};

export const dueling: DamageSource = {
  name: "Dueling",
  optional: false,
  verify(blow) {
    const { game, armed, claimed } = blow;
    const { player, scene } = game;
    if (game.edition === "5.2" && !game.rulings.duelingAfter51) {
      return deny("Dueling is not in the SRD 5.2; `rulings.duelingAfter51` switches it on");
    }
    if (!hasFightingStyle(player, "Dueling")) return deny(`${player.name} does not have the Dueling style`);
    if (armed === undefined || armed.weapon.unarmed || armed.weapon.ranged) return deny("Dueling needs a melee weapon");
    if (armed.wield.twoHands) return deny("the weapon is in two hands");
    if (scene.otherWeaponHeld === true || scene.attack === "bonus") return deny("the other hand holds a weapon");
    const alone = "one melee weapon in one hand";
    const believed = claimed && scene.otherWeaponHeld === undefined;
    const cause = { rule: "dueling", why: believed ? fromCaller(alone) : alone } as const;
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
export const powerAttack: DamageSource = {
  name: "Power Attack",
  aliases: ["Great Weapon Master", "Sharpshooter"],
  optional: true,
  verify(blow): SourceVerdict {
    const { game, armed } = blow;
    if (!game.rulings.powerAttack) return deny("not a rule of the SRD; `rulings.powerAttack` switches it on");
    const heavy = armed?.weapon.properties.includes("heavy") === true && !armed.weapon.ranged;
    if (!heavy && armed?.weapon.ranged !== true) return deny("a power attack needs a heavy melee or a ranged weapon");
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
