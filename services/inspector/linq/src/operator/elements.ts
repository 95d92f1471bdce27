/** The elements of collections: the host's, read without running anything, and those that expressions make. */
import { fault } from "../core/error.ts";
import { portable } from "../core/portable.ts";
import { absent, type Entries, type HostAccess, type Listing, readInOrder } from "../type/host.ts";
import { dynamic, pairType, type Type } from "../type/type.ts";
import { isRow, rowClass } from "../value/row.ts";
import { Sequence } from "../value/sequence.ts";
import { valueCheck } from "./check.ts";
import { describeKind } from "./compare.ts";

/** The type of the elements of a collection; undefined for anything else. */
export const itemType = (type: Type): Type | undefined => {
  if (type.kind === "list") return type.item;
  if (type.kind === "dictionary") return pairType(type);
  if (type.kind === "dynamic") return dynamic;
  if (type.kind === "scalar" && type.name === "String") return { kind: "scalar", name: "Char", nullable: false };
  return undefined;
};

/** A list of the host's or of our making, to look at some of it. */
export const findListing = (list: unknown, host: HostAccess): Listing | undefined => {
  if (typeof list !== "object" || list === null || isRow(list)) return undefined;
  return Sequence.is(list) ? list.elements : host.listing(list);
};

export const readEntries = (value: unknown, host: HostAccess): Entries => {
  const entries = typeof value === "object" && value !== null ? host.dictionary(value) : undefined;
  if (entries !== undefined) return entries;
  throw fault("not_a_collection", `A ${describeKind(value)} is not a dictionary`);
};

const Pair = rowClass(["Key", "Value"]);

/** A copy of the elements of anything that has some; dictionaries give pairs, strings their characters. */
export const readItems = (value: unknown, host: HostAccess): readonly unknown[] => {
  if (Sequence.is(value)) return value.items;
  if (typeof value === "string") return value.split("");
  if (typeof value === "object" && value !== null) {
    const list = host.list(value);
    if (list !== undefined) return list;
    const entries = host.dictionary(value);
    if (entries !== undefined) return Array.from(entries, ([key, each]) => new Pair(key, each));
  }
  return refuseItems(value);
};

const refuseItems = (value: unknown): never => {
  if (value === null || value === undefined)
    throw fault("null_reference", "The collection is null", "use np() or test for null first");
  throw fault("not_a_collection", `A ${describeKind(value)} is not a collection`);
};

/** The same where they are: nothing is copied. */
const itemListing = (value: unknown, host: HostAccess): Listing => {
  if (typeof value === "string") return { length: value.length, at: (index) => value.charAt(index) };
  const listing = findListing(value, host);
  if (listing !== undefined) return listing;
  const entries = typeof value === "object" && value !== null ? host.dictionary(value) : undefined;
  return entries === undefined ? refuseItems(value) : pairListing(entries, (key, each) => new Pair(key, each));
};

/** The pairs of a map, each made when it is read. */
const pairListing = (entries: Entries, pair: (key: unknown, each: unknown) => unknown): Listing => {
  const at = readInOrder(() => entries[Symbol.iterator]());
  return {
    length: entries.size,
    at: (index) => {
      const entry = at(index);
      return entry === absent ? absent : pair(entry[0], entry[1]);
    },
  };
};

/** The check of elements of a declared scalar or enum. */
const itemCheck = (type: Type, host: HostAccess): ((value: unknown) => unknown) | undefined => {
  const item = type.kind === "list" ? type.item : undefined;
  return item === undefined || (item.kind !== "scalar" && item.kind !== "enum") ? undefined : valueCheck(item, host);
};

/** The elements of a collection of a known type, where they are: the host's are checked when they are read, ours have been. */
export const typedListing = portable("typedListing", (type: Type, host: HostAccess) => createListingReader(type, host));

const createListingReader = (type: Type, host: HostAccess): ((value: unknown) => Listing) => {
  if (type.kind === "dictionary") {
    const checkKey = valueCheck(type.key, host);
    const checkValue = valueCheck(type.value, host);
    return (value) => pairListing(readEntries(value, host), (key, each) => new Pair(checkKey(key), checkValue(each)));
  }
  const check = itemCheck(type, host);
  if (check === undefined) return (value) => itemListing(value, host);
  return (value) => {
    const listing = itemListing(value, host);
    return Sequence.is(value) ? listing : mapListing(listing, check);
  };
};

/** A list with something made of each element when it is read. */
export const mapListing = (listing: Listing, made: (item: unknown) => unknown): Listing => ({
  ...listing,
  at: (index) => {
    const item = listing.at(index);
    return item === absent ? absent : made(item);
  },
});
