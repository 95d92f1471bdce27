/**
 * What the classifier needs of the game: names, and the level. No armor class, hit points, scores, modifiers,
 * slots or dice, so that there is nothing to compute with.
 */
import type { Game } from "@fairlead/contracts/rules";
import { oneLine } from "../result/raw.ts";
import { classText } from "../sheet/class-levels.ts";
import { fold } from "../sheet/names.ts";
import { targetNames } from "../sheet/target.ts";
import { weaponsAtHand } from "../sheet/weapon.ts";

const longest = 80;
const most = 100;

/** One line, cut where it is too long: no name can write lines of its own. */
const plain = (text: string): string => oneLine(text).slice(0, longest);

const list = (names: readonly string[]): string =>
  [...new Set(names.map(plain))]
    .filter((name) => name !== "")
    .slice(0, most)
    .join(", ") || "none";

const className = (player: Game["player"]): string =>
  player.classLevels === undefined ? player.characterClass : classText(player);

/** The user message: the scene in lines, and what the player says as one quoted text that it cannot leave. */
export const userMessage = (game: Game, playerInput: string): string => {
  const { player } = game;
  const weapons = weaponsAtHand(game).map(({ name }) => name);
  const armed = new Set(weapons.map(fold));
  return [
    `Character: ${plain(player.name)}, ${plain(className(player))}, level ${player.level}`,
    `Features: ${list(player.features.map(({ name }) => name))}`,
    `Weapons: ${list(weapons)}`,
    `Other belongings: ${list((player.inventory ?? []).filter((item) => !armed.has(fold(item))))}`,
    `Spells: ${list([...player.cantrips, ...player.knownSpells])}`,
    `Conditions: ${list(player.conditions)}`,
    `Creatures: ${list(targetNames(game))}`,
    `The player says: ${JSON.stringify(playerInput)}`,
  ].join("\n");
};
