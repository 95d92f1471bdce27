/** What a call spends, as changes; and the game as it is after them, for what comes later in the same call. */
import type { Change, Game } from "@fairlead/contracts/rules";
import { sameName } from "./names.ts";

/** The change that remembers what was used this turn. */
export const markUsed = (
  { player }: Pick<Game, "player">,
  value: string,
  why = `${value} works once a turn`,
): Change => ({
  who: player.name,
  field: "scene.usedThisTurn",
  op: "add",
  value,
  why,
});

/** The change that remembers what a long rest gives back. */
export const markUsedUntilRest = ({ player }: Pick<Game, "player">, value: string): Change => ({
  who: player.name,
  field: "usedSinceRest",
  op: "add",
  value,
  why: `${value} works once a long rest`,
});

/** Whether it can still be used before the next long rest. */
export const isUnusedSinceRest = ({ player }: Pick<Game, "player">, name: string): boolean =>
  !player.usedSinceRest.some((used) => sameName(used, name));

/** The game without what was spent: slots, and what works once a turn or once a rest. Other changes are ignored. */
export const applySpending = (game: Game, changes: readonly Change[]): Game => changes.reduce(applyChange, game);

const applyChange = (game: Game, { field, value }: Change): Game => {
  const { player, scene } = game;
  const [list, level] = field.split(".");
  if (field === "scene.usedThisTurn") {
    return { ...game, scene: { ...scene, usedThisTurn: [...scene.usedThisTurn, String(value)] } };
  }
  if (field === "usedSinceRest") {
    return { ...game, player: { ...player, usedSinceRest: [...player.usedSinceRest, String(value)] } };
  }
  if (list === "spellSlotsUsed" && level !== undefined) {
    return { ...game, player: { ...player, spellSlotsUsed: { ...player.spellSlotsUsed, [level]: Number(value) } } };
  }
  return game;
};
