/** Extra damage of smites: Divine Smite, Improved Divine Smite (Radiant Strikes), Divine Strike, Eldritch Smite. */
import type { DamageType } from "@fairlead/contracts/rules";
import { fold, same } from "../../names.ts";
import { chosen, effect, feature } from "../character.ts";
import type { DamageSpec } from "../damage.ts";
import { chooseSlot } from "../slots.ts";
import { type Blow, denied, type Source, spent, weaponAttack } from "./source.ts";

/** A hit with a melee weapon, thrown ones included; bare hands count in 5.2. */
const withMeleeWeapon = ({ game, armed }: Blow): boolean =>
  armed !== undefined && (armed.weapon.unarmed ? game.edition === "5.2" : !armed.weapon.ranged);

/** What Divine Smite asks for: in 5.1 a melee attack, and bare hands by the table's ruling alone. */
const smites = (blow: Blow): boolean => {
  const { game, kind, armed } = blow;
  if (game.edition === "5.2") return withMeleeWeapon(blow);
  return armed !== undefined && kind === "melee" && (!armed.weapon.unarmed || game.rulings.smiteUnarmedBefore52);
};

const abhorrent = ({ target }: Blow): boolean => /\b(?:undead|fiend)\b/.test(fold(target.creatureType));

export const divineSmite: Source = {
  name: "Divine Smite",
  aliases: ["Paladin's Smite", "Smite"],
  optional: true,
  verify(blow) {
    const { game, target } = blow;
    const { player, scene, edition } = game;
    const known = feature(player, "Divine Smite") ?? feature(player, "Paladin's Smite");
    const prepared = edition === "5.2" && player.knownSpells.some((spell) => same(spell, "Divine Smite"));
    if (known === undefined && !prepared) return denied(`${player.name} does not have Divine Smite`);
    if (!smites(blow)) return denied("Divine Smite needs a hit with a melee weapon");
    if (edition === "5.2" && (scene.attack === "bonus" || scene.usedThisTurn.includes("Bonus Action"))) {
      return denied("Divine Smite takes the bonus action, and it is spent");
    }
    if (edition === "5.2" && effect(player, "Rage") !== undefined) return denied("no spell can be cast in a rage");
    const slot = chooseSlot(game, blow.slot ?? scene.slotLevel, 1);
    if (!slot.ok) return denied(slot.why);
    const bySlot = edition === "5.1" ? Math.min(5, 1 + slot.level) : 1 + slot.level;
    const hated = abhorrent(blow);
    const why = `a slot of level ${slot.level}${hated ? `, and ${target.name} is ${fold(target.creatureType)}` : ""}`;
    const spec: DamageSpec = {
      label: "Divine Smite",
      count: bySlot + (hated ? 1 : 0),
      sides: 8,
      flats: [],
      damageType: "radiant",
      cause: { rule: "divine-smite", why },
    };
    const onHit = [slot.change, ...(edition === "5.2" ? [spent(game, "Bonus Action")] : [])];
    return { granted: true, why, specs: [spec], onHit };
  },
};

export const improvedDivineSmite: Source = {
  name: "Improved Divine Smite",
  aliases: ["Radiant Strikes"],
  optional: false,
  verify(blow) {
    const { player } = blow.game;
    const known = feature(player, "Improved Divine Smite") ?? feature(player, "Radiant Strikes");
    if (known === undefined) return denied(`${player.name} does not have ${improvedDivineSmite.name}`);
    if (!withMeleeWeapon(blow)) return denied("it needs a hit with a melee weapon");
    const cause = { rule: "improved-divine-smite", why: "a hit with a melee weapon" } as const;
    const spec: DamageSpec = { label: known.name, count: 1, sides: 8, flats: [], damageType: "radiant", cause };
    return { granted: true, why: cause.why, specs: [spec] };
  },
};

export const divineStrike: Source = {
  name: "Divine Strike",
  optional: true,
  verify(blow) {
    const { game } = blow;
    const { player, scene, edition } = game;
    const known =
      feature(player, "Divine Strike") !== undefined || chosen(player, "Blessed Strikes").includes("divine strike");
    if (!known) return denied(`${player.name} does not have Divine Strike`);
    if (!weaponAttack(blow)) return denied("Divine Strike needs a weapon");
    if (scene.usedThisTurn.includes("Divine Strike")) return denied("Divine Strike was used this turn");
    const why = `cleric level ${player.level}`;
    const damageType: DamageType =
      chosen(player, "Divine Strike").includes("necrotic") && edition === "5.2" ? "necrotic" : "radiant";
    const spec: DamageSpec = {
      label: "Divine Strike",
      count: player.level >= 14 ? 2 : 1,
      sides: 8,
      flats: [],
      damageType,
      cause: { rule: "divine-strike", why },
    };
    return { granted: true, why, specs: [spec], onHit: [spent(game, "Divine Strike")] };
  },
};

export const eldritchSmite: Source = {
  name: "Eldritch Smite",
  optional: true,
  verify(blow) {
    const { game, armed } = blow;
    const { player, scene, edition, rulings } = game;
    if (edition === "5.1" && !rulings.eldritchSmiteBefore52) {
      return denied("Eldritch Smite is not in the SRD 5.1; `rulings.eldritchSmiteBefore52` switches it on");
    }
    if (feature(player, "Eldritch Smite") === undefined) return denied(`${player.name} does not have Eldritch Smite`);
    if (armed === undefined || armed.weapon.unarmed) return denied("Eldritch Smite needs the pact weapon");
    if (scene.usedThisTurn.includes("Eldritch Smite")) return denied("Eldritch Smite was used this turn");
    const slot = chooseSlot(game, blow.slot ?? scene.slotLevel, 1);
    if (!slot.ok) return denied(slot.why);
    const why = `a slot of level ${slot.level}`;
    const spec: DamageSpec = {
      label: "Eldritch Smite",
      count: 1 + slot.level,
      sides: 8,
      flats: [],
      damageType: "force",
      cause: { rule: "eldritch-smite", why },
    };
    return { granted: true, why, specs: [spec], onHit: [slot.change, spent(game, "Eldritch Smite")] };
  },
};
