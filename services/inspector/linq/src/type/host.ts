/**
 * What the language needs from outside, and all it can reach: declared types with their members, and safe reading of values
 * of undeclared types. The language never touches a host object by itself.
 *
 * An implementation promises that nothing here runs the host's code, except members and methods that the host declared readable.
 */
import { absent } from "../core/absent.ts";
import type { ElementList } from "../core/sequence-run.ts";
import type { ClassDefinition, MemberDefinition, MethodDefinition, Type, TypeDefinition } from "./type.ts";

/** An object that queries begin with, and its type. */
export interface RootDefinition {
  readonly name: string;
  readonly type: Type;
  readonly read: () => unknown;
}

/** A list as it is: nothing is copied, and an element is read when it is needed. `at` throws `LinqError` (`not_readable`) for an accessor. */
export type Listing = ElementList;

/** Keys and values of a map, in its order. Reading some of them costs no more than those; `size` costs nothing. */
export interface Entries {
  readonly size: number;
  keys(): Iterable<unknown>;
  values(): Iterable<unknown>;
  [Symbol.iterator](): Iterator<readonly [unknown, unknown]>;
}

/** A list that was copied out already. */
export const createListing = (items: readonly unknown[]): Listing => ({
  length: items.length,
  at: (index) => items[index],
});

/** Reads by index what can only be read one after the other: the next one costs a step, an earlier one begins again. `absent` after the end. */
export const readInOrder = <T>(begin: () => Iterator<T>): ((index: number) => T | typeof absent) => {
  let iterator: Iterator<T> | undefined;
  let next = 0;
  return (index) => {
    if (iterator === undefined || index < next) {
      iterator = begin();
      next = 0;
    }
    for (;;) {
      const step = iterator.next();
      if (step.done === true) return absent;
      if (next++ === index) return step.value;
    }
  };
};

export { absent };

/** How the language reads the objects of a program. */
export interface HostAccess {
  /** Milliseconds since the epoch, for `DateTime.Now`. */
  now(): number;
  /** Roots in their order; their names are looked up exactly, then in any case. */
  readonly roots: readonly RootDefinition[];
  /** A declared type by simple or full name, case-sensitive. */
  type(name: string): TypeDefinition | undefined;
  /** Declared classes that derive from one: a value may be of any of them. */
  derived(definition: ClassDefinition): readonly ClassDefinition[];
  /** True when a declared class has a method of that name; the name is in lower case. */
  declaresMethod(lower: string): boolean;
  /** Names for suggestions. */
  typeNames(): Iterable<string>;
  /** True when a declared class has a JavaScript class: only instances of that are instances. */
  constructs(definition: ClassDefinition): boolean;
  /** The declared class of a value, if there is one. */
  findClass(value: object): ClassDefinition | undefined;
  /** A test by the name of a class that no declaration knows, where the host can: names are those of the values, so none is wrong before they are there. */
  classTest?(name: string): (value: unknown) => boolean;
  /** The fast read of an own data property of what is certainly plain data; `absent` for anything else, which proves nothing. */
  plainField(owner: object, name: string): unknown;
  /** An own data property of undeclared data, or `absent`. Throws `LinqError` (`not_readable`) for accessors and proxies. */
  field(owner: object, name: string): unknown;
  /** Throws `not_readable` when undeclared data has a getter or method of the name, in any case, from its class: using it would run code. */
  refuseInherited(owner: object, name: string, use?: "read" | "call"): void;
  /** What a method of undeclared data gives, where the host lets it run; `absent` for no such method. */
  callMember?(owner: object, name: string, values: readonly unknown[]): unknown;
  /** As `refuseInherited`, for a declared class whose declaration has no such member. */
  refuseUndeclared?(definition: ClassDefinition, name: string, use: "read" | "call"): void;
  /** Names of own string-keyed properties of undeclared data; empty for what may not be looked into. May throw `pause_needed` where to list them stops the program. */
  fieldNames(owner: object): readonly string[];
  /** What an object without data of its own is, like `(Promise)`; `undefined` for ordinary ones. */
  opaque(value: object): string | undefined;
  /** The elements of an array, set or typed array; of a map or plain dictionary see `dictionary`. `undefined` for no collection. */
  list(value: object): readonly unknown[] | undefined;
  /** The same without a copy, to read only some of them: the length costs nothing, the first elements no more than themselves. */
  listing(value: object): Listing | undefined;
  /** Keys and values of a map, in order, without a copy. */
  dictionary(value: object): Entries | undefined;
  /** Whether a set has a value that equals this one, at the cost of a look-up; undefined where the elements have to be compared. */
  holds?(value: object, item: unknown): boolean | undefined;
  /** One value of a map or dictionary object, or `absent`. */
  entry(value: object, key: unknown): unknown;
  /** The type of a value that the host keeps to itself, for an own member of undeclared data; undefined for all others. */
  redactedType?(owner: object, name: string): string | undefined;
  /** Throws for what stands for a value that the host keeps to itself: the check of a declared type then says why it is none. */
  refuseRedacted?(value: unknown): void;
  /** The instant of a host `Date`, in milliseconds; `undefined` for anything else. */
  instant(value: object): number | undefined;
  /** A long list as it is, to be read by index only; `undefined` where elements must be copied out with care. */
  rowsInPlace?(value: object): readonly unknown[] | undefined;
  /** For the rows of a query: how they may be read as plain properties. `undefined` when they must be read with care. */
  direct?(rows: readonly unknown[], type: Type): DirectRows | undefined;
}

