/**
 * Many schemas in one document: each gets a name, and its definitions are beside it under theirs, so that every reference is a
 * pointer to one flat place. A schema that several procedures share is there once; the others refer to it.
 */
import { definitionsIn, rootIn } from "../names/schema-parts.ts";
import { defName, type JsonSchema, rewrite } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";
import { toPublished } from "../schema/standard-words.ts";

interface SchemaBundle {
  /** Adds a schema under a name, with its definitions; `wrap` puts it into a larger one. */
  add(name: string, schema: LoweredSchema, wrap?: (root: JsonSchema) => JsonSchema): void;
  /** Adds a schema that refers to nothing. */
  addPlain(name: string, schema: JsonSchema): void;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** An empty bundle; `base` is the place of all names in the document, like `#/$defs/`. */
export const bundle = (base: string): SchemaBundle => {
  const schemas: Record<string, JsonSchema> = {};
  const first = new Map<LoweredSchema, string>();
  const publish = (node: JsonSchema): JsonSchema => {
    const name = node.$ref === undefined ? undefined : defName(node.$ref);
    return name === undefined ? toPublished(node) : { ...node, $ref: `${base}${name}` };
  };
  return {
    schemas,
    add: (name, schema, wrap) => {
      const before = first.get(schema);
      if (before !== undefined && wrap === undefined) {
        schemas[name] = { $ref: `${base}${before}` };
        return;
      }
      if (wrap === undefined) first.set(schema, name);
      const root = rootIn(schema);
      schemas[name] = rewrite(wrap === undefined ? root : wrap(root), publish);
      for (const [inner, definition] of Object.entries(definitionsIn(schema)))
        schemas[inner] ??= rewrite(definition, publish);
    },
    addPlain: (name, schema) => {
      schemas[name] = schema;
    },
  };
};
