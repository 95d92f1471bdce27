/** Divine damage that comes with a hit and costs nothing: Improved Divine Smite (Radiant Strikes), Divine Strike. */
import type { DamageType } from "@fairlead/contracts/rules";
import { chosen, feature } from "../../sheet/character.ts";
import { spent } from "../../sheet/spent.ts";
import type { DamageSpec } from "../damage.ts";
import { withMeleeWeapon } from "./smites.ts";
import { denied, type Source, weaponAttack } from "./source.ts";

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
