/** Whether a barbarian rages, and whether that helps: heavy armor leaves nothing of it in 5.1, and ends it in 5.2. */
import type { Player } from "@fairlead/contracts/rules";
import { cannotAct, effect, feature, isUnconscious, type Sheet } from "./character.ts";

const wearsHeavyArmor = ({ worn }: Player): boolean => worn.armor === "heavy";

/** Rage is among the effects, and nothing has ended it; no spell can be cast then. */
export const isRaging = ({ player, edition }: Sheet): boolean => {
  if (effect(player, "Rage") === undefined) return false;
  return edition === "5.1" ? !isUnconscious(player) : cannotAct(player) === undefined && !wearsHeavyArmor(player);
};

/** Why a rage gives nothing; `undefined` when it does. */
export const rageObstacle = (game: Sheet): string | undefined => {
  const { player } = game;
  if (feature(player, "Rage") === undefined) return `${player.name} does not have Rage`;
  if (effect(player, "Rage") === undefined) return `${player.name} is not raging`;
  if (wearsHeavyArmor(player)) return "rage gives nothing in heavy armor";
  return isRaging(game) ? undefined : "the rage has ended";
};

export const rageHelps = (game: Sheet): boolean => rageObstacle(game) === undefined;
