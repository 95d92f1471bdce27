/**
 * What the marks on a creature (Bless, Haste, Shield of Faith, exhaustion) do to its saves, to its Armor Class, and to attacks against it: the same lines of the
 * language that count for a character. A creature has conditions alone, so nothing that asks for a sheet is at work.
 *
 * Not here: the lines (`effects/table.ts`), and what the conditions of the rule books do to attacks (`plan/circumstances.ts`).
 */
import { type Ability, type Change, type Game, game as gameSchema, type Npc } from "@fairlead/contracts/rules";
import type { Edition } from "../data/weapons.ts";
import { effectsOn, noEffects, type RollEffects, type RollFacts } from "../effects/apply.ts";
import { identify } from "../sheet/character.ts";

const blanks = new Map<Edition, Game>();

/** A game in which nothing is at work. */
export const blankGame = (edition: Edition): Game => {
  const known = blanks.get(edition);
  if (known !== undefined) return known;
  const blank = gameSchema.parse({ edition, player: { name: "creature", characterClass: "Monster", level: 1 } });
  blanks.set(edition, blank);
  return blank;
};

type MarkBearer = Pick<Npc, "name" | "conditions">;

export const markEffects = ({ name, conditions }: MarkBearer, edition: Edition, facts: RollFacts): RollEffects => {
  if (conditions.length === 0) return noEffects;
  const blank = blankGame(edition);
  return effectsOn({ ...blank, player: { ...blank.player, name, conditions } }, facts);
};

/** Marks that were for one saving throw: the Resistance of 5.1. */
export const marksEndedBySave = (target: Npc, edition: Edition, ability: Ability): readonly Change[] =>
  markEffects(target, edition, { roll: "save", ability }).ends.map(({ change }) => ({
    ...change,
    ...identify(target),
  }));
