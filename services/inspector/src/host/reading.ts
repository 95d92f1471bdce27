/**
 * Reading any JavaScript value without running a line of its code: own data properties by descriptor, internal slots by the
 * intrinsics captured here, proxies not at all.
 */

import { types } from "node:util";
import { absent, type Entries, fault, type LinqError, type Listing, readInOrder } from "@fairlead/linq";
import { hiddenClasses } from "./hidden-class.ts";

const uncurried = <T, A extends readonly unknown[], R>(
  method: (this: T, ...values: A) => R,
): ((self: T, ...values: A) => R) => Function.prototype.call.bind(method);

const mapPairs: (map: object) => object = uncurried(Map.prototype.entries) as never;
const nextPair: (iterator: object) => IteratorResult<readonly [unknown, unknown]> = uncurried(
  new Map().entries().next,
) as never;
const mapSize: (map: object) => unknown = uncurried(sizeGetter(Map.prototype)) as never;
const setSize: (set: object) => unknown = uncurried(sizeGetter(Set.prototype)) as never;
const setValues: (set: object) => object = uncurried(Set.prototype.values) as never;
const setHas: (set: object, item: unknown) => boolean = uncurried(Set.prototype.has) as never;
const nextItem: (iterator: object) => IteratorResult<unknown> = uncurried(new Set().values().next) as never;
const mapGet: (map: object, key: unknown) => unknown = uncurried(Map.prototype.get) as never;
const mapHas: (map: object, key: unknown) => boolean = uncurried(Map.prototype.has) as never;
const setForEach: (set: object, visit: (value: unknown) => void) => void = uncurried(Set.prototype.forEach) as never;
const dateTime: (date: object) => number = uncurried(Date.prototype.getTime) as never;
/** Of the prototype of maps or sets. */
function sizeGetter(prototype: object): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, "size")?.get ?? (() => 0);
}
const typedLength = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length")?.get;
/** The getter that an object or its prototypes have for a key; a proxy among them would run. */
const findGetter: (owner: object, key: PropertyKey) => unknown = uncurried(
  Reflect.get(Object.prototype, "__lookupGetter__"),
) as never;
const getDescriptor = Object.getOwnPropertyDescriptor;
const ownKeys = Object.getOwnPropertyNames;
const getPrototype = Object.getPrototypeOf;
const isArray = Array.isArray;
const { isProxy, isMap, isSet, isDate, isTypedArray } = types;

export { isProxy };

const refuseRead = (name: string, why: string, hint: string): LinqError =>
  fault("not_readable", `'${name}' ${why}`, hint);

/** What an export has whose module has not run so far: the engine gives no descriptor of it, and throws. */
const notYet: PropertyDescriptor = Object.freeze({});

/** An own property; `notYet` for an export without a value. Of what is no proxy, nothing runs. */
export const describeOwn = (owner: object, name: string): PropertyDescriptor | undefined => {
  try {
    return getDescriptor(owner, name);
  } catch {
    return notYet;
  }
};

/** The value of an own data property, or `absent`. Accessors and proxies are refused. */
export const ownData = (owner: object, name: string): unknown => {
  if (isProxy(owner))
    throw refuseRead(name, "belongs to a proxy, whose traps would run", "mark it readable in the host's declaration");
  const found = describeOwn(owner, name);
  if (found === undefined) return absent;
  if (found === notYet)
    throw refuseRead(name, "is an export that has no value yet", "its module has not run so far: ask again later");
  if ("value" in found) return found.value;
  throw refuseRead(name, "is a getter, which would run", "mark it readable in the host's declaration");
};

/** An own data property of an object that is plain for sure (prototype Object's or none); `absent` for all else. The fast read. */
export const plainData = (owner: object, name: string): unknown => {
  if (isProxy(owner)) return absent;
  const prototype: unknown = getPrototype(owner);
  if (prototype !== Object.prototype && prototype !== null) return absent;
  const found = describeOwn(owner, name);
  return found !== undefined && "value" in found ? found.value : absent;
};

/** False for what has elements in place of names, and for proxies. */
export const hasNames = (owner: object): boolean => !isProxy(owner) && !isArray(owner) && !isTypedArray(owner);

/** Names of own string-keyed properties, without indices of arrays. Empty for proxies. */
export const ownNames = (owner: object): readonly string[] => {
  if (!hasNames(owner)) return [];
  return types.isRegExp(owner) ? ownKeys(owner).filter((name) => name !== "lastIndex") : ownKeys(owner);
};

/** Prototypes from the nearest up; ends at the first proxy. */
export const prototypes = function* (value: object): Iterable<object> {
  if (isProxy(value)) return;
  for (let at: unknown = getPrototype(value); typeof at === "object" && at !== null; at = getPrototype(at)) {
    if (isProxy(at)) return;
    yield at;
  }
};

/** The elements of an array, set or typed array; `undefined` for anything else. An array is copied element by element. */
export const copyElements = (value: object, most: number): readonly unknown[] | undefined => {
  if (isProxy(value)) return undefined;
  if (isArray(value)) return copyArray(value, most);
  if (isSet(value)) {
    const items: unknown[] = [];
    admit(Number(setSize(value)), most);
    setForEach(value, (item) => items.push(item));
    return items;
  }
  if (!isTypedArray(value)) return undefined;
  const length = lengthOfTyped(value);
  admit(length, most);
  return Array.from({ length }, (_, index): unknown => getDescriptor(value, index)?.value);
};

