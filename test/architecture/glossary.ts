/** The retired terms, as the tables of `docs/glossary.md` list them. */
import { read } from "./sources.ts";

export interface RetiredTerm {
  /** A word in lower case, which no name may hold, or a whole name, which no type or function may have. */
  readonly term: string;
  /** Packages in which it is retired; all of them when there is none. */
  readonly where: readonly string[];
}

const row = /^\| `([^`|]+)` \| [^|]+ \| [^|]+ \|(?: ([^|]*) \|)?$/gm;

export const parseGlossary = (text: string): readonly RetiredTerm[] =>
  [...text.matchAll(row)].map(([, term = "", where = ""]) => ({
    term,
    where: where.split(",").flatMap((each) => each.trim() || []),
  }));

export const glossary = (): readonly RetiredTerm[] => parseGlossary(read("docs/glossary.md"));

/** The words of an identifier or of a file's name, in lower case. */
export const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Whether a name is retired by a term. */
export const isRetired = (name: string, { term }: RetiredTerm): boolean =>
  name === term || (term === term.toLowerCase() && wordsIn(name).includes(term));
