/** The language's view of a host: its registry, its roots, and careful reading of everything else. */
import { createListing, type HostAccess, type RootDefinition } from "@fairlead/linq";
import { defaultLimits, type Limits } from "@fairlead/linq/limits";
import { directRows } from "./direct-rows.ts";
import { refuseInherited, refuseUndeclared } from "./inherited.ts";
import { opaqueText } from "./opaque.ts";
import {
  copyElements,
  mapEntries,
  mapEntry,
  ownData,
  ownNames,
  plainData,
  readInstant,
  readListing,
  rowsInPlace,
  setHolds,
} from "./reading.ts";
import type { Registry } from "./registry.ts";

interface HostOptions {
  readonly registry: Registry;
  readonly roots: readonly RootDefinition[];
  readonly now: () => number;
  readonly limits?: Limits;
}

export const hostAccess = ({ registry, roots, now, limits = defaultLimits }: HostOptions): HostAccess => {
  const host: HostAccess = {
    now,
    roots,
    type: (name) => registry.find(name)?.definition,
    typeNames: function* () {
      for (const { definition } of registry.all()) yield definition.name;
    },
    derived: (definition) => registry.derived(definition),
    declaresMethod: (lower) => registry.declaresMethod(lower),
    constructs: (definition) => registry.constructs(definition),
    findClass: (value) => {
      const found = registry.of(value)?.definition;
      return found?.kind === "class" ? found : undefined;
    },
    plainField: plainData,
    field: ownData,
    refuseInherited,
    refuseUndeclared: ({ fullName }, name, use) => {
      const declaration = registry.find(fullName)?.declaration;
      if (declaration === undefined || declaration.kind === "enum" || declaration.constructs === undefined) return;
      refuseUndeclared(declaration.constructs.prototype, name, use);
    },
    fieldNames: ownNames,
    opaque: opaqueText,
    list: (value) => (isTrusted(value) ? value : copyElements(value, limits.items)),
    listing: (value) => (isTrusted(value) ? createListing(value) : readListing(value)),
    dictionary: (value) => mapEntries(value),
    holds: setHolds,
    entry: mapEntry,
    instant: readInstant,
    rowsInPlace: (value) => {
      const rows = isTrusted(value) ? value : rowsInPlace(value);
      return rows !== undefined && rows.length <= limits.items ? rows : undefined;
    },
    direct: (rows, type) => directRows(rows, type, host),
  };
  return host;
};

const trusted = new WeakSet<object>();

/** Marks an array of the service's own making, whose elements are plain data properties: it is read without copying. */
export const trust = <T extends unknown[]>(array: T): T => {
  trusted.add(array);
  return array;
};

const isTrusted = (value: object): value is readonly unknown[] => trusted.has(value);
