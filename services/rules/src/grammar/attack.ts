/** Attacks and spells in a clause: verbs that hurt, with the weapon, spell and creature that the game has. */
import type { Game } from "@fairlead/contracts/rules";
import type { Classification } from "../classification/classification.ts";
import { impossibleCall, noCheckCall, unsureCall } from "./calls.ts";
import {
  findCastable,
  findClaims,
  findCreature,
  findKnownSpell,
  findMissingWeapon,
  findWeapon,
  type Mention,
  mainWeapon,
  throwable,
  weaponWords,
} from "./mentions.ts";
import { type Clause, stem } from "./words.ts";

export interface FoundCall {
  /** Index of the word that says it. */
  readonly at: number;
  readonly call: Classification;
}

const stems = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stem));

const strikes = stems(
  "attack strike hit stab slash slice swing thrust smash smite cut chop pierce impale bash whack kill slay fight lunge skewer hack cleave bludgeon jab clobber pummel batter assault backstab behead decapitate murder gut maim wound hurt carve slit drive bury plunge flank ambush finish execute",
);
const shots = stems("shoot fire loose snipe pepper");
const blows = stems("punch kick headbutt elbow knee slap uppercut");
const throws = stems("throw hurl toss fling lob");
const casts = stems("cast invoke channel unleash conjure blast zap use");

/** What people take to pieces, and open or cut without a roll of an attack. */
const objects = stems(
  "door gate chest wall lock rope chain window crate barrel table chair statue tree vine web curtain portrait altar mirror lever pillar boulder bar lid bottle torch lamp chandelier bridge cart wagon fence bookcase barricade board",
);

/** Reads an attack or a spell; `undefined` where the clause has none. */
export const findAttack = (game: Game, clause: Clause, whole: Clause): FoundCall | undefined =>
  findSpellCall(game, clause, whole) ?? findWeaponCall(game, clause, whole);

const findSpellCall = (game: Game, clause: Clause, whole: Clause): FoundCall | undefined => {
  const verb = clause.stems.findIndex((word) => casts.has(word));
  const spell = findCastable(game, clause);
  if (spell.kind === "several")
    return { at: Math.max(0, verb), call: unsureCall("which spell or type is meant", spell.names) };
  if (spell.kind === "one") {
    const at = verb < 0 ? spell.at : Math.min(verb, spell.at);
    const rest = withoutSpell(clause, spell.name);
    if (findCreature(game, rest).kind === "none" && namesSomebody(rest, -1)) return { at, call: missingCreature(game) };
    const target = findTarget(game, rest, whole);
    if (target.kind !== "one") return { at, call: targetCall(target) };
    return { at, call: attackCall(spell.name, target.name, { spell: spell.name, claims: [] }) };
  }
  if (verb < 0 || clause.stems[verb] !== "cast") return undefined;
  const known = findKnownSpell(game, clause);
  if (known.kind === "one")
    return { at: verb, call: noCheckCall(`Casting ${known.name} needs no roll of the caster.`) };
  const known_ = [...game.player.cantrips, ...game.player.knownSpells];
  const spells = known_.length === 0 ? "none" : known_.slice(0, 20).join(", ");
  return { at: verb, call: impossibleCall(`${game.player.name} knows no such spell; known: ${spells}.`) };
};

/** Words of a spell's name are no creature: "hold monster", "charm person". */
const withoutSpell = (clause: Clause, spell: string): Clause => {
  const words = new Set(spell.toLowerCase().split(/[^a-z]+/));
  const kept = clause.words.flatMap((word, index) => (words.has(word) ? [] : [index]));
  return {
    words: kept.map((index) => clause.words[index] ?? ""),
    stems: kept.map((index) => clause.stems[index] ?? ""),
  };
};

type Manner = "strike" | "shoot" | "blow" | "throw";

const readManner = (word: string): Manner | undefined => {
  if (shots.has(word)) return "shoot";
  if (blows.has(word)) return "blow";
  if (throws.has(word)) return "throw";
  return strikes.has(word) ? "strike" : undefined;
};

