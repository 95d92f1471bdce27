/** Smites that features have: Divine Smite, Paladin's Smite without a slot, Eldritch Smite. */
import type { Change, Game } from "@fairlead/contracts/rules";
import { castingObstacle, paySpellSlot } from "../../sheet/casting.ts";
import { feature, isOfType, isProne } from "../../sheet/character.ts";
import { fold, sameName } from "../../sheet/names.ts";
import { chooseSlot } from "../../sheet/spell-slots.ts";
import { isUnusedSinceRest, markUsed, markUsedUntilRest } from "../../sheet/spending.ts";
import type { DamageSpec } from "../damage.ts";
import { addCondition } from "../rider.ts";
import { type AttackContext, type DamageSource, deny, type SourceVerdict } from "./source.ts";

/** A hit with a melee weapon, thrown ones included; bare hands count in 5.2. */
export const usesMeleeWeapon = ({ game, armed }: AttackContext): boolean =>
  armed !== undefined && (armed.weapon.unarmed ? game.edition === "5.2" : !armed.weapon.ranged);

/** What Divine Smite needs: in 5.1 a melee attack; bare hands only by the table's ruling. */
const allowsSmite = (blow: AttackContext): boolean => {
  const { game, kind, armed } = blow;
  if (game.edition === "5.2") return usesMeleeWeapon(blow);
  return armed !== undefined && kind === "melee" && (!armed.weapon.unarmed || game.rulings.smiteUnarmedBefore52);
};

const isUndeadOrFiend = ({ target }: AttackContext): boolean => isOfType(target, "undead") || isOfType(target, "fiend");

/** 5.2: why a spell that takes a bonus action after the hit cannot be cast. */
export const smiteObstacle = (game: Game, name: string): string | undefined =>
  game.scene.usedThisTurn.includes("Bonus Action")
    ? `${name} takes the bonus action, and it is spent`
    : castingObstacle(game);

/** What a smite is paid with. */
interface SmitePayment {
  readonly level: number;
  readonly changes: readonly Change[];
  readonly why: string;
}

/** The damage of a Divine Smite that is paid for; 5.1 counts no slot level above the fourth. */
const grantSmite = (blow: AttackContext, { level, changes, why: paid }: SmitePayment): SourceVerdict => {
  const { game, target } = blow;
  const hated = isUndeadOrFiend(blow);
  const why = `${paid}${hated ? `, and ${target.name} is ${fold(target.creatureType)}` : ""}`;
  const spec: DamageSpec = {
    label: "Divine Smite",
    count: (game.edition === "5.1" ? Math.min(5, 1 + level) : 1 + level) + (hated ? 1 : 0),
    sides: 8,
    flats: [],
    damageType: "radiant",
    cause: { rule: "divine-smite", why },
  };
  return {
    granted: true,
    why,
    specs: [spec],
    onHit: [...changes, ...(game.edition === "5.2" ? [markUsed(game, "Bonus Action")] : [])],
  };
};

const paladinsSmiteName = "Paladin's Smite";

const divineSmiteObstacle = (blow: AttackContext): string | undefined => {
  if (!allowsSmite(blow)) return "Divine Smite needs a hit with a melee weapon";
  return blow.game.edition === "5.2" ? smiteObstacle(blow.game, "Divine Smite") : undefined;
};

export const divineSmite: DamageSource = {
  name: "Divine Smite",
  aliases: ["Smite"],
  optional: true,
  verify(blow) {
    const { game } = blow;
    const { player, scene, edition } = game;
    const known = feature(player, "Divine Smite") ?? feature(player, paladinsSmiteName);
    const prepared = edition === "5.2" && player.knownSpells.some((spell) => sameName(spell, "Divine Smite"));
    if (known === undefined && !prepared) return deny(`${player.name} does not have Divine Smite`);
    const forbidden = divineSmiteObstacle(blow);
    if (forbidden !== undefined) return deny(forbidden);
    const slot = paySpellSlot(game, blow.slot ?? scene.slotLevel, 1);
    return slot.ok ? grantSmite(blow, { ...slot, why: `a slot of level ${slot.level}` }) : deny(slot.why);
  },
};

/** 5.2: one Divine Smite without a slot between long rests. */
export const paladinsSmite: DamageSource = {
  name: paladinsSmiteName,
  optional: true,
  verify(blow) {
    const { player, edition } = blow.game;
    const { name } = paladinsSmite;
    if (edition === "5.1") return deny(`${name} is a rule of 5.2`);
    if (feature(player, name) === undefined) return deny(`${player.name} does not have ${name}`);
    const forbidden = divineSmiteObstacle(blow);
    if (forbidden !== undefined) return deny(forbidden);
    if (!isUnusedSinceRest(blow.game, name)) return deny(`${name} was used since the last long rest`);
    const changes = [markUsedUntilRest(blow.game, name)];
    return grantSmite(blow, { level: 1, changes, why: "without a slot, once a long rest" });
  },
};

/** The creature falls, unless it is gargantuan or lies already. */
const knockDown = ({ target }: AttackContext): readonly Change[] =>
  target.size === "gargantuan" || isProne(target) ? [] : [addCondition(target, "Prone", "Eldritch Smite")];

export const eldritchSmite: DamageSource = {
  name: "Eldritch Smite",
  optional: true,
  verify(blow) {
    const { game, armed } = blow;
    const { player, scene, edition, rulings } = game;
    if (edition === "5.1" && !rulings.eldritchSmiteBefore52) {
      return deny("Eldritch Smite is not in the SRD 5.1; `rulings.eldritchSmiteBefore52` switches it on");
    }
    if (feature(player, "Eldritch Smite") === undefined) return deny(`${player.name} does not have Eldritch Smite`);
    if (armed === undefined || armed.weapon.unarmed) return deny("Eldritch Smite needs the pact weapon");
    if (scene.usedThisTurn.includes("Eldritch Smite")) return deny("Eldritch Smite was used this turn");
    const slot = chooseSlot(game, blow.slot ?? scene.slotLevel, 1);
    if (!slot.ok) return deny(slot.why);
    const why = `a slot of level ${slot.level}`;
    const spec: DamageSpec = {
      label: "Eldritch Smite",
      count: 1 + slot.level,
      sides: 8,
      flats: [],
      damageType: "force",
      cause: { rule: "eldritch-smite", why },
    };
    const onHit = [slot.change, markUsed(game, "Eldritch Smite"), ...knockDown(blow)];
    return { granted: true, why, specs: [spec], onHit };
  },
};
