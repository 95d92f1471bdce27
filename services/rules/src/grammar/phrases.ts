/** Finds the phrases of the tables in a clause. Not here: attacks and spells, which need names of the game (`attack.ts`). */
import { otherPhrases } from "./other-phrases.ts";
import type { Meaning, Strength } from "./phrase-row.ts";
import { skillPhrases } from "./skill-phrases.ts";
import { type Clause, stem } from "./words.ts";

interface CompiledPattern {
  readonly meaning: Meaning;
  readonly strength: Strength;
  readonly parts: readonly ("*" | ReadonlySet<string>)[];
  readonly wordCount: number;
}

const compiled: readonly CompiledPattern[] = [...skillPhrases, ...otherPhrases].flatMap(
  ({ meaning, strength, patterns }) =>
    patterns.map((pattern) => {
      const parts = pattern
        .split(" ")
        .map((part) => (part === "*" ? ("*" as const) : new Set(part.split("/").map(stem))));
      return { meaning, strength, parts, wordCount: parts.filter((part) => part !== "*").length };
    }),
);

/** Patterns by each stem that they can begin with. */
const byFirst: ReadonlyMap<string, readonly CompiledPattern[]> = (() => {
  const found = new Map<string, CompiledPattern[]>();
  for (const pattern of compiled) {
    const [first] = pattern.parts;
    if (first === undefined || first === "*") continue;
    for (const word of first) {
      const list = found.get(word);
      if (list === undefined) found.set(word, [pattern]);
      else list.push(pattern);
    }
  }
  return found;
})();

/** Words that one `*` may stand for. */
const widestGap = 4;

const matchesFrom = (stems: readonly string[], at: number, parts: CompiledPattern["parts"]): boolean => {
  let places: readonly number[] = [at];
  let gap = 0;
  for (const part of parts) {
    if (part === "*") {
      gap = widestGap;
      continue;
    }
    const next = new Set<number>();
    for (const place of places) {
      for (let to = place; to <= place + gap; to++) {
        const word = stems[to];
        if (word !== undefined && part.has(word)) next.add(to + 1);
      }
    }
    if (next.size === 0) return false;
    places = [...next];
    gap = 0;
  }
  return true;
};

export interface PhraseMatch {
  readonly meaning: Meaning;
  readonly strength: Strength;
  /** Index of its first word. */
  readonly at: number;
  readonly wordCount: number;
}

/** The phrases of a clause: for each place where some begin, the one with the most words, the table's first among equals. */
export const matchPhrases = ({ stems }: Clause): readonly PhraseMatch[] =>
  stems.flatMap((word, at) => {
    let best: CompiledPattern | undefined;
    for (const pattern of byFirst.get(word) ?? []) {
      if (pattern.wordCount <= (best?.wordCount ?? 0) || !matchesFrom(stems, at, pattern.parts)) continue;
      best = pattern;
    }
    return best === undefined
      ? []
      : [{ meaning: best.meaning, strength: best.strength, at, wordCount: best.wordCount }];
  });
