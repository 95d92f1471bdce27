/**
 * A casting that goes on: the marks "Concentrating (Moonbeam)" and "Sustaining (Spiritual Weapon, level 4)" among the caster's conditions, and what a later use of it costs.
 *
 * Not here: which spells go on (`data/ongoing-spells.ts`), and the casting itself (`casting.ts`).
 */
import type { Change, Game, Npc, Player } from "@fairlead/contracts/rules";
import { type OngoingCost, type OngoingSpell, ongoingSpells } from "../data/ongoing-spells.ts";
import { baseName, sameName } from "./names.ts";
import { markUsed } from "./spending.ts";

type Caster = Pick<Game, "player" | "edition">;

interface CastingMark {
  readonly spell: string;
  /** Level of its slot, where that is not the spell's own. */
  readonly level: number | undefined;
}

const written = /^\s{0,9}(concentrating|sustaining) \(([^(),]{1,80})(?:, level ([1-9]))?\)\s{0,9}$/i;

/** What a condition says of a casting: `undefined` for any other condition. */
export const readCasting = (condition: string): CastingMark | undefined => {
  const [, , spell, level] = written.exec(condition) ?? [];
  return spell === undefined ? undefined : { spell, level: level === undefined ? undefined : Number(level) };
};

/** "Concentrating (Moonbeam, level 4)"; the level only where the slot is higher than the spell. */
export const writeCasting = (
  verb: "Concentrating" | "Sustaining",
  { name, level }: { readonly name: string; readonly level: number },
  slotLevel: number,
): string => `${verb} (${name}${slotLevel > level ? `, level ${slotLevel}` : ""})`;

const findCasting = ({ conditions }: Pick<Player, "conditions">, spell: string): CastingMark | undefined =>
  conditions.map(readCasting).find((one) => one !== undefined && sameName(one.spell, spell));

export const findOngoing = ({ edition }: Pick<Game, "edition">, spell: string): OngoingSpell | undefined =>
  ongoingSpells[edition].find(({ name }) => sameName(name, baseName(spell)));

/** The casting that this call goes on with; a call that names a slot casts it a second time. */
export const ongoingCasting = (
  { player, edition, scene }: Caster & Pick<Game, "scene">,
  spell: string,
): (CastingMark & { readonly cost: OngoingCost }) | undefined => {
  const row = findOngoing({ edition }, spell);
  if (row === undefined || scene.slotLevel !== undefined) return undefined;
  const casting = findCasting(player, row.name);
  return casting === undefined ? undefined : { ...casting, cost: row.cost };
};

/** Level of the slot of a casting at work. */
export const castingLevel = ({ player }: Pick<Game, "player">, spell: string): number | undefined =>
  findCasting(player, spell)?.level;

const areaMark = ({ player }: Pick<Game, "player">, spell: string, { id, name }: Npc): string =>
  `${player.name}'s ${spell} on ${id === "" ? name : id}`;

/** Why the area does nothing to the creature now. */
export const areaObstacle = (game: Game, spell: string, target: Npc): string | undefined => {
  const mark = areaMark(game, spell, target);
  return game.scene.usedThisTurn.some((used) => sameName(used, mark))
    ? `${spell} works on ${target.name} once a turn, and did so in this one`
    : undefined;
};

/** That an area has worked on the creature in this turn. */
export const markArea = (game: Game, spell: string, target: Npc): Change =>
  markUsed(game, areaMark(game, spell, target), `${spell} works on a creature once a turn`);

/** Marks of areas are kept in the turns of others, too. */
export const isAreaMark = ({ player }: Pick<Game, "player">, used: string): boolean =>
  used.startsWith(`${player.name}'s `) && used.includes(" on ");
