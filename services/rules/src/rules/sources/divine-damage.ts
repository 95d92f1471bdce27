/** Divine damage that comes with a hit and costs nothing: Improved Divine Smite (Radiant Strikes), Divine Strike. */
import type { DamageType } from "@fairlead/contracts/rules";
import { chosenOptions, feature } from "../../sheet/character.ts";
import { levelIn } from "../../sheet/class-levels.ts";
import { featureDice } from "../../sheet/scaling-formula.ts";
import { markUsed } from "../../sheet/spending.ts";
import type { DamageSpec } from "../damage.ts";
import { usesMeleeWeapon } from "./smites.ts";
import { type DamageSource, deny, isWeaponAttack } from "./source.ts";

export const improvedDivineSmite: DamageSource = {
  name: "Improved Divine Smite",
  aliases: ["Radiant Strikes"],
  optional: false,
  verify(blow) {
    const { player } = blow.game;
    const known = feature(player, "Improved Divine Smite") ?? feature(player, "Radiant Strikes");
    if (known === undefined) return deny(`${player.name} does not have ${improvedDivineSmite.name}`);
    if (!usesMeleeWeapon(blow)) return deny("it needs a hit with a melee weapon");
    const cause = { rule: "improved-divine-smite", why: "a hit with a melee weapon" } as const;
    const name = feature(player, "Improved Divine Smite") === undefined ? "Radiant Strikes" : "Improved Divine Smite";
    const dice = featureDice(player, name, { count: 1, sides: 8 });
    const spec: DamageSpec = { label: known.name, ...dice, flats: [], damageType: "radiant", cause };
    return { granted: true, why: cause.why, specs: [spec] };
  },
};

export const divineStrike: DamageSource = {
  name: "Divine Strike",
  optional: true,
  verify(blow) {
    const { game } = blow;
    const { player, scene, edition } = game;
    const known =
      feature(player, "Divine Strike") !== undefined ||
      chosenOptions(player, "Blessed Strikes").includes("divine strike");
    if (!known) return deny(`${player.name} does not have Divine Strike`);
    if (!isWeaponAttack(blow)) return deny("Divine Strike needs a weapon");
    if (scene.usedThisTurn.includes("Divine Strike")) return deny("Divine Strike was used this turn");
    const why = `cleric level ${levelIn(player, "cleric")}`;
    const damageType: DamageType =
      chosenOptions(player, "Divine Strike").includes("necrotic") && edition === "5.2" ? "necrotic" : "radiant";
    const spec: DamageSpec = {
      label: "Divine Strike",
      ...featureDice(player, "Divine Strike", { count: levelIn(player, "cleric") >= 14 ? 2 : 1, sides: 8 }),
      flats: [],
      damageType,
      cause: { rule: "divine-strike", why },
    };
    return { granted: true, why, specs: [spec], onHit: [markUsed(game, "Divine Strike")] };
  },
};
