/** What changes the d20 itself, on every test of the character: a halfling's luck, and the third die that a ruling allows. */
import type { Ability, Game } from "@fairlead/contracts/rules";
import { hasHalflingLuck } from "../sheet/character.ts";
import type { D20Test } from "./d20.ts";

/** A halfling's luck, and the third die of the ruling. */
export const luckAndAccuracy = (
  { player, rulings }: Game,
  ability: Ability | undefined,
): Pick<D20Test, "luck" | "thirdDie"> => ({
  ...(hasHalflingLuck(player) && { luck: { rule: "halfling-luck", why: `${player.name} is lucky` } }),
  ...(rulings.elvenAccuracy &&
    ability !== "strength" &&
    ability !== "constitution" &&
    ability !== undefined && { thirdDie: { rule: "elven-accuracy", why: "switched on for this table" } }),
});
