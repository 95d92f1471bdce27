/**
 * How a row of the phrase tables is written. A pattern is a row of words: `/` between spellings, `*` for up to four words of any kind, `;` between
 * patterns. All forms of a verb count.
 */
import type { Ability, Skill } from "@fairlead/contracts/rules";

/** What a phrase asks for. */
export type Meaning =
  | { readonly kind: "skill"; readonly skill: Skill }
  | { readonly kind: "ability"; readonly ability: Ability }
  | { readonly kind: "save"; readonly ability: Ability }
  /** It cannot be done; `unless` has parts of names on a sheet that make it possible. */
  | { readonly kind: "impossible"; readonly why: string; readonly unless: readonly string[] }
  | { readonly kind: "none"; readonly why: string };

/** `weak`: a way to move or to look, which an attack in the same clause outweighs. */
export type Strength = "strong" | "weak";

export interface PhraseRow {
  readonly meaning: Meaning;
  readonly strength: Strength;
  readonly patterns: readonly string[];
}

const split = (patterns: string): readonly string[] => patterns.split(";").map((pattern) => pattern.trim());

export const skill = (name: Skill, strength: Strength, patterns: string): PhraseRow => ({
  meaning: { kind: "skill", skill: name },
  strength,
  patterns: split(patterns),
});
export const ability = (name: Ability, patterns: string): PhraseRow => ({
  meaning: { kind: "ability", ability: name },
  strength: "strong",
  patterns: split(patterns),
});
export const save = (name: Ability, patterns: string): PhraseRow => ({
  meaning: { kind: "save", ability: name },
  strength: "strong",
  patterns: split(patterns),
});
export const impossible = (why: string, unless: readonly string[], patterns: string): PhraseRow => ({
  meaning: { kind: "impossible", why, unless },
  strength: "strong",
  patterns: split(patterns),
});
export const none = (why: string, patterns: string): PhraseRow => ({
  meaning: { kind: "none", why },
  strength: "weak",
  patterns: split(patterns),
});
