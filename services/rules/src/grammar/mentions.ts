/** Names of this game in a clause: creatures, weapons, spells and claims. Not here: verbs (`phrases.ts`, `attack.ts`). */
import type { Game } from "@fairlead/contracts/rules";
import { weapons as weaponRows } from "../data/weapons.ts";
import { claimNames } from "../rules/sources/claims.ts";
import { baseName } from "../sheet/names.ts";
import { castableNames } from "../sheet/spell-name.ts";
import { targetNames } from "../sheet/target.ts";
import { type Weapon, weaponsAtHand } from "../sheet/weapon.ts";
import { type Clause, indexOfRun, nameStems, stem } from "./words.ts";

/** One name, several that the words fit, or none of them. */
export type Mention =
  | { readonly kind: "one"; readonly name: string; readonly at: number; readonly wordCount: number }
  | { readonly kind: "several"; readonly names: readonly string[] }
  | { readonly kind: "none" };

interface Spelling {
  readonly name: string;
  readonly stems: readonly string[];
}

const none: Mention = { kind: "none" };

/** The names whose longest spelling stands in the clause. */
const findLongest = (clause: Clause, spellings: readonly Spelling[]): Mention => {
  let longest = 0;
  let found: { readonly name: string; readonly at: number }[] = [];
  for (const { name, stems } of spellings) {
    const at = indexOfRun(clause, stems);
    if (at < 0 || stems.length < longest) continue;
    if (stems.length > longest) found = [];
    longest = stems.length;
    if (!found.some((other) => other.name === name)) found.push({ name, at });
  }
  const [first, ...more] = found;
  if (first === undefined) return none;
  return more.length === 0
    ? { kind: "one", ...first, wordCount: longest }
    : { kind: "several", names: found.map(({ name }) => name) };
};

