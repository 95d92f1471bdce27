/**
 * Names of types whose author gave no id: the one that the lock has for most of their places, or else the place that the contract
 * declares first: service, procedure, side and field. A procedure's whole input or output comes before a field.
 *
 * Not here: types with an id (`authored-names`).
 */
import { pascalCase } from "../model/letter-case.ts";
import { isAnyJson } from "../schema/references.ts";
import type { DefinitionPlace } from "./definitions.ts";
import type { NamesLock } from "./lock.ts";
import { listPlaces, mostFrequent, type SharedType } from "./shared-type.ts";

/** Any JSON value, wherever it is. */
export const anyJsonName = "Json";

/** `authored` are the types that their authors named; `taken` says what a new name may not be. */
export const nameAnonymous = (
  types: readonly SharedType[],
  authored: ReadonlyMap<SharedType, string>,
  { lock, taken }: { readonly lock: NamesLock; readonly taken: ReadonlySet<string> },
): ReadonlyMap<SharedType, string> => {
  const names = new Map<SharedType, string>();
  const unnamed = types.filter((type) => {
    if (type.id !== undefined) return false;
    const [{ schema, local }] = type.uses;
    if (!isAnyJson(schema.json.$defs?.[local] ?? {})) return true;
    names.set(type, anyJsonName);
    return false;
  });
  const owners = ownersByPlace(unnamed);
  const given = new Set<string>();
  for (const [name, entry] of [...lock].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    if ("id" in entry) continue;
    const owner = mostFrequent(entry.at.flatMap((place) => owners.get(place) ?? []).filter((type) => !names.has(type)));
    if (owner === undefined) continue;
    names.set(owner, name);
    given.add(name);
  }
  for (const type of unnamed) {
    if (names.has(type)) continue;
    const name = freeName(placeName(type, authored), (each) => taken.has(each) || given.has(each) || lock.has(each));
    names.set(type, name);
    given.add(name);
  }
  return names;
};

const ownersByPlace = (types: readonly SharedType[]): ReadonlyMap<string, readonly SharedType[]> => {
  const owners = new Map<string, SharedType[]>();
  for (const type of types) {
    for (const place of listPlaces(type)) owners.set(place, [...(owners.get(place) ?? []), type]);
  }
  return owners;
};

/** A schema that refers to itself is not what its procedure's type is called after. */
const placeName = ({ uses }: SharedType, authored: ReadonlyMap<SharedType, string>): string => {
  const places = uses.flatMap((use) => use.places);
  const place = places.find(({ base, path }) => "typeName" in base && path === "") ?? places[0];
  if (place === undefined) return "Node";
  const name = `${baseName(place, authored)}${pascalCase(place.path)}`;
  const [{ schema, local }] = uses;
  return place.path === "" && schema.sharing?.shapes.has(local) !== true ? `${name}Node` : name;
};

const baseName = ({ base }: DefinitionPlace, authored: ReadonlyMap<SharedType, string>): string => {
  if ("typeName" in base) return base.typeName;
  const owner = [...authored].find(([{ id, sides }]) => id === base.id && sides.has(base.side));
  return owner?.[1] ?? pascalCase(base.id);
};

const freeName = (base: string, isTaken: (name: string) => boolean): string => {
  let name = base;
  for (let count = 2; isTaken(name); count += 1) name = `${base}${count}`;
  return name;
};
