/**
 * Reads one schema out of a service's JSON Schema document, together with the definitions it refers to, so that it stands alone.
 */

type JsonSchema = Readonly<Record<string, unknown>>;

/** The document that `fairlead gen` writes for a service: definitions named `resolveAttack.input` and the like. */
export interface SchemaDocument {
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

const prefix = "#/$defs/";

export const parseSchemaDocument = (text: string | undefined): SchemaDocument =>
  text === undefined ? { $defs: {} } : (JSON.parse(text) as SchemaDocument);

/** A definition with all it needs; the empty schema when there is none of that name. */
export const standalone = ({ $defs }: SchemaDocument, name: string): JsonSchema => {
  const schema = $defs[name];
  if (schema === undefined) return {};
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
