/** Writes the shapes that are shared as definitions into schemas. What shares the same as before stays the same object, so that nothing is emitted again. */
import type { ServiceModel } from "../model/model.ts";
import { defRef, type JsonSchema, mapChildren } from "../schema/json-schema.ts";
import type { LoweredSchema, Sharing } from "../schema/lower.ts";
import { listSchemas } from "./definitions.ts";
import { mapSchemas } from "./rename.ts";
import { type SchemaShape, splitWords } from "./shapes.ts";

/** A shape with the key that all of one type have. */
export interface KeyedShape {
  readonly shape: SchemaShape;
  readonly key: string;
}

interface SharedShapes {
  /** Those of a schema that are shared, each before those inside of it. */
  readonly chosen: (schema: LoweredSchema) => readonly KeyedShape[];
  /** By key, what is said of the type wherever it is. */
  readonly descriptions: ReadonlyMap<string, string>;
}

const cache = new WeakMap<ServiceModel, { readonly key: string; readonly shared: ServiceModel }>();

export const shareInService = (service: ServiceModel, { chosen, descriptions }: SharedShapes): ServiceModel => {
  const all = service.procedures.flatMap(listSchemas).map(({ schema }) => chosen(schema));
  const keys = all.map((each) => each.map(({ key }) => key));
  const key = JSON.stringify([keys, [...new Set(keys.flat())].map((each) => descriptions.get(each))]);
  const before = cache.get(service);
  if (before?.key === key) return before.shared;
  const shared = mapSchemas(service, (schema) => shareInSchema(schema, chosen(schema), descriptions));
  cache.set(service, { key, shared });
  return shared;
};

const shareInSchema = (
  schema: LoweredSchema,
  chosen: readonly KeyedShape[],
  descriptions: ReadonlyMap<string, string>,
): LoweredSchema => {
  if (chosen.length === 0) return schema;
  const { $defs = {}, ...root } = schema.json;
  const taken = new Set(Object.keys($defs));
  const locals = new Map<string, string>();
  for (const { key } of chosen) if (!locals.has(key)) locals.set(key, freeName(`shared${locals.size + 1}`, taken));
  const keys = new Map(chosen.map(({ shape, key }) => [shape.node, key]));
  const definitions: Record<string, JsonSchema> = {};
  const inside = (node: JsonSchema): JsonSchema => mapChildren(node, replaced);
  const refer = (node: JsonSchema, key: string): JsonSchema => {
    const local = locals.get(key) ?? key;
    const { body, words } = splitWords(node);
    const description = descriptions.get(key);
    definitions[local] ??= { ...inside(body), ...(description !== undefined && { description }) };
    return { $ref: defRef(local), ...words };
  };
  const replaced = (node: JsonSchema): JsonSchema => {
    const key = keys.get(node);
    return key === undefined ? inside(node) : refer(node, key);
  };
  const own = chosen.find(({ shape }) => shape.isRoot);
  const json = own === undefined ? inside(root) : refer(root, own.key);
  const kept = Object.fromEntries(Object.entries($defs).map(([name, definition]) => [name, inside(definition)]));
  return {
    ...schema,
    json: { ...json, $defs: { ...kept, ...definitions } },
    anonymous: [...schema.anonymous, ...Object.keys(definitions)],
    sharing: { inline: schema, shapes: listPlaces(chosen, locals) },
  };
};

const listPlaces = (chosen: readonly KeyedShape[], locals: ReadonlyMap<string, string>): Sharing["shapes"] => {
  const found = new Map<string, { readonly key: string; readonly places: Pick<SchemaShape, "from" | "path">[] }>();
  for (const { shape, key } of chosen) {
    const local = locals.get(key) ?? key;
    const entry = found.get(local) ?? { key, places: [] };
    if (!entry.places.some(({ from, path }) => from === shape.from && path === shape.path)) entry.places.push(shape);
    found.set(local, entry);
  }
  return found;
};

const freeName = (base: string, taken: ReadonlySet<string>): string => {
  let name = base;
  while (taken.has(name)) name = `${name}_`;
  return name;
};