/** A list as it is: its length and its first elements cost no more than themselves. */
export const readListing = (value: object): Listing | undefined => {
  if (isProxy(value)) return undefined;
  if (isArray(value)) return arrayListing(value);
  if (isSet(value)) return { length: Number(setSize(value)), at: readInOrder(() => setIterator(value)) };
  if (!isTypedArray(value)) return undefined;
  return { length: lengthOfTyped(value), at: (index) => Reflect.get(value, index) };
};

/** Whether the elements can be read in place is settled when the first of many is read. */
const arrayListing = (array: readonly unknown[]): Listing => {
  const { length } = array;
  const decide = (index: number): unknown => {
    read = readElements(array);
    return read(index);
  };
  let read = decide;
  return {
    length,
    at: (index) => read(index),
    resumed: () => {
      read = decide;
      return array.length;
    },
  };
};

/** The elements of a set, by the iterator that sets come with. */
const setIterator = (set: object): Iterator<unknown> => {
  const iterator = setValues(set);
  return { next: () => nextItem(iterator) };
};

const lengthOfTyped = (value: object): number =>
  Number(typedLength === undefined ? 0 : Reflect.apply(typedLength, value, []));

/** Whether a set has an equal value, where a look-up can say so. */
export const setHolds = (value: object, item: unknown): boolean | undefined => {
  if (isProxy(value) || !isSet(value)) return undefined;
  switch (typeof item) {
    case "number":
      return setHas(value, item) || (Number.isInteger(item) && setHas(value, BigInt(item)));
    case "bigint":
      return setHas(value, item) || (BigInt(Number(item)) === item && setHas(value, Number(item)));
    case "boolean":
      return setHas(value, item);
    default:
      // Any other value may equal one of another kind: a text a date. Only a hit is certain.
      return setHas(value, item) ? true : undefined;
  }
};

const elementAt = (array: object, index: number): unknown => {
  const found = getDescriptor(array, index);
  if (found === undefined || "value" in found) return found?.value;
  throw refuseRead(`[${index}]`, "is a getter, which would run", "mark it readable in the host's declaration");
};

const admit = (length: number, most: number): void => {
  if (length > most) throw fault("too_many_items", `The list has ${length} elements; ${most} are allowed`);
};

/** An array that can be read in place: its elements are values, and so is what a hole would find. */
export const rowsInPlace = (value: object): readonly unknown[] | undefined => {
  const classes = hiddenClasses();
  if (classes === undefined || !hasOwnPrototypes(value) || !classes.hasFastElements(value)) return undefined;
  return hasIndex(Array.prototype) || hasIndex(Object.prototype) ? undefined : value;
};

/** An array with the prototypes that arrays come with: no proxy among them. */
const hasOwnPrototypes = (value: object): value is readonly unknown[] =>
  !isProxy(value) &&
  isArray(value) &&
  getPrototype(value) === Array.prototype &&
  getPrototype(Array.prototype) === Object.prototype;

const hasIndex = (prototype: object): boolean => ownKeys(prototype).some((name) => /^\d/.test(name));

/**
 * How the elements are read as long as no other code runs. The descriptor of an element takes ten times as long as the look-up of a getter, since
 * V8 makes a text of the index. What is undefined so may be a hole, or an accessor that only writes.
 */
const readElements = (array: readonly unknown[]): ((index: number) => unknown) => {
  if (array.length < many || !hasOwnPrototypes(array)) return (at) => elementAt(array, at);
  const inPlace = rowsInPlace(array);
  if (inPlace !== undefined) return (at) => inPlace[at];
  return (at) => {
    const found = findGetter(array, at) === undefined ? array[at] : undefined;
    return found === undefined ? elementAt(array, at) : found;
  };
};

/** Elements from which asking once for the whole array costs less than asking for each. */
const many = 128;

const copyArray = (array: readonly unknown[], most: number): readonly unknown[] => {
  const { length } = array;
  admit(length, most);
  const read = readElements(array);
  return Array.from({ length }, (_, index) => read(index));
};

/** Keys and values of a map, as they are; `undefined` for anything else. */
export const mapEntries = (value: object): Entries | undefined => {
  if (isProxy(value) || !isMap(value)) return undefined;
  const entries = function* (): Generator<readonly [unknown, unknown]> {
    const iterator = mapPairs(value);
    for (let step = nextPair(iterator); step.done !== true; step = nextPair(iterator)) yield step.value;
  };
  return {
    size: Number(mapSize(value)),
    *keys() {
      for (const [key] of entries()) yield key;
    },
    *values() {
      for (const [, item] of entries()) yield item;
    },
    [Symbol.iterator]: entries,
  };
};

/** A map's value for a key, also when one side has a number and the other a bigint; `absent` for no such key or no map. */
export const mapEntry = (value: object, key: unknown): unknown => {
  if (isProxy(value) || !isMap(value)) return absent;
  if (mapHas(value, key)) return mapGet(value, key);
  const other =
    typeof key === "bigint" ? Number(key) : typeof key === "number" && Number.isInteger(key) ? BigInt(key) : undefined;
  return other !== undefined && mapHas(value, other) ? mapGet(value, other) : absent;
};

/** Milliseconds of a Date; `undefined` for anything else and for an invalid date. */
export const readInstant = (value: object): number | undefined => {
  if (isProxy(value) || !isDate(value)) return undefined;
  const ms = dateTime(value);
  return Number.isNaN(ms) ? undefined : ms;
};
