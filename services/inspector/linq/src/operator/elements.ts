/** The elements of collections: the host's, read without running anything, and those that expressions make. */
import { fault } from "../core/error.ts";
import { portable } from "../core/portable.ts";
import { createListing, type HostAccess, type Listing } from "../type/host.ts";
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

export const readEntries = (value: unknown, host: HostAccess): ReadonlyMap<unknown, unknown> => {
  const entries = typeof value === "object" && value !== null ? host.dictionary(value) : undefined;
  if (entries !== undefined) return entries;
  throw fault("not_a_collection", `A ${describeKind(value)} is no dictionary`);
};

const Pair = rowClass(["Key", "Value"]);

/** The elements of anything that has some; dictionaries give pairs, strings their characters. */
export const readItems = (value: unknown, host: HostAccess): readonly unknown[] => {
  if (Sequence.is(value)) return value.items;
  if (typeof value === "string") return value.split("");
  if (typeof value === "object" && value !== null) {
    const list = host.list(value);
    if (list !== undefined) return list;
    const entries = host.dictionary(value);
    if (entries !== undefined) return [...entries].map(([key, each]) => new Pair(key, each));
  }
  if (value === null || value === undefined)
    throw fault("null_reference", "The collection is null", "use np() or test for null first");
  throw fault("not_a_collection", `A ${describeKind(value)} is no collection`);
};

/** The elements of a collection of a known type: the host's are checked, ours have been. */
export const typedItemsReader = portable("typedItemsReader", (type: Type, host: HostAccess) =>
  createItemsReader(type, host),
);

const createItemsReader = (type: Type, host: HostAccess): ((value: unknown) => readonly unknown[]) => {
  if (type.kind === "dictionary") return typedPairs(type, host);
  const item = type.kind === "list" ? type.item : undefined;
  if (item === undefined || (item.kind !== "scalar" && item.kind !== "enum")) return (value) => readItems(value, host);
  const check = valueCheck(item, host);
  return (value) => (Sequence.is(value) ? value.items : readItems(value, host).map(check));
};

const typedPairs = (
  type: Type & { kind: "dictionary" },
  host: HostAccess,
): ((value: unknown) => readonly unknown[]) => {
  const checkKey = valueCheck(type.key, host);
  const checkValue = valueCheck(type.value, host);
  return (value) => [...readEntries(value, host)].map(([key, each]) => new Pair(checkKey(key), checkValue(each)));
};
