/**
 * Many schemas in one document: each gets a name, and its local `$defs` move beside it under names of their own, so that every
 * reference is a pointer to one flat place. A schema or a definition that several procedures share stands there once; the others
 * refer to it.
 */
import { defName, type JsonSchema, rewrite } from "../schema/json-schema.ts";
import { sharing } from "./sharing.ts";

export interface SchemaBundle {
  /** Adds a schema under a name. */
  add(name: string, schema: JsonSchema): void;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

/** An empty bundle; `base` is the place of all names in the document, like `#/$defs/`. */
export const bundle = (base: string): SchemaBundle => {
  const schemas: Record<string, JsonSchema> = {};
  const names = new Map<JsonSchema, string>();
  const share = sharing();
  return {
    schemas,
    add: (name, schema) => {
      const first = names.get(schema);
      if (first !== undefined) {
        schemas[name] = { $ref: `${base}${first}` };
        return;
      }
      names.set(schema, name);
      const { $defs = {}, ...root } = schema;
      const { names: moved, fresh } = share($defs, (local) => innerName(name, local));
      const redirect = (node: JsonSchema): JsonSchema => {
        const place = node.$ref === undefined ? undefined : moved.get(defName(node.$ref) ?? "");
        return place === undefined ? node : { ...node, $ref: `${base}${place}` };
      };
      schemas[name] = moved.size === 0 ? root : rewrite(root, redirect);
      for (const [place, definition] of fresh) schemas[place] = rewrite(definition, redirect);
    },
  };
};

/** Letters that need no escaping in a pointer, and that OpenAPI allows in a component's name. */
const innerName = (name: string, local: string): string => `${name}.${local.replace(/[^A-Za-z0-9._-]/g, "-")}`;
