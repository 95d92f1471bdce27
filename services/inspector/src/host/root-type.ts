/**
 * The type of a root without a declared one: its value's declared class, or the class that a list's elements share, judged by some of
 * them. An element that turns out to be something else is refused when it is read.
 */
import {
  type ClassDefinition,
  classType,
  derivesFrom,
  dynamic,
  type Listing,
  listType,
  type Type,
} from "@fairlead/linq";
import { prototypes, readListing } from "./reading.ts";
import type { Registry } from "./registry.ts";

/** Elements looked at, spread over the list. */
const sampledElements = 64;

export const rootType = (value: unknown, registry: Registry): Type => {
  if (typeof value !== "object" || value === null) return dynamic;
  const own = findRootClass(value, registry);
  if (own !== undefined) return classType(own);
  const item = isArray(value) ? sharedClass(value, registry) : undefined;
  return item === undefined ? dynamic : listType(classType(item));
};

const findRootClass = (value: object, registry: Registry): ClassDefinition | undefined => {
  const found = registry.of(value)?.definition;
  return found?.kind === "class" ? found : undefined;
};

const isArray = (value: object): boolean => [...prototypes(value)].includes(Array.prototype);

const sharedClass = (value: object, registry: Registry): ClassDefinition | undefined => {
  const list = readListing(value);
  if (list === undefined || list.length === 0) return undefined;
  const step = Math.max(1, Math.floor(list.length / sampledElements));
  let common: ClassDefinition | undefined;
  for (let index = 0; index < list.length; index += step) {
    const each = elementAt(list, index);
    if (each === null || each === undefined) continue;
    const found = typeof each === "object" ? findRootClass(each, registry) : undefined;
    common = found === undefined ? undefined : common === undefined ? found : commonAncestor(common, found);
    if (common === undefined) return undefined;
  }
  return common;
};

const elementAt = ({ at }: Listing, index: number): unknown => {
  try {
    return at(index);
  } catch {
    // An accessor, which is refused when it is read.
    return null;
  }
};

/** The nearest class that one is and the other derives from. */
const commonAncestor = (a: ClassDefinition, b: ClassDefinition): ClassDefinition | undefined => {
  for (let at: ClassDefinition | undefined = a; at !== undefined; at = at.base) if (derivesFrom(b, at)) return at;
  return undefined;
};