const findWeaponCall = (game: Game, clause: Clause, whole: Clause): FoundCall | undefined => {
  const claims = findClaims(game, clause);
  const at = clause.stems.findIndex((word) => readManner(word) !== undefined);
  const manner = readManner(clause.stems[at] ?? "");
  if (manner === undefined) return undefined;
  if (isSomebodyElse(game, clause, at)) return undefined;
  const target = findCreature(game, clause);
  const weapon = preferred(findWeapon(game, clause), findWeapon(game, whole));
  const isObject = target.kind === "none" && clause.stems.slice(at).some((word) => objects.has(word));
  if (isObject || (manner === "throw" && weapon.kind === "none")) return undefined;
  if (
    target.kind === "none" &&
    weapon.kind === "none" &&
    manner !== "shoot" &&
    claims.length === 0 &&
    !isBare(clause, at)
  ) {
    return namesSomebody(clause, at) ? { at, call: missingCreature(game) } : undefined;
  }
  const missing = findMissingWeapon(game, clause);
  if (missing !== undefined) {
    return { at, call: impossibleCall(`${game.player.name} has no ${missing.toLowerCase()} at hand.`) };
  }
  const found = target.kind === "none" ? findTarget(game, clause, whole) : target;
  if (target.kind === "none" && namesSomebody(clause, at)) return { at, call: missingCreature(game) };
  if (target.kind === "none" && namesSomething(game, clause, at)) {
    return {
      at,
      call: unsureCall(
        "which creature is meant",
        game.npcs.map(({ name: npc }) => npc),
      ),
    };
  }
  if (found.kind !== "one") return { at, call: targetCall(found) };
  if (weapon.kind === "several") return { at, call: unsureCall("which weapon is meant", weapon.names) };
  const name = weapon.kind === "one" ? weapon.name : defaultWeapon(game, manner);
  if (name === undefined)
    return { at, call: impossibleCall(`${game.player.name} has nothing at hand to do that with.`) };
  return { at: claims.length > 0 ? 0 : at, call: attackCall(name, found.name, { claims }) };
};

const preferred = (mention: Mention, other: Mention): Mention => (mention.kind === "none" ? other : mention);

const defaultWeapon = (game: Game, manner: Manner): string | undefined => {
  switch (manner) {
    case "shoot":
      return mainWeapon(game, true);
    case "blow":
      return "Unarmed Strike";
    case "throw":
      return throwable(game);
    case "strike":
      return mainWeapon(game, false) ?? mainWeapon(game, true) ?? "Unarmed Strike";
  }
};

/** Names without a verb: a weapon and a creature ("Shortbow on the goblin"), or a spell that needs no roll. */
export const findUnspoken = (game: Game, clause: Clause): Classification | undefined => {
  const [weapon, target, spell] = [findWeapon(game, clause), findCreature(game, clause), findKnownSpell(game, clause)];
  if (weapon.kind === "one" && target.kind === "one") {
    return attackCall(weapon.name, target.name, { claims: findClaims(game, clause) });
  }
  return spell.kind === "one" ? noCheckCall(`Casting ${spell.name} needs no roll of the caster.`) : undefined;
};

/** "The goblin attacks me" and "my friend attacks the goblin" are not what the player does. */
const isSomebodyElse = (game: Game, clause: Clause, verb: number): boolean => {
  const before = { words: clause.words.slice(0, verb), stems: clause.stems.slice(0, verb) };
  const after = clause.words.slice(verb + 1, verb + 4);
  if (!before.words.includes("i") && before.words.includes("my")) return true;
  return (
    !before.words.includes("i") &&
    findCreature(game, before).kind !== "none" &&
    after.some((word) => word === "me" || word === "us")
  );
};

