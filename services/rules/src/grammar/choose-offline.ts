/**
 * The offline classifier: plain English into one call, by a table of phrases and the names of this game. It chooses the first action that needs a
 * roll, and asks back where it is not sure. Pure. Not here: a language model (`model.ts`).
 */
import { abilities, type Game, skills } from "@fairlead/contracts/rules";
import type { Classification } from "../classification/classification.ts";
import { type FoundCall, findAttack, findUnspoken } from "./attack.ts";
import { abilityCall, impossibleCall, initiativeCall, noCheckCall, saveCall, skillCall, unsureCall } from "./calls.ts";
import { findGrapple } from "./grapple.ts";
import { owns } from "./mentions.ts";
import type { Meaning } from "./phrase-row.ts";
import { matchPhrases, type PhraseMatch } from "./phrases.ts";
import { type Clause, indexOfRun, nameStems, stem, toClauses } from "./words.ts";

export const chooseOffline = (game: Game, text: string): Classification => {
  const clauses = toClauses(text);
  const whole = joined(clauses);
  let without: Classification | undefined;
  for (const clause of clauses) {
    const call = readClause(game, clause, whole);
    if (call === undefined) continue;
    if (call.question.procedure !== "markNoCheck" || call.rejected !== undefined) return call;
    without ??= call;
  }
  return without ?? unsureCall("what is attempted");
};

const joined = (clauses: readonly Clause[]): Clause => ({
  words: clauses.flatMap(({ words }) => words),
  stems: clauses.flatMap(({ stems }) => stems),
});

const readClause = (game: Game, clause: Clause, whole: Clause): Classification | undefined => {
  const stated = findStated(clause);
  if (stated !== undefined) return stated;
  const grapple = findGrapple(game, clause);
  if (grapple !== undefined) return grapple.call;
  const attack = findAttack(game, clause, whole);
  const found = matchPhrases(clause);
  const strong = choose(found.filter(({ strength }) => strength === "strong"));
  if (attack !== undefined && (strong === undefined || isBefore(attack, strong))) return attack.call;
  if (strong !== undefined) return toCall(game, strong.meaning);
  if (attack !== undefined) return attack.call;
  const weak = choose(found.filter(({ meaning }) => meaning.kind !== "none")) ?? choose(found);
  return weak === undefined ? findUnspoken(game, clause) : toCall(game, weak.meaning);
};

/** A phrase of several words that begins with the attack's own verb is meant instead: "cut the purse". */
const isBefore = (attack: FoundCall, { at, wordCount }: PhraseMatch): boolean =>
  attack.at < at || (attack.at === at && wordCount === 1);

/** The first phrase; one that begins inside of it and has more words is meant instead. */
const choose = (found: readonly PhraseMatch[]): PhraseMatch | undefined => {
  const [first, ...later] = found;
  if (first === undefined) return undefined;
  return later.reduce(
    (best, match) => (match.at < best.at + best.wordCount + 1 && match.wordCount > best.wordCount ? match : best),
    first,
  );
};

const toCall = (game: Game, meaning: Meaning): Classification => {
  switch (meaning.kind) {
    case "skill":
      return skillCall(meaning.skill);
    case "ability":
      return abilityCall(meaning.ability);
    case "save":
      return saveCall(meaning.ability);
    case "none":
      return noCheckCall(`No roll: ${meaning.why}.`);
    case "impossible":
      return owns(game, meaning.unless)
        ? noCheckCall("The character has what it takes; no roll is needed.")
        : impossibleCall(`It cannot be done: ${meaning.why}.`);
  }
};

const skillNames = skills.map((name) => ({ name, stems: nameStems(name) }));
const abilityNames = abilities.flatMap((name) => [
  { name, stems: [stem(name)] },
  { name, stems: [name.slice(0, 3)] },
]);
const asked = new Set(["check", "roll", "test"].map(stem));
const resisted = new Set(["save", "saving"].map(stem));

/** What is asked for in the words of the rules: "a Stealth check", "a Wisdom saving throw". */
const findStated = (clause: Clause): Classification | undefined => {
  const { stems } = clause;
  if (stems.includes(stem("initiative")) && (stems.length === 1 || stems.includes(stem("roll")))) return initiativeCall;
  const isAsked = stems.some((word) => asked.has(word));
  const isSave = stems.some((word) => resisted.has(word));
  const ability = abilityNames.find((row) => indexOfRun(clause, row.stems) >= 0);
  if (isSave && ability !== undefined) return saveCall(ability.name);
  const skill = skillNames.find((row) => indexOfRun(clause, row.stems) >= 0);
  const alone = skill !== undefined && stems.length <= skill.stems.length + 3;
  if (skill !== undefined && (isAsked || alone)) return skillCall(skill.name);
  return isAsked && ability !== undefined ? abilityCall(ability.name) : undefined;
};
