/**
 * Whether one creature sees another, as attacks ask it: conditions, the light where the scene says it, and special senses within their range. A distance that the game does not state is within range.
 *
 * Not here: cover, hiding, and what the scene says outright (`attackerUnseen`, `targetUnseen`).
 */
import type { Game, Npc, Player } from "@fairlead/contracts/rules";
import { hasCondition } from "../sheet/character.ts";

interface SightFacts {
  readonly light: Game["scene"]["light"];
  /** Feet between the two. */
  readonly distance: number | undefined;
}

/** Of the character and a creature. */
export const sightFacts = ({ scene }: Game, { distance }: Npc): SightFacts => ({ light: scene.light, distance });

/** Blindness of the viewer is a condition with rules of its own and does not count here. */
export const sees = (
  { light, distance }: SightFacts,
  { senses }: Pick<Player | Npc, "senses">,
  seen: Pick<Player | Npc, "conditions">,
): boolean => {
  const reaches = (range: number | undefined): boolean => range !== undefined && range > 0 && (distance ?? 0) <= range;
  if (reaches(senses.truesight) || reaches(senses.blindsight)) return true;
  if (hasCondition(seen, "Invisible")) return false;
  return light !== "dark" || reaches(senses.darkvision);
};
