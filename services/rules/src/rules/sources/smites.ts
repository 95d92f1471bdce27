/** Smites that features have: Divine Smite, Paladin's Smite without a slot, Eldritch Smite. */
import type { Change, Game } from "@fairlead/contracts/rules";
import { castWithSlot, hindersCasting } from "../../sheet/casting.ts";
import { feature, isOfType, prone } from "../../sheet/character.ts";
import { fold, same } from "../../sheet/names.ts";
import { chooseSlot } from "../../sheet/spell-slots.ts";
import { rested, spent, spentUntilRest } from "../../sheet/spent.ts";
import type { DamageSpec } from "../damage.ts";
import { afflicted } from "../rider.ts";
import { type Blow, denied, type Source, type Verdict } from "./source.ts";

/** A hit with a melee weapon, thrown ones included; bare hands count in 5.2. */
export const withMeleeWeapon = ({ game, armed }: Blow): boolean =>
  armed !== undefined && (armed.weapon.unarmed ? game.edition === "5.2" : !armed.weapon.ranged);

/** What Divine Smite asks for: in 5.1 a melee attack, and bare hands by the table's ruling alone. */
const smites = (blow: Blow): boolean => {
  const { game, kind, armed } = blow;
  if (game.edition === "5.2") return withMeleeWeapon(blow);
  return armed !== undefined && kind === "melee" && (!armed.weapon.unarmed || game.rulings.smiteUnarmedBefore52);
};

const abhorrent = ({ target }: Blow): boolean => isOfType(target, "undead") || isOfType(target, "fiend");

/** 5.2: why a spell that takes a bonus action after the hit cannot be cast. */
export const hindersSmite = (game: Game, name: string): string | undefined =>
  game.scene.usedThisTurn.includes("Bonus Action")
    ? `${name} takes the bonus action, and it is spent`
    : hindersCasting(game);

/** What a smite is paid with. */
interface Payment {
  readonly level: number;
  readonly changes: readonly Change[];
  readonly why: string;
}

/** The damage of a Divine Smite that is paid for; 5.1 counts no slot level above the fourth. */
const smite = (blow: Blow, { level, changes, why: paid }: Payment): Verdict => {
  const { game, target } = blow;
  const hated = abhorrent(blow);
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
    onHit: [...changes, ...(game.edition === "5.2" ? [spent(game, "Bonus Action")] : [])],
  };
};

const paladinsSmiteName = "Paladin's Smite";

const noSmite = (blow: Blow): string | undefined => {
  if (!smites(blow)) return "Divine Smite needs a hit with a melee weapon";
  return blow.game.edition === "5.2" ? hindersSmite(blow.game, "Divine Smite") : undefined;
};

export const divineSmite: Source = {
  name: "Divine Smite",
  aliases: ["Smite"],
  optional: true,
  verify(blow) {
    const { game } = blow;
    const { player, scene, edition } = game;
    const known = feature(player, "Divine Smite") ?? feature(player, paladinsSmiteName);
    const prepared = edition === "5.2" && player.knownSpells.some((spell) => same(spell, "Divine Smite"));
    if (known === undefined && !prepared) return denied(`${player.name} does not have Divine Smite`);
    const forbidden = noSmite(blow);
    if (forbidden !== undefined) return denied(forbidden);
    const slot = castWithSlot(game, blow.slot ?? scene.slotLevel, 1);
    return slot.ok ? smite(blow, { ...slot, why: `a slot of level ${slot.level}` }) : denied(slot.why);
  },
};

/** 5.2: one Divine Smite without a slot between long rests. */
export const paladinsSmite: Source = {
  name: paladinsSmiteName,
  optional: true,
  verify(blow) {
    const { player, edition } = blow.game;
    const { name } = paladinsSmite;
    if (edition === "5.1") return denied(`${name} is a rule of 5.2`);
    if (feature(player, name) === undefined) return denied(`${player.name} does not have ${name}`);
    const forbidden = noSmite(blow);
    if (forbidden !== undefined) return denied(forbidden);
    if (!rested(blow.game, name)) return denied(`${name} was used since the last long rest`);
    const changes = [spentUntilRest(blow.game, name)];
    return smite(blow, { level: 1, changes, why: "without a slot, once a long rest" });
  },
};

/** The creature falls, unless it is gargantuan or lies already. */
const felled = ({ target }: Blow): readonly Change[] =>
  target.size === "gargantuan" || prone(target) ? [] : [afflicted(target, "Prone", "Eldritch Smite")];

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
    const onHit = [slot.change, spent(game, "Eldritch Smite"), ...felled(blow)];
    return { granted: true, why, specs: [spec], onHit };
  },
};
