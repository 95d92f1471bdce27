/**
 * The type of a root that nobody declared one for: its value's declared class, or the class that a list's elements share, told by some of
 * them. An element that turns out to be something else is refused when it is read.
 */
import { type ClassDefinition, classType, derivesFrom, dynamic, type Listing, listOf, type Type } from "@fairlead/linq";
import { listingOf, prototypes } from "./reading.ts";
import type { Registry } from "./registry.ts";

/** Elements looked at, spread over the list. */
const looked = 64;

export const rootType = (value: unknown, registry: Registry): Type => {
  if (typeof value !== "object" || value === null) return dynamic;
  const own = classOf(value, registry);
  if (own !== undefined) return classType(own);
  const item = isArray(value) ? shared(value, registry) : undefined;
  return item === undefined ? dynamic : listOf(classType(item));
};

const classOf = (value: object, registry: Registry): ClassDefinition | undefined => {
  const found = registry.of(value)?.definition;
  return found?.kind === "class" ? found : undefined;
};

const isArray = (value: object): boolean => [...prototypes(value)].includes(Array.prototype);

const shared = (value: object, registry: Registry): ClassDefinition | undefined => {
  const list = listingOf(value, looked);
  if (list === undefined || list.length === 0) return undefined;
  const step = Math.max(1, Math.floor(list.length / looked));
  let common: ClassDefinition | undefined;
  for (let index = 0; index < list.length; index += step) {
    const each = elementAt(list, index);
    if (each === null || each === undefined) continue;
    const found = typeof each === "object" ? classOf(each, registry) : undefined;
    common = found === undefined ? undefined : common === undefined ? found : ancestor(common, found);
    if (common === undefined) return undefined;
  }
  return common;
};

const elementAt = ({ at }: Listing, index: number): unknown => {
  try {
    return at(index);
  } catch {
    // An accessor, which is refused when it is asked for.
    return null;
  }
};

/** The nearest class that one is and the other derives from. */
const ancestor = (a: ClassDefinition, b: ClassDefinition): ClassDefinition | undefined => {
  for (let at: ClassDefinition | undefined = a; at !== undefined; at = at.base) if (derivesFrom(b, at)) return at;
  return undefined;
};