export interface DirectRows {
  /** Keys that rows have, as spelt; used to settle the case of names. */
  readonly keys: readonly string[];
  /** For the names that will be read: decides which rows may be read so. */
  readonly guard: (reads: readonly string[]) => RowGuard;
}

/** Called for every row, in the loop that reads it. What it found is valid as long as no other code runs. */
export interface RowGuard {
  /** The fast test: true when a row is made like one that was admitted. No row is made like the guard. */
  readonly alike: (row: unknown, admitted: object) => boolean;
  /** The full test: true when the row may be read as properties. */
  admits(row: unknown): row is object;
  /** To be called after others ran: they may have changed the rows that were admitted. */
  forget(): void;
}

/** Looks a member up through the bases: exact spelling first, then any case. */
export const findMember = (definition: ClassDefinition, name: string): MemberDefinition | undefined => {
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base) {
    const exact = at.members.get(name);
    if (exact !== undefined) return exact;
  }
  const lower = name.toLowerCase();
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base)
    for (const member of at.members.values()) if (member.name.toLowerCase() === lower) return member;
  return undefined;
};

/** Methods of a name in any case, exact ones first, nearest class first. */
export const findMethods = (definition: ClassDefinition, name: string): readonly MethodDefinition[] => {
  const lower = name.toLowerCase();
  const found: MethodDefinition[] = [];
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base)
    found.push(...at.methods.filter((method) => method.name.toLowerCase() === lower));
  const exact = found.filter((method) => method.name === name);
  return exact.length > 0 ? exact : found;
};

/** The indexer of a class: its own, else the nearest base's. */
export const findIndexer = (definition: ClassDefinition): ClassDefinition["indexer"] => {
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base)
    if (at.indexer !== undefined) return at.indexer;
  return undefined;
};

/** True when a class is another or derives from it. */
export const derivesFrom = (definition: ClassDefinition, base: ClassDefinition): boolean => {
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base) if (at === base) return true;
  return false;
};

export const allMembers = (definition: ClassDefinition): readonly MemberDefinition[] => {
  const found = new Map<string, MemberDefinition>();
  for (let at: ClassDefinition | undefined = definition; at !== undefined; at = at.base)
    for (const member of at.members.values()) if (!found.has(member.name)) found.set(member.name, member);
  return [...found.values()];
};
