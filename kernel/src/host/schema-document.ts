/**
 * Reads parts out of a service's JSON Schema document, each with the definitions that it refers to, so that it is complete: one
 * schema, all of one procedure, or one named type. Pure.
 */

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The document that `fairlead gen` writes for a service: definitions named `resolveAttack.input` and the like, and named types. */
export interface SchemaDocument {
  readonly $schema?: string;
  /** By procedure: an object with its input, its output and the data of its errors. */
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const prefix = "#/$defs/";

export const parseSchemaDocument = (text: string | undefined): SchemaDocument =>
  text === undefined ? { $defs: {} } : (JSON.parse(text) as SchemaDocument);

/** A definition with all it needs; the empty schema when there is none of that name. */
export const standalone = ({ $defs = {} }: SchemaDocument, name: string): JsonSchema => {
  const schema = $defs[name];
  return schema === undefined ? {} : withDefinitions(schema, $defs);
};

/**
 * The document of one procedure, or of one named type, of a service: `/schema/rules/resolveAttack.json`, `/schema/rules/Game.json`.
 * `undefined` when the service has neither of that name.
 */
export const partDocument = (document: SchemaDocument, service: string, name: string): JsonSchema | undefined => {
  const { $schema, $defs = {}, properties = {} } = document;
  const procedure = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (procedure !== undefined) {
    const $id = `urn:fairlead:schema:${service}:${name}`;
    return { $schema, $id, title: `${service}.${name}`, ...withDefinitions(procedure, $defs) };
  }
  const isType = /^[A-Z]/.test(name) && Object.hasOwn($defs, name);
  if (!isType) return undefined;
  return {
    $schema,
    $id: `urn:fairlead:schema:${name}`,
    title: name,
    ...withDefinitions({ $ref: `${prefix}${name}` }, $defs),
  };
};

const withDefinitions = (schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const needed = new Map<string, JsonSchema>();
  const collect = (part: unknown): void => {
    if (typeof part !== "object" || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key !== "$ref" || typeof value !== "string" || !value.startsWith(prefix)) collect(value);
      else add(decodeURIComponent(value.slice(prefix.length)));
    }
  };
  const add = (reference: string): void => {
    const definition = $defs[reference];
    if (definition === undefined || needed.has(reference)) return;
    needed.set(reference, definition);
    collect(definition);
  };
  collect(schema);
  return needed.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(needed) };
};
