/** The elements of collections: the host's, read without running anything, and those that expressions make. */
import { fault } from "../core/error.ts";
import type { Frame } from "../core/frame.ts";
import { portable } from "../core/portable.ts";
import { createListing, type Entries, type HostAccess, type Listing, readInOrder } from "../type/host.ts";
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
  return Sequence.is(list) ? createListing(list.items) : host.listing(list);
};

export const readEntries = (value: unknown, host: HostAccess): Entries => {
  const entries = typeof value === "object" && value !== null ? host.dictionary(value) : undefined;
  if (entries !== undefined) return entries;
  throw fault("not_a_collection", `A ${describeKind(value)} is no dictionary`);
};

const Pair = rowClass(["Key", "Value"]);

/** What a copy of elements is charged to. */
type CopyCharge = Pick<Frame, "spend" | "admit"> | undefined;

/** Charges a list's copy, a step for sixteen elements. */
const chargeList = (length: number, charge: CopyCharge): void => charge?.spend(length >> 4);

/** Charges the pairs of a map, which are made one by one. */
const chargePairs = (entries: Entries, charge: CopyCharge): Entries => {
  charge?.admit(entries.size);
  charge?.spend(entries.size);
  return entries;
};

/** The elements of anything that has some; dictionaries give pairs, strings their characters. A copy is paid for before it is made. */
export const readItems = (value: unknown, host: HostAccess, charge?: CopyCharge): readonly unknown[] => {
  if (Sequence.is(value)) return value.items;
  if (typeof value === "string") return value.split("");
  if (typeof value === "object" && value !== null) {
    if (charge !== undefined) chargeList(host.listing(value)?.length ?? 0, charge);
    const list = host.list(value);
    if (list !== undefined) return list;
    const entries = host.dictionary(value);
    if (entries !== undefined) return Array.from(chargePairs(entries, charge), ([key, each]) => new Pair(key, each));
  }
  return refuseItems(value);
};

const refuseItems = (value: unknown): never => {
  if (value === null || value === undefined)
    throw fault("null_reference", "The collection is null", "use np() or test for null first");
  throw fault("not_a_collection", `A ${describeKind(value)} is no collection`);
};

/** The same to read only the first of them, or their number: nothing is copied. */
const itemListing = (value: unknown, host: HostAccess): Listing => {
  if (typeof value === "string") return { length: value.length, at: (index) => value.charAt(index) };
  const listing = findListing(value, host);
  if (listing !== undefined) return listing;
  const entries = typeof value === "object" && value !== null ? host.dictionary(value) : undefined;
  if (entries === undefined) return refuseItems(value);
  const at = readInOrder(() => entries[Symbol.iterator]());
  return {
    length: entries.size,
    at: (index) => {
      const entry = at(index);
      return entry === undefined ? null : new Pair(...entry);
    },
  };
};

/** The elements of a collection of a known type: the host's are checked, ours have been. */
export const typedItemsReader = portable("typedItemsReader", (type: Type, host: HostAccess) =>
  createItemsReader(type, host),
);

type ItemsReader = (value: unknown, charge?: CopyCharge) => readonly unknown[];

const createItemsReader = (type: Type, host: HostAccess): ItemsReader => {
  if (type.kind === "dictionary") return typedPairs(type, host);
  const check = itemCheck(type, host);
  if (check === undefined) return (value, charge) => readItems(value, host, charge);
  return (value, charge) => (Sequence.is(value) ? value.items : readItems(value, host, charge).map(check));
};

/** The check of elements of a declared scalar or enum. */
const itemCheck = (type: Type, host: HostAccess): ((value: unknown) => unknown) | undefined => {
  const item = type.kind === "list" ? type.item : undefined;
  return item === undefined || (item.kind !== "scalar" && item.kind !== "enum") ? undefined : valueCheck(item, host);
};

const typedPairs = (type: Type & { kind: "dictionary" }, host: HostAccess): ItemsReader => {
  const checkKey = valueCheck(type.key, host);
  const checkValue = valueCheck(type.value, host);
  return (value, charge) =>
    Array.from(
      chargePairs(readEntries(value, host), charge),
      ([key, each]) => new Pair(checkKey(key), checkValue(each)),
    );
};

/** The same as `typedItemsReader`, without a copy. */
export const typedListing = portable("typedListing", (type: Type, host: HostAccess) => createListingReader(type, host));

const createListingReader = (type: Type, host: HostAccess): ((value: unknown) => Listing) => {
  if (type.kind === "dictionary") {
    const checkKey = valueCheck(type.key, host);
    const checkValue = valueCheck(type.value, host);
    return (value) => {
      const entries = readEntries(value, host);
      const at = readInOrder(() => entries[Symbol.iterator]());
      return {
        length: entries.size,
        at: (index) => {
          const entry = at(index);
          return entry === undefined ? null : new Pair(checkKey(entry[0]), checkValue(entry[1]));
        },
      };
    };
  }
  const check = itemCheck(type, host);
  if (check === undefined) return (value) => itemListing(value, host);
  return (value) => {
    const listing = itemListing(value, host);
    return Sequence.is(value) ? listing : { length: listing.length, at: (index) => check(listing.at(index)) };
  };
};