/** The whole name, then its last word ("boss" for Goblin Boss) and its first. */
const creatureSpellings = (names: readonly string[]): readonly Spelling[] =>
  names.flatMap((name) => {
    const whole = nameStems(baseName(name).replace(/#\d+$/, " "));
    const numbered = nameStems(name.replace("#", " "));
    const [first, last] = [whole[0], whole.at(-1)];
    const parts =
      whole.length > 1 ? [first, last].flatMap((word) => (word === undefined || word.length < 3 ? [] : [[word]])) : [];
    return [whole, numbered, ...parts].map((stems) => ({ name, stems }));
  });

const pronouns = new Set(["him", "her", "it", "them", "he", "she", "they"]);
const enemies = new Set(
  [
    "enemy",
    "foe",
    "monster",
    "creature",
    "opponent",
    "attacker",
    "beast",
    "target",
    "thing",
    "one",
    "bastard",
    "brute",
    "villain",
    "assailant",
  ].map(stem),
);

/** The creature that is meant; a pronoun or "the enemy" means the only one there is. */
export const findCreature = (game: Game, clause: Clause): Mention => {
  const names = targetNames(game);
  const named = findLongest(clause, creatureSpellings(names));
  if (named.kind !== "none") return named;
  const at = clause.stems.findIndex((word, index) => pronouns.has(clause.words[index] ?? "") || enemies.has(word));
  if (at < 0 || names.length === 0) return none;
  const [only, ...more] = names;
  return only !== undefined && more.length === 0
    ? { kind: "one", name: only, at, wordCount: 1 }
    : { kind: "several", names };
};

/** Words for a kind of weapon, and parts of the names that are of it. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  sword: ["sword", "rapier", "scimitar"],
  blade: ["sword", "rapier", "scimitar", "dagger"],
  steel: ["sword", "rapier", "scimitar", "dagger"],
  knife: ["dagger"],
  bow: ["shortbow", "longbow", "bow"],
  crossbow: ["crossbow"],
  arrow: ["shortbow", "longbow", "bow"],
  bolt: ["crossbow"],
  axe: ["axe"],
  hammer: ["hammer"],
  club: ["club"],
  staff: ["quarterstaff", "staff"],
  stick: ["quarterstaff", "club"],
  spear: ["spear"],
  polearm: ["glaive", "halberd", "pike"],
};

const unarmedWords = [
  "fist",
  "punch",
  "kick",
  "headbutt",
  "elbow",
  "knee",
  "slap",
  "bare hand",
  "unarmed",
  "uppercut",
  "roundhouse",
];

const weaponSpellings = (all: readonly Weapon[]): readonly Spelling[] =>
  all.flatMap(({ name, row, unarmed }) => {
    const spellings = [
      name,
      baseName(name),
      ...(row === undefined ? [] : [row.name, ...(row.alias === undefined ? [] : [row.alias])]),
    ];
    if (unarmed) spellings.push(...unarmedWords);
    return spellings.map((written) => ({ name, stems: nameStems(written) }));
  });

/** Words that mean a kind of weapon, of which there are some at hand. */
const kindSpellings = (all: readonly Weapon[]): readonly Spelling[] =>
  Object.entries(kinds).flatMap(([word, parts]) =>
    all
      .filter(({ name, row }) => parts.some((part) => `${name} ${row?.name ?? ""}`.toLowerCase().includes(part)))
      .map(({ name }) => ({ name, stems: [stem(word)] })),
  );

const listWeapons = (game: Game): readonly Weapon[] => weaponsAtHand(game).map(({ value }) => value);

/** The weapon that is meant: by name, or by its kind. */
export const findWeapon = (game: Game, clause: Clause): Mention => {
  const all = listWeapons(game);
  const named = findLongest(clause, weaponSpellings(all));
  return named.kind === "none" ? findLongest(clause, kindSpellings(all)) : named;
};

/** The words that mean a weapon at hand. */
export const weaponWords = (game: Game): readonly string[] => {
  const all = listWeapons(game);
  return [...weaponSpellings(all), ...kindSpellings(all)].flatMap(({ stems }) => stems);
};

/** A weapon of the SRD or a kind of weapon that is named and not at hand. */
export const findMissingWeapon = (game: Game, clause: Clause): string | undefined => {
  if (findWeapon(game, clause).kind !== "none") return undefined;
  const rows = weaponRows[game.edition].flatMap(({ name, alias }) => [name, ...(alias === undefined ? [] : [alias])]);
  const words = [...rows, ...Object.keys(kinds)].filter((word) => !notWeapons.has(word));
  const missing = findLongest(
    clause,
    words.map((name) => ({ name, stems: nameStems(name) })),
  );
  return missing.kind === "one" ? missing.name : missing.kind === "several" ? missing.names[0] : undefined;
};

/** Kinds that mean much else in a sentence. */
const notWeapons: ReadonlySet<string> = new Set(["arrow", "bolt", "steel", "stick", "blade"]);

/** The main weapon: the first of the sheet that is held in the hand; or, to shoot with, the only one that shoots. */
export const mainWeapon = (game: Game, toShoot: boolean): string | undefined => {
  const fits = listWeapons(game).filter(({ ranged, unarmed }) => ranged === toShoot && !unarmed);
  return fits[0]?.name;
};

/** True where some weapon at hand can be thrown. */
export const throwable = (game: Game): string | undefined =>
  listWeapons(game).find(({ properties, unarmed }) => properties.includes("thrown") && !unarmed)?.name;

const withoutBrackets = (name: string): string => {
  const at = name.lastIndexOf(" (");
  return at < 0 ? name : name.slice(0, at);
};

const spellSpellings = (names: readonly string[]): readonly Spelling[] =>
  names.flatMap((name) => {
    const plain = withoutBrackets(name);
    const stems = nameStems(plain);
    return [
      { name, stems },
      { name, stems: [stem(plain.toLowerCase().replaceAll(/[^a-z]/g, ""))] },
    ];
  });

/** A damaging spell that is named; one with a choice of type by that type, if it is said. */
export const findCastable = (game: Game, clause: Clause): Mention => {
  const names = castableNames(game);
  const found = findLongest(clause, spellSpellings(names));
  if (found.kind !== "several") return found;
  const typed = found.names.filter((name) => {
    const type = /\((\w+)\)$/.exec(name)?.[1];
    return type !== undefined && clause.words.includes(type);
  });
  const [only, ...more] = typed;
  return only !== undefined && more.length === 0 ? { kind: "one", name: only, at: 0, wordCount: 1 } : found;
};

/** A spell that the character knows, damaging or not. */
export const findKnownSpell = ({ player }: Game, clause: Clause): Mention =>
  findLongest(clause, spellSpellings([...player.cantrips, ...player.knownSpells]));

/** Claims to extra damage that are named; "smite" is a paladin's. */
export const findClaims = (game: Game, clause: Clause): readonly string[] => {
  const named = claimNames(game).filter((name) => indexOfRun(clause, nameStems(name)) >= 0);
  const smites = named.length === 0 && clause.stems.includes(stem("smite"));
  const paladin = game.player.features.some(({ name }) => /^divine smite$/i.test(name));
  return smites && paladin ? ["Divine Smite"] : named;
};

/** Whether any of these words begins a name on the sheet: what a character needs for something that others cannot. */
export const owns = ({ player }: Game, words: readonly string[]): boolean => {
  const owned = [
    ...player.cantrips,
    ...player.knownSpells,
    ...player.features.map(({ name }) => name),
    ...(player.inventory ?? []),
  ].map((name) => name.toLowerCase());
  return words.some((word) => owned.some((name) => name.includes(word)));
};
