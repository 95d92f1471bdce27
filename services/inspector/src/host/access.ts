/** The language's view of a host: its registry, its roots, and careful reading of everything else. */
import type { DirectRows, HostAccess, RootDefinition } from "../linq/host.ts";
import { defaultLimits, type Limits } from "../linq/limits.ts";
import type { Type } from "../linq/type.ts";
import { isMarked, plainRows } from "./plain.ts";
import { elementsOf, instantOf, mapEntries, mapEntry, ownData, ownNames, plainData } from "./reading.ts";
import type { Registry } from "./registry.ts";

export interface HostOptions {
  readonly registry: Registry;
  readonly roots: readonly RootDefinition[];
  readonly now: () => number;
  readonly limits?: Limits;
}

export const hostAccess = ({ registry, roots, now, limits = defaultLimits }: HostOptions): HostAccess => ({
  now,
  roots,
  type: (name) => registry.find(name)?.definition,
  typeNames: function* () {
    for (const { definition } of registry.all()) yield definition.name;
  },
  derived: (definition) => registry.derived(definition),
  classOf: (value) => {
    const found = registry.of(value)?.definition;
    return found?.kind === "class" ? found : undefined;
  },
  plainField: plainData,
  field: ownData,
  fieldNames: ownNames,
  list: (value) => (isTrusted(value) || isMarked(value) ? value : elementsOf(value, limits.items)),
  dictionary: (value) => mapEntries(value),
  entry: mapEntry,
  instant: instantOf,
  direct: (rows, type) => directRows(rows, type),
});

const trusted = new WeakSet<object>();

/** Marks an array of the service's own making, whose elements are plain data properties: it is read without copying. */
export const trust = <T extends unknown[]>(array: T): T => {
  trusted.add(array);
  return array;
};

const isTrusted = (value: object): value is readonly unknown[] => trusted.has(value);

const directRows = (rows: readonly unknown[], type: Type): DirectRows | undefined => {
  if (type.kind !== "class") return type.kind === "dynamic" ? plainRows(rows) : undefined;
  const { definition } = type;
  if (definition.isDirect === undefined) return undefined;
  const { isDirect } = definition;
  return {
    keys: [...definition.members.values()].flatMap(({ key }) => key ?? []),
    admits: (from, to) => {
      for (let index = from; index < to; index++) if (!isDirect(rows[index])) return false;
      return true;
    },
  };
};
