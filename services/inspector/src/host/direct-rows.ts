/**
 * Rows that a generated loop may read as plain properties: those whose hidden class is that of a row which was looked at, property
 * by property, since other code had the thread. What was true of that example is true of them.
 */
import { type DirectRows, type HostAccess, LinqError, type RowGuard, type Type } from "@fairlead/linq";
import { type HiddenClasses, hiddenClasses } from "./hidden-class.ts";
import { isProxy } from "./reading.ts";

const getDescriptor = Object.getOwnPropertyDescriptor;
const getPrototype = Object.getPrototypeOf;
const { prototype: objectPrototype } = Object;

/** Different hidden classes followed in one query; rows of more are read one property at a time. */
const mostExamples = 8;

/** Rows whose keys settle the case of names. */
const sampledRows = 16;

interface RowHost extends Pick<HostAccess, "findClass" | "listing" | "dictionary" | "instant" | "fieldNames"> {
  /** True for names that are refused when they are read, one at a time. */
  readonly hides: (name: string) => boolean;
}

export const directRows = (rows: readonly unknown[], type: Type, host: RowHost): DirectRows | undefined => {
  const classes = hiddenClasses();
  if (classes === undefined) return undefined;
  const admissible = (row: unknown): row is object =>
    typeof row === "object" &&
    row !== null &&
    !isProxy(row) &&
    classes.hasFastProperties(row) &&
    !isCollection(row, host) &&
    (type.kind === "class" || host.findClass(row) === undefined);
  return {
    keys: collectKeys(rows.slice(0, sampledRows).filter(admissible), host),
    guard: (reads) =>
      new ExampleRows(
        classes,
        (row): row is object =>
          admissible(row) && reads.every((name) => !host.hides(name) && isOwnDataOrNothing(row, name, host)),
      ),
  };
};

const isCollection = (row: object, { listing, dictionary, instant }: RowHost): boolean =>
  listing(row) !== undefined || dictionary(row) !== undefined || instant(row) !== undefined;

const collectKeys = (rows: readonly object[], host: RowHost): readonly string[] => [
  ...new Set(rows.flatMap((row) => namesNow(row, host) ?? [])),
];

/** Undefined where there are too many to list them. */
const namesNow = (row: object, host: RowHost): readonly string[] | undefined => {
  try {
    return host.fieldNames(row);
  } catch (error) {
    if (LinqError.is(error) && error.code === "pause_needed") return undefined;
    throw error;
  }
};

/** True when `row[name]` gives own data, or finds nothing where the careful read would find nothing either. */
const isOwnDataOrNothing = (row: object, name: string, host: RowHost): boolean => {
  const found = getDescriptor(row, name);
  if (found !== undefined) return "value" in found;
  const prototype: unknown = getPrototype(row);
  if (prototype !== null && (prototype !== objectPrototype || name in objectPrototype)) return false;
  const lower = name.toLowerCase();
  return namesNow(row, host)?.some((known) => known.toLowerCase() === lower) === false;
};

/** Collects an example of each hidden class that turns up. */
class ExampleRows implements RowGuard {
  readonly alike: HiddenClasses["alike"];
  readonly #accepted: (row: unknown) => row is object;
  readonly #examples: object[] = [];

  constructor({ alike }: HiddenClasses, accepted: (row: unknown) => row is object) {
    this.alike = alike;
    this.#accepted = accepted;
  }

  admits(row: unknown): row is object {
    if (this.#examples.some((example) => this.alike(row, example))) return true;
    if (this.#examples.length === mostExamples || !this.#accepted(row)) return false;
    this.#examples.push(row);
    return true;
  }

  forget(): void {
    this.#examples.length = 0;
  }
}
