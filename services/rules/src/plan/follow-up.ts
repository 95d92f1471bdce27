/** An attack that follows another on the same turn: the extra one of two light weapons, which Nick makes free, or that of Cleave. */
import type { Change, Game } from "@fairlead/contracts/rules";
import type { Mastery } from "../data/weapons.ts";
import { feature } from "../sheet/character.ts";
import { markUsed } from "../sheet/spending.ts";
import type { Weapon } from "../sheet/weapon.ts";
import type { WeaponUse } from "../sheet/weapon-use.ts";

type FollowUpResult =
  | { readonly ok: true; readonly spends: readonly Change[] }
  | { readonly ok: false; readonly why: string };

interface FollowUpAttack {
  readonly weapon: Weapon;
  readonly wield: WeaponUse;
  readonly mastery: Mastery | undefined;
}

interface BonusAttack {
  /** What it uses, as a turn remembers it. */
  readonly mark: "Nick" | "Bonus Action";
  /** Attacks that this gives. */
  readonly strikes: number;
}

/** What an attack as a bonus takes: Nick makes it a part of the action, and Flurry of Blows gives two strikes, later three. */
export const bonusAttack = ({ player }: Game, { unarmed }: Weapon, mastery: Mastery | undefined): BonusAttack => {
  if (!unarmed) return { mark: mastery === "Nick" ? "Nick" : "Bonus Action", strikes: 1 };
  const flurry = feature(player, "Flurry of Blows") !== undefined;
  const heightened = feature(player, "Heightened Focus") !== undefined;
  return { mark: "Bonus Action", strikes: !flurry ? 1 : heightened ? 3 : 2 };
};

/** Whether it can be made, and what it spends. An attack of the action itself always can. */
export const planFollowUp = (game: Game, { weapon, wield, mastery }: FollowUpAttack): FollowUpResult => {
  const { scene, player } = game;
  const no = (why: string): FollowUpResult => ({ ok: false, why });
  const used = (what: string): boolean => scene.usedThisTurn.includes(what);
  switch (scene.attack) {
    case "action":
    case "reaction":
      return { ok: true, spends: [] };
    case "cleave":
      if (mastery !== "Cleave" || wield.kind !== "melee") return no(`${player.name} cannot cleave with ${weapon.name}`);
      return used("Cleave") ? no("Cleave works once a turn") : { ok: true, spends: [markUsed(game, "Cleave")] };
    case "bonus": {
      const { mark, strikes } = bonusAttack(game, weapon, mastery);
      if (used(mark) && strikes === 1)
        return no(mark === "Nick" ? "Nick works once a turn" : "the bonus action is spent");
      return { ok: true, spends: [markUsed(game, mark)] };
    }
  }
};
