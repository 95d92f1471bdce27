/**
 * Makes definitions of the shapes that are used twice, or that the lock has a name for, so that each is written once and has a name. An object has
 * one on each side: what callers give is printed wider than what they get.
 *
 * Not here: what can be shared (`shapes`), and the names (`anonymous-names`).
 */
import type { ServiceModel } from "../model/model.ts";
import type { LoweredSchema, SchemaSide } from "../schema/lower.ts";
import { type DefinitionUse, findDefinitions, listSchemas, type ProcedureSchema, placeIn } from "./definitions.ts";
import type { NamesLock } from "./lock.ts";
import { findShapes, type SchemaShape } from "./shapes.ts";
import { type KeyedShape, shareInService } from "./share-in-schema.ts";
import { groupTypes, mostFrequent, placeText } from "./shared-type.ts";

/** The same services; in their schemas, shapes that are shared are definitions that no author has named. */
export const shareShapes = (services: readonly ServiceModel[], lock: NamesLock): readonly ServiceModel[] => {
  const uses = services.flatMap(findDefinitions);
  const given = definitionsOfInputs(uses);
  const texts = definitionTexts(uses);
  const schemas = services.flatMap(({ procedures }) => procedures.flatMap(listSchemas));
  const keyed = new Map<LoweredSchema, readonly KeyedShape[]>();
  for (const { schema, side } of schemas) {
    if (keyed.has(schema)) continue;
    const shapeSide = ({ within }: SchemaShape): SchemaSide =>
      within === undefined ? side : given.has(texts.get(schema)?.get(within) ?? "") ? "input" : "output";
    const shapes = findShapes(schema).map((shape) => ({
      shape,
      key: `${shape.isChoice ? "" : shapeSide(shape)}${shape.content}`,
    }));
    keyed.set(schema, shapes);
  }
  const shared = new Set([...usedTwice(keyed, texts), ...lockedKeys(lock, schemas, keyed)]);
  const descriptions = agreedDescriptions(shared, keyed);
  const chosen = (schema: LoweredSchema): readonly KeyedShape[] =>
    (keyed.get(schema) ?? []).filter(({ key }) => shared.has(key));
  return services.map((service) => shareInService(service, { chosen, descriptions }));
};

/** Texts of definitions that an input has: they are printed as callers give them, wherever else they are. */
const definitionsOfInputs = (uses: readonly DefinitionUse[]): ReadonlySet<string> =>
  new Set(groupTypes(uses).flatMap((type) => (type.sides.has("input") ? [type.text] : [])));

const definitionTexts = (uses: readonly DefinitionUse[]): ReadonlyMap<LoweredSchema, ReadonlyMap<string, string>> => {
  const bySchema = new Map<LoweredSchema, Map<string, string>>();
  for (const { schema, local, text } of uses) {
    const texts = bySchema.get(schema) ?? new Map<string, string>();
    bySchema.set(schema, texts.set(local, text));
  }
  return bySchema;
};

/** Keys of shapes at two places or more. What is inside a shape is at one place, however often the shape is used. */
const usedTwice = (
  keyed: ReadonlyMap<LoweredSchema, readonly KeyedShape[]>,
  texts: ReadonlyMap<LoweredSchema, ReadonlyMap<string, string>>,
): readonly string[] => {
  const counts = new Map<string, { places: number; roots: number }>();
  const bodies = new Map<string, LoweredSchema>();
  for (const [schema, shapes] of keyed) {
    const repeated = new Set<SchemaShape>();
    for (const { shape, key } of shapes) {
      const body = shape.within === undefined ? undefined : texts.get(schema)?.get(shape.within);
      const first = body === undefined ? schema : (bodies.get(body) ?? schema);
      if (body !== undefined) bodies.set(body, first);
      if (first !== schema || (shape.around !== undefined && repeated.has(shape.around))) {
        repeated.add(shape);
        continue;
      }
      const count = counts.get(key);
      if (count !== undefined) repeated.add(shape);
      const { places, roots } = count ?? { places: 0, roots: 0 };
      counts.set(key, shape.isRoot ? { places, roots: 1 } : { places: places + 1, roots });
    }
  }
  // Schemas as a whole have the names of their procedures.
  return [...counts].filter(([, { places, roots }]) => places > 0 && places + roots > 1).map(([key]) => key);
};

/** Keys of the shapes that have names already: for each name, the one that is at most of its places. */
const lockedKeys = (
  lock: NamesLock,
  schemas: readonly ProcedureSchema[],
  keyed: ReadonlyMap<LoweredSchema, readonly KeyedShape[]>,
): readonly string[] => {
  const named = [...lock.values()].flatMap((entry) => ("at" in entry ? [entry.at] : []));
  if (named.length === 0) return [];
  const keys = new Map<string, string>();
  for (const each of schemas)
    for (const [index, { key }] of (keyed.get(each.schema) ?? []).entries()) {
      const place = listTexts(each)[index] ?? "";
      if (!keys.has(place)) keys.set(place, key);
    }
  return named.flatMap((places) => mostFrequent(places.flatMap((place) => keys.get(place) ?? [])) ?? []);
};

const places = new WeakMap<ProcedureSchema, readonly string[]>();

/** Of the shapes of a schema, in their order. */
const listTexts = (each: ProcedureSchema): readonly string[] => {
  const before = places.get(each);
  if (before !== undefined) return before;
  const { schema, ...place } = each;
  const made = findShapes(schema).map((shape) => placeText(placeIn(place, shape)));
  places.set(each, made);
  return made;
};

/** What all places say of a shape that is shared, where they say the same. */
const agreedDescriptions = (
  shared: ReadonlySet<string>,
  keyed: ReadonlyMap<LoweredSchema, readonly KeyedShape[]>,
): ReadonlyMap<string, string> => {
  const found = new Map<string, string | undefined>();
  for (const { shape, key } of [...keyed.values()].flat()) {
    const { description } = shape.node;
    if (description === undefined || !shared.has(key)) continue;
    found.set(key, found.has(key) && found.get(key) !== description ? undefined : description);
  }
  return new Map([...found].flatMap(([key, words]) => (words === undefined ? [] : [[key, words] as const])));
};
