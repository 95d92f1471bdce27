/**
 * Rows that a generated loop may read as plain properties: those whose hidden class is that of a row which was looked at, property
 * by property, in this very query. Nothing of the host runs in between, so what was true of the example is true of them.
 */
import type { DirectRows, HostAccess } from "../linq/host.ts";
import type { Type } from "../linq/type.ts";
import { type HiddenClasses, hiddenClasses } from "./hidden-class.ts";
import { isProxy } from "./reading.ts";

const descriptorOf = Object.getOwnPropertyDescriptor;
const ownKeys = Object.getOwnPropertyNames;
const prototypeOf = Object.getPrototypeOf;
const { prototype: objectPrototype } = Object;

/** Different hidden classes followed in one query; rows of more are read one property at a time. */
const mostExamples = 8;

/** Rows whose keys settle the case of names. */
const looked = 16;

type Asked = Pick<HostAccess, "classOf" | "list" | "dictionary" | "instant">;

export const directRows = (rows: readonly unknown[], type: Type, host: Asked): DirectRows | undefined => {
  const classes = hiddenClasses();
  if (classes === undefined) return undefined;
  const admissible = (row: unknown): row is object =>
    typeof row === "object" &&
    row !== null &&
    !isProxy(row) &&
    classes.hasFastProperties(row) &&
    !isCollection(row, host) &&
    (type.kind === "class" || host.classOf(row) === undefined);
  return {
    keys: keysOf(rows.slice(0, looked).filter(admissible)),
    admits: (reads) =>
      follower(rows, classes, (row) =>
        admissible(row) && reads.every((name) => isOwnDataOrNothing(row, name)) ? row : undefined,
      ),
  };
};

const isCollection = (row: object, { list, dictionary, instant }: Asked): boolean =>
  list(row) !== undefined || dictionary(row) !== undefined || instant(row) !== undefined;

const keysOf = (rows: readonly object[]): readonly string[] => [...new Set(rows.flatMap((row) => ownKeys(row)))];

/** True when `row[name]` gives own data, or finds nothing where the careful way would find nothing either. */
const isOwnDataOrNothing = (row: object, name: string): boolean => {
  const found = descriptorOf(row, name);
  if (found !== undefined) return "value" in found;
  const prototype: unknown = prototypeOf(row);
  if (prototype !== null && (prototype !== objectPrototype || name in objectPrototype)) return false;
  const lower = name.toLowerCase();
  return !ownKeys(row).some((known) => known.toLowerCase() === lower);
};

/** Collects examples as new hidden classes turn up. */
const follower = (
  rows: readonly unknown[],
  { firstUnlike }: HiddenClasses,
  accepted: (row: unknown) => object | undefined,
): ((from: number, to: number) => boolean) => {
  const examples: object[] = [];
  return (from, to) => {
    for (let at = from; ; ) {
      if (examples.length > 0) at = firstUnlike(rows, { from: at, to }, examples);
      if (at === to) return true;
      const row = examples.length === mostExamples ? undefined : accepted(rows[at]);
      if (row === undefined) return false;
      examples.push(row);
    }
  };
};
