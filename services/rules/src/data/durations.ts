/**
 * How long something lasts, as the words of a mark say it ("is blinded until the start of your next turn"), and as a spell's own duration has it. Facts under CC-BY-4.0, see NOTICE.
 */
import { spellRounds } from "../../gen/spell-rounds.ts";
import type { Edition } from "./weapons.ts";

/** Until a turn of the one who did it, or of the one it was done to, begins or ends. */
interface StatedDuration {
  readonly whose: "actor" | "target";
  readonly at: "start" | "end";
}

const stated: readonly (readonly [words: string, duration: StatedDuration])[] = [
  ["the start of your next turn", { whose: "actor", at: "start" }],
  ["before your next turn", { whose: "actor", at: "start" }],
  ["the end of your next turn", { whose: "actor", at: "end" }],
  ["the start of its next turn", { whose: "target", at: "start" }],
  ["the end of its next turn", { whose: "target", at: "end" }],
];

export const statedDuration = (words: string): StatedDuration | undefined =>
  stated.find(([phrase]) => words.includes(phrase))?.[1];

/** Rounds of six seconds; `undefined` for what is over at once, or outlasts an hour. */
export const readSpellRounds = (spell: string, edition: Edition): number | undefined => {
  const found = Object.entries(spellRounds[edition]).find(([, names]) => names.includes(spell));
  return found === undefined ? undefined : Number(found[0]);
};

/** What damage does to a spell's effect on whoever takes it. */
interface DamageEnding {
  /** `caster's side`: only damage that the caster or a companion deals. */
  readonly by: "anybody" | "caster's side";
  /** A save ends it; without one it is over. */
  readonly save?: "plain" | "advantage";
}

const ends: DamageEnding = { by: "anybody" };
const harmed: DamageEnding = { by: "caster's side" };
const saves: DamageEnding = { by: "anybody", save: "plain" };

const damageEndings: Readonly<Record<string, DamageEnding>> = {
  "Animal Friendship": harmed,
  "Charm Monster": harmed,
  "Charm Person": harmed,
  "Dominate Beast": saves,
  "Dominate Monster": saves,
  "Dominate Person": saves,
  "Hideous Laughter": { by: "anybody", save: "advantage" },
  "Hypnotic Pattern": ends,
  "Mass Suggestion": harmed,
  "Modify Memory": ends,
  Sleep: ends,
  Suggestion: harmed,
};

export const readDamageEnding = (spell: string): DamageEnding | undefined => damageEndings[spell];
