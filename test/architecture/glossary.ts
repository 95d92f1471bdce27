/** The retired terms, as the tables of `docs/glossary.md` list them. */
import { read } from "./sources.ts";

export interface RetiredTerm {
  /** A word in lower case that no name may hold, or a whole name. */
  readonly kind: "word" | "name";
  readonly term: string;
  /** Packages in which it is retired; all of them when there is none. */
  readonly where: readonly string[];
}

const row = /^\| `([^`|]+)` \| [^|]+ \| [^|]+ \|(?: ([^|]*) \|)?$/gm;

/** Words stand before the heading of the names. */
export const parseGlossary = (text: string): readonly RetiredTerm[] => {
  const names = text.indexOf("## Names");
  return [...text.matchAll(row)].map(({ index, 1: term = "", 2: where = "" }) => ({
    kind: names >= 0 && index > names ? "name" : "word",
    term,
    where: where.split(",").flatMap((each) => each.trim() || []),
  }));
};

export const glossary = (): readonly RetiredTerm[] => parseGlossary(read("docs/glossary.md"));

/** The words of an identifier or of a file's name, in lower case. */
export const wordsIn = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Whether a name is retired by a term. */
export const isRetired = (name: string, { kind, term }: RetiredTerm): boolean =>
  kind === "name" ? name === term : wordsIn(name).includes(term);
