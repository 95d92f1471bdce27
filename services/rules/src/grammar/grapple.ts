/**
 * Grapples and shoves in a clause: a verb and a creature of the game. Without a creature they are a matter of Athletics (`skill-phrases.ts`).
 *
 * Not here: how they are resolved (`resolve/contest.ts`).
 */
import type { ClassifiedCall, Game, Npc } from "@fairlead/contracts/rules";
import { findTarget } from "../sheet/target.ts";
import type { FoundCall } from "./attack.ts";
import { grappleCall, unsureCall } from "./calls.ts";
import { findCreature } from "./mentions.ts";
import { type Clause, stem } from "./words.ts";

type GrappleAttempt = Extract<ClassifiedCall, { readonly procedure: "resolveGrapple" }>["intent"]["attempt"];

const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));

const holds = stems("grapple wrestle tackle restrain");
const grabs = stems("grab seize pin");
const shoves = stems("shove push");
const trips = stems("trip");
const floors = stems("prone down ground floor over");
/** Behind a creature; another word is a thing of it: "the goblin's cart". */
const afterCreature = new Set(
  "and by from in to around with so before down against off away back into out onto toward towards over prone aside hard through past under".split(
    " ",
  ),
);

const readAttempt = ({ stems: all, words }: Clause, at: number, creatureEnd: number): GrappleAttempt | undefined => {
  const verb = all[at] ?? "";
  const next = words[creatureEnd];
  const isCreature = next === undefined || afterCreature.has(next);
  if (holds.has(verb)) return "grapple";
  if (!isCreature) return undefined;
  if (trips.has(verb)) return "shove_prone";
  const isFloored = all.slice(creatureEnd).some((word) => floors.has(word));
  if (shoves.has(verb)) return isFloored ? "shove_prone" : "shove_away";
  if (verb === stem("knock")) return isFloored ? "shove_prone" : undefined;
  return grabs.has(verb) ? "grapple" : undefined;
};

/** The creature's numbers, as far as the game has them: exact in 5.2, the nearest in 5.1. */
const opposedBonus = ({ savingThrowBonus, savingThrows }: Npc): number =>
  Math.max(savingThrows?.strength ?? savingThrowBonus, savingThrows?.dexterity ?? savingThrowBonus);

const verbs = new Set([...holds, ...grabs, ...shoves, ...trips, stem("knock")]);

/** Reads a grapple or a shove of a creature that the clause names; `undefined` where it has none. */
export const findGrapple = (game: Game, clause: Clause): FoundCall | undefined => {
  const at = clause.stems.findIndex((word) => verbs.has(word));
  if (at < 0 || (!clause.words.slice(0, at).includes("i") && clause.words.slice(0, at).includes("my")))
    return undefined;
  const behind = { words: clause.words.slice(at + 1), stems: clause.stems.slice(at + 1) };
  const creature = findCreature(game, behind);
  if (creature.kind === "none") return undefined;
  if (creature.kind === "several") {
    const certain = readAttempt(clause, at, clause.words.length);
    return certain === undefined || grabs.has(clause.stems[at] ?? "")
      ? undefined
      : { at, call: unsureCall("which creature is meant", creature.names) };
  }
  const end = at + 1 + creature.at + creature.wordCount;
  const attempt = readAttempt(clause, at, end);
  if (attempt === undefined || creature.at > 3) return undefined;
  const target = findTarget(game, creature.name);
  return { at, call: grappleCall({ attempt, target: creature.name, opposed: opposedBonus(target) }) };
};
