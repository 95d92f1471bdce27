/**
 * What armor and a shield do to rolls: training, noise, and the features that need neither. Armor Class is the caller's number;
 * `figures.ts` computes it.
 */
import type { Ability, Game, Player } from "@fairlead/contracts/rules";
import type { Cause } from "../result/trace.ts";
import { feature, type Sheet } from "./character.ts";
import { fold } from "./names.ts";

/** True for "Heavy Armor", "heavy", and, for armor, "All Armor". */
const hasArmorTraining = (player: Player, what: string): boolean => {
  const written = new Set(player.armorProficiencies.map(fold));
  if (what === "shield") return written.has("shield") || written.has("shields");
  return [what, `${what} armor`, "all armor", "all"].some((name) => written.has(name));
};

export const hasShieldTraining = (player: Player): boolean => hasArmorTraining(player, "shield");

/** What is worn without training: the armor, and in 5.1 a shield as well. */
export const untrainedArmor = ({ player, edition }: Sheet): string | undefined => {
  const { armor, shield } = player.worn;
  if (armor !== "none" && !hasArmorTraining(player, armor)) return `${armor} armor`;
  return edition === "5.1" && shield > 0 && !hasShieldTraining(player) ? "a shield" : undefined;
};

/** Disadvantage on what strength and dexterity do, for who wears what they are not trained with. */
export const armorDisadvantage = (game: Game, ability: Ability | undefined): readonly Cause[] => {
  if (ability !== "strength" && ability !== "dexterity") return [];
  const what = untrainedArmor(game);
  return what === undefined ? [] : [{ rule: "armor-training", why: `${game.player.name} is not trained with ${what}` }];
};

/** The feature, for who wears neither armor nor a shield. */
export const usesMartialArts = (player: Player): boolean =>
  feature(player, "Martial Arts") !== undefined && player.worn.armor === "none" && player.worn.shield === 0;
