/** Weapon masteries (5.2): what a hit or a miss with a mastered weapon does in addition to its damage. */
import type { Game, Npc } from "@fairlead/contracts/rules";
import type { Mastery } from "../data/weapons.ts";
import { proficiencyBonus } from "../sheet/character.ts";
import { baseName, fold } from "../sheet/names.ts";
import type { Weapon } from "../sheet/weapon.ts";
import type { WeaponUse } from "../sheet/weapon-use.ts";
import { addCondition, knockProne, type Rider } from "./rider.ts";

/** The weapon's mastery, when the character has unlocked it for that weapon. */
export const unlockedMastery = ({ player, edition }: Game, weapon: Weapon): Mastery | undefined => {
  const { row } = weapon;
  if (edition !== "5.2" || row?.mastery === undefined) return undefined;
  const unlocked = player.weaponMasteries.some((name) => fold(baseName(name)) === fold(row.name));
  return unlocked ? row.mastery : undefined;
};

/** Creatures that are too large to be pushed or thrown down. */
export const isTooLarge = ({ size }: Npc): boolean => size === "huge" || size === "gargantuan";

/** What a hit does. `dealt` is the damage that went through. */
export const masteryRiders = (
  mastery: Mastery,
  { game, wield, target, dealt }: { game: Game; wield: WeaponUse; target: Npc; dealt: number },
): readonly Rider[] => {
  const { player, scene } = game;
  switch (mastery) {
    case "Cleave": {
      if (wield.kind !== "melee" || scene.attack === "cleave" || scene.usedThisTurn.includes("Cleave")) return [];
      const effect = `one more attack on a creature within 5 feet of ${target.name}, without the modifier to damage`;
      return [{ label: "Cleave", rule: "cleave", effect, changes: [] }];
    }
    case "Push": {
      if (isTooLarge(target)) return [];
      const effect = `${target.name} can be pushed 10 feet straight away`;
      return [{ label: "Push", rule: "push", effect, changes: [] }];
    }
    case "Sap": {
      const effect = `${target.name} has disadvantage on its next attack roll`;
      const change = addCondition(target, "Sapped", "disadvantage on its next attack roll before your next turn");
      return [{ label: "Sap", rule: "sap", effect, changes: [change] }];
    }
    case "Slow": {
      if (dealt === 0) return [];
      const effect = `the speed of ${target.name} is reduced by 10 feet`;
      const change = addCondition(target, "Slowed", "speed -10 feet until the start of your next turn");
      return [{ label: "Slow", rule: "slow", effect, changes: [change] }];
    }
    case "Topple": {
      const dc = 8 + wield.modifier + proficiencyBonus(player);
      return knockProne(target, { label: "Topple", rule: "topple", save: { ability: "constitution", dc } });
    }
    case "Vex": {
      if (dealt === 0) return [];
      const why = "advantage on the next attack roll against it before the end of your next turn";
      const change = {
        who: player.name,
        field: "effects",
        op: "add",
        value: `Vex: ${target.id || target.name}`,
        why,
      } as const;
      const effect = `advantage on the next attack roll against ${target.name}`;
      return [{ label: "Vex", rule: "vex", effect, changes: [change] }];
    }
    case "Graze":
    case "Nick":
      return [];
  }
};