/** "I attack!": nothing follows the verb but adverbs. */
const isBare = (clause: Clause, verb: number): boolean =>
  clause.words.slice(verb + 1).every((word) => word.endsWith("ly") || fillers.has(word));

const fillers = new Set([
  "again",
  "now",
  "once",
  "more",
  "back",
  "first",
  "with",
  "all",
  "my",
  "might",
  "a",
  "an",
  "the",
  "at",
]);

const articles = new Set(["the", "a", "an", "that", "this", "those", "these", "his", "her", "another", "one"]);

/** A creature that is none of the scene's: an article and a word behind the verb. */
const namesSomebody = ({ words, stems: all }: Clause, verb: number): boolean =>
  words.some(
    (word, at) =>
      at > verb &&
      articles.has(word) &&
      [all[at + 1], all[at + 2]].some((noun) => noun !== undefined && creatureWords.has(noun)),
  );

/** What is done to something else than a weapon at hand: "at the thing", or an article and a word right behind the verb. */
const namesSomething = (game: Game, { words, stems: all }: Clause, verb: number): boolean => {
  const atHand = new Set(weaponWords(game));
  const isAtHand = (at: number): boolean =>
    [all[at], all[at + 1]].some((word) => word !== undefined && atHand.has(word));
  return words.some(
    (word, at) =>
      at > verb &&
      articles.has(word) &&
      (at === verb + 1 || words[at - 1] === "at" || words[at - 1] === "on") &&
      words[at + 1] !== undefined &&
      !isAtHand(at + 1),
  );
};

/** Creatures that people name, so that one which is not there is not taken for a thing. */
const creatureWords = stems(
  "dragon wyvern goblin hobgoblin bugbear kobold orc ogre troll giant skeleton zombie ghoul ghost wraith vampire lich wolf bear spider rat snake bandit guard captain thug cultist priest mage wizard sorcerer knight soldier archer assassin spy noble king queen merchant innkeeper bartender villager commoner farmer demon devil imp angel elemental golem gargoyle griffon hydra manticore minotaur medusa owlbear mimic ooze slime beholder harpy werewolf dwarf elf halfling gnome tiefling man woman boy girl horse dog cat crow raven eagle hawk bat lion tiger boar gnoll lizardfolk drow duergar centaur unicorn pegasus chimera basilisk cockatrice wyrm shopkeeper warrior barbarian druid monk paladin rogue shaman chief chieftain boss leader guardian sentry sentinel thief pirate sailor",
);

const missingCreature = (game: Game): Classification => {
  const names = game.npcs.map(({ name }) => name);
  const present = names.length === 0 ? "nobody" : [...new Set(names)].slice(0, 20).join(", ");
  return impossibleCall(`No such creature is in the scene; present: ${present}.`);
};

/** The creature of the clause, of the whole sentence, or the only one there is. */
const findTarget = (game: Game, clause: Clause, whole: Clause): Mention => {
  const named = findCreature(game, clause);
  if (named.kind === "one") return named;
  const said = findCreature(game, whole);
  if (said.kind === "one") return said;
  if (named.kind === "several") return named;
  const [only, ...more] = game.npcs;
  if (only === undefined) return { kind: "none" };
  return more.length === 0
    ? { kind: "one", name: only.name, at: 0, wordCount: 1 }
    : { kind: "several", names: game.npcs.map(({ name }) => name) };
};

const targetCall = (target: Exclude<Mention, { kind: "one" }>): Classification =>
  target.kind === "several"
    ? unsureCall("which creature is meant", target.names)
    : impossibleCall("There is no creature in the scene to do that to.");

const attackCall = (
  weapon: string,
  target: string,
  { spell, claims }: { readonly spell?: string; readonly claims: readonly string[] },
): Classification => ({
  question: {
    procedure: "resolveAttack",
    intent: {
      weapon,
      target,
      ...(claims.length > 0 && { extra_damage_sources: [...claims] }),
      ...(spell !== undefined && { is_spell_attack: true, spell_name: spell }),
    },
  },
});
