/**
 * Finding what a name means: exact, then case-folded, then by an alias, then by unique beginning. Several
 * matches are returned as such, never guessed from; a part in the middle never matches (Goblin is not Hobgoblin).
 */

export interface NamedValue<T> {
  /** How it is shown. */
  readonly name: string;
  /** Other spellings. */
  readonly aliases?: readonly string[];
  readonly value: T;
}

type Match<T> =
  | { readonly kind: "one"; readonly found: NamedValue<T> }
  | { readonly kind: "several"; readonly found: readonly NamedValue<T>[] }
  | { readonly kind: "none" };

/** Lower case, one kind of apostrophe, single spaces. */
export const fold = (name: string): string => name.trim().toLowerCase().replaceAll("’", "'").replaceAll(/\s+/g, " ");

export const sameName = (a: string, b: string): boolean => fold(a) === fold(b);

/** Without a magic bonus before or after, a count, and a note in brackets: "+1 Longsword (silvered)" is "Longsword". */
export const baseName = (name: string): string =>
  name
    .replace(/\([^()]*\)/g, " ")
    .replace(/(?:^|\s)\+\d+(?=\s|,|$)/g, " ")
    .trim()
    .replace(/^\d+(?:\s*[x×])?\s+/, "")
    .replace(/(?<![,\s])[,\s]+$/, "");

/** The magic bonus that a name states: 1 for "Longsword +1"; 0 when it states none. At most 3 digits are read. */
export const statedBonus = (name: string): number => Number(/(?:^|\s)\+(\d{1,3})(?=\s|,|\)|$)/.exec(name)?.[1] ?? 0);

export const matchName = <T>(wanted: string, all: readonly NamedValue<T>[]): Match<T> => {
  const folded = fold(wanted);
  if (folded === "") return { kind: "none" };
  const stages: readonly ((named: NamedValue<T>) => boolean)[] = [
    ({ name }) => name === wanted,
    ({ name }) => fold(name) === folded,
    ({ aliases = [] }) => aliases.some((alias) => fold(alias) === folded),
    ({ name, aliases = [] }) => [name, ...aliases].some((written) => fold(written).startsWith(folded)),
  ];
  for (const stage of stages) {
    const found = all.filter(stage);
    const [first] = found;
    if (first !== undefined) return found.length === 1 ? { kind: "one", found: first } : { kind: "several", found };
  }
  return { kind: "none" };
};
