/**
 * JSON Schema 2020-12 as plain data: its type, a walk over all places where a schema can be, and rewriting.
 *
 * Not here: where schemas come from (`lower`), what references point to (`references`), and which schemas are acceptable (`check`).
 */

/** The keywords this house reads; others pass through untouched. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** How a keyword holds schemas: by name, in a list, or alone. Other keywords hold no schemas. */
const shapes: ReadonlyMap<string, "map" | "list" | "single"> = new Map([
  ...["properties", "patternProperties", "$defs", "dependentSchemas"].map((keyword) => [keyword, "map"] as const),
  ...["anyOf", "oneOf", "allOf", "prefixItems"].map((keyword) => [keyword, "list"] as const),
  ...["additionalProperties", "unevaluatedProperties", "propertyNames", "items", "unevaluatedItems"].map(
    (keyword) => [keyword, "single"] as const,
  ),
  ...["contains", "not", "if", "then", "else"].map((keyword) => [keyword, "single"] as const),
]);

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A schema inside a schema: the keyword that holds it, and its name or index there. */
interface SchemaStep {
  readonly keyword: string;
  readonly key?: string | number;
}

/** The schemas directly inside one, with their places, in the order in which they are there. */
export const children = (schema: JsonSchema): readonly (readonly [SchemaStep, JsonSchema])[] => {
  const found: (readonly [SchemaStep, JsonSchema])[] = [];
  for (const keyword of Object.keys(schema)) {
    const inside = schema[keyword];
    switch (shapes.get(keyword)) {
      case "map":
        if (!isSchema(inside)) break;
        for (const key of Object.keys(inside)) {
          const child = inside[key];
          if (isSchema(child)) found.push([{ keyword, key }, child]);
        }
        break;
      case "list":
        if (!Array.isArray(inside)) break;
        for (const [key, child] of inside.entries()) if (isSchema(child)) found.push([{ keyword, key }, child]);
        break;
      case "single":
        if (isSchema(inside)) found.push([{ keyword }, inside]);
        break;
      case undefined:
        break;
    }
  }
  return found;
};

/** A schema somewhere inside another. */
interface SchemaAtPath {
  /** Where it is, as people write it: `game.npcs[].ac`; empty for the root. */
  readonly path: string;
  /** Its place in the schema around it; `undefined` for the root. */
  readonly at: SchemaStep | undefined;
  /** The schema around it; `undefined` for the root. */
  readonly around: JsonSchema | undefined;
  readonly schema: JsonSchema;
}

/** Every schema in a schema, itself first. */
export const walk = (root: JsonSchema): readonly SchemaAtPath[] => {
  const found: SchemaAtPath[] = [];
  const visit = (here: SchemaAtPath): void => {
    found.push(here);
    for (const [at, schema] of children(here.schema))
      visit({ path: joinPath(here.path, at), at, around: here.schema, schema });
  };
  visit({ path: "", at: undefined, around: undefined, schema: root });
  return found;
};

/** Names a place inside a schema in the way of field paths. Branches of unions have no name of their own. */
export const joinPath = (path: string, { keyword, key }: SchemaStep): string => {
  switch (keyword) {
    case "properties":
      return path === "" ? `${key}` : `${path}.${key}`;
    case "items":
    case "prefixItems":
      return key === undefined ? `${path}[]` : `${path}[${key}]`;
    case "additionalProperties":
    case "patternProperties":
      return `${path}{}`;
    case "$defs":
      return `$defs.${key}`;
    default:
      return path;
  }
};

/** Turns a path of JSON Schema keywords, as Zod reports it, into a field path. */
export const fieldPath = (keywords: readonly (string | number)[]): string => {
  let path = "";
  for (let i = 0; i < keywords.length; i += 1) {
    const keyword = String(keywords[i]);
    const next = keywords[i + 1];
    if (keyword === "properties" || keyword === "prefixItems" || keyword === "$defs") {
      if (next !== undefined) path = joinPath(path, { keyword, key: next });
      i += 1;
    } else {
      path = joinPath(path, { keyword });
    }
  }
  return path;
};

/** A copy of a schema whose schemas directly inside are what `change` makes of them. */
export const mapChildren = (
  schema: JsonSchema,
  change: (child: JsonSchema, at: SchemaStep) => JsonSchema,
): JsonSchema => {
  const copy: Record<string, unknown> = {};
  const changed = (child: unknown, at: SchemaStep): unknown => (isSchema(child) ? change(child, at) : child);
  for (const keyword of Object.keys(schema)) {
    const inside = schema[keyword];
    const shape = shapes.get(keyword);
    if (shape === "map" && isSchema(inside)) {
      copy[keyword] = Object.fromEntries(
        Object.entries(inside).map(([key, child]) => [key, changed(child, { keyword, key })]),
      );
    } else if (shape === "list" && Array.isArray(inside)) {
      copy[keyword] = inside.map((child, key) => changed(child, { keyword, key }));
    } else {
      copy[keyword] = shape === "single" ? changed(inside, { keyword }) : inside;
    }
  }
  return copy;
};

/** Rebuilds a schema from its innermost schemas outwards; `change` gets the path of each as well, from `path` on. */
export const rewrite = (
  schema: JsonSchema,
  change: (schema: JsonSchema, path: string) => JsonSchema,
  path = "",
): JsonSchema =>
  change(
    mapChildren(schema, (child, at) => rewrite(child, change, joinPath(path, at))),
    path,
  );

const local = "#/$defs/";

/** Name of the local definition that a reference points to. */
export const defName = (ref: string): string | undefined =>
  ref.startsWith(local) ? unescapePointer(ref.slice(local.length)) : undefined;

export const defRef = (name: string): string => `${local}${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;

export const unescapePointer = (text: string): string => text.replaceAll("~1", "/").replaceAll("~0", "~");

/** The definitions that a schema refers to, and those that they refer to, by name, in the order in which they are met. */
export const reachable = (
  schema: JsonSchema,
  $defs: Readonly<Record<string, JsonSchema>>,
): ReadonlyMap<string, JsonSchema> => {
  const found = new Map<string, JsonSchema>();
  const follow = (from: JsonSchema): void => {
    for (const { schema: node } of walk(from)) {
      const name = node.$ref === undefined ? undefined : defName(node.$ref);
      const definition = name === undefined ? undefined : $defs[name];
      if (name === undefined || definition === undefined || found.has(name)) continue;
      found.set(name, definition);
      follow(definition);
    }
  };
  follow(schema);
  return found;
};
