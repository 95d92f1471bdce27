/**
 * Many schemas in one document: each gets a name, and its local `$defs` move beside it under names of their own, so that every
 * reference is a pointer to one flat place. A schema that several procedures share stands there once; the others refer to it.
 */
import { defName, type JsonSchema, rewrite } from "./json-schema.ts";

export interface Bundle {
  /** Adds a schema under a name. */
  add(name: string, schema: JsonSchema): void;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** An empty bundle; `base` is the place of all names in the document, like `#/$defs/`. */
export const bundle = (base: string): Bundle => {
  const schemas: Record<string, JsonSchema> = {};
  const names = new Map<JsonSchema, string>();
  return {
    schemas,
    add: (name, schema) => {
      const first = names.get(schema);
      if (first !== undefined) {
        schemas[name] = { $ref: `${base}${first}` };
        return;
      }
      names.set(schema, name);
      const { $defs, ...root } = schema;
      const redirect = (node: JsonSchema): JsonSchema => {
        const local = node.$ref === undefined ? undefined : defName(node.$ref);
        return local === undefined ? node : { ...node, $ref: `${base}${innerName(name, local)}` };
      };
      schemas[name] = $defs === undefined ? root : rewrite(root, redirect);
      for (const [local, definition] of Object.entries($defs ?? {})) {
        schemas[innerName(name, local)] = rewrite(definition, redirect);
      }
    },
  };
};

/** Letters that need no escaping in a pointer, and that OpenAPI allows in a component's name. */
const innerName = (name: string, local: string): string => `${name}.${local.replace(/[^A-Za-z0-9._-]/g, "-")}`;
