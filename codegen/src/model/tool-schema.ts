/**
 * A schema as a model gets it with a tool: short, and with as few references as that allows.
 *
 * Not here: the tool around it (`tool`).
 */
import { type ToolView, toolSummary } from "@fairlead/contracts";
import { defName, isSchema, type JsonSchema, reachable, rewrite, walk } from "../schema/json-schema.ts";
import type { LoweredSchema, Sharing } from "../schema/lower.ts";

/** A tool is made when its procedure is checked, and again when its types have names, from the same schemas. */
const remember = <T>(make: (schema: JsonSchema) => T): ((schema: JsonSchema) => T) => {
  const known = new WeakMap<JsonSchema, T>();
  return (schema) => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const made = make(schema);
    known.set(schema, made);
    return made;
  };
};

/** What other schemas have too is written out, unless this schema has it twice and is shorter with a definition. */
export const toolSchema = (schema: LoweredSchema): JsonSchema => {
  const { json, sharing } = schema;
  if (sharing === undefined) return slim(json);
  const inline = slim(sharing.inline.json);
  if (!hasRepeats(json, sharing)) return inline;
  const shared = slim(writeOutSingles(json, sharing));
  return JSON.stringify(shared).length < JSON.stringify(inline).length ? shared : inline;
};

/** What a tool takes: without bounds, with sentences in place of large schemas that have one, and of its fields those that the contract shows to models. */
export const toolInputSchema = (schema: LoweredSchema, fields: ToolView["fields"]): JsonSchema =>
  fields === undefined
    ? wholeInput(toolSchema(schema))
    : withoutBounds(showFields(summarize(toolSchema(schema)), fields));

/** Longest output, as JSON, whose structure is listed as a whole. */
const longestOutput = 500;

/** What a tool gives: its structure without words and bounds where that is short, and otherwise its fields with their types. */
export const toolOutputSchema = (schema: LoweredSchema): JsonSchema => shortOutput(toolSchema(schema));

const showFields = ({ $defs = {}, ...root }: JsonSchema, fields: ToolView["fields"]): JsonSchema => {
  const { properties = {} } = root;
  const shown =
    fields === undefined
      ? properties
      : Object.fromEntries(
          Object.entries(fields).flatMap(([name, words]) => {
            const field = properties[name];
            if (field === undefined) return [];
            return [
              [
                name,
                words === true
                  ? field
                  : { ...typeAndDefault(field, $defs), ...(words !== "" && { description: words }) },
              ],
            ];
          }),
        );
  return withUsed({ ...root, properties: shown }, $defs);
};

const withUsed = (schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const used = reachable(schema, $defs);
  return { ...schema, ...(used.size > 0 && { $defs: Object.fromEntries(used) }) };
};

/** A model that leaves a field out has to know what then counts. */
const typeAndDefault = (field: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  ...typeAlone(field, $defs),
  ...(field.default !== undefined && { default: field.default }),
});

/**
 * Type and allowed values of a schema; of a list also those of its items, since several vendors refuse a list without. A schema that says nothing
 * about its type takes anything, and of a list of such lists, which has no end, the items are anything too.
 */
const typeAlone = (
  schema: JsonSchema,
  $defs: Readonly<Record<string, JsonSchema>>,
  around: ReadonlySet<JsonSchema> = new Set(),
): JsonSchema => {
  const found = resolve(schema, $defs);
  if (around.has(found)) return {};
  const types = new Set(typesIn(schema, $defs));
  const [only] = types;
  const { enum: allowed, items } = found;
  const isTyped = !types.has(unknownType);
  return {
    ...(isTyped && types.size > 0 && { type: types.size === 1 ? only : [...types] }),
    ...(allowed !== undefined && { enum: allowed }),
    ...(isSchema(items) && { items: typeAlone(items, $defs, new Set([...around, found])) }),
  };
};

/** Of a schema that says nothing about its type. */
const unknownType = "";

const typesIn = (schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): readonly string[] => {
  const { type, anyOf, oneOf } = resolve(schema, $defs);
  if (type !== undefined) return typeof type === "string" ? [type] : type;
  const branches = anyOf ?? oneOf;
  return branches === undefined ? [unknownType] : branches.flatMap((branch) => typesIn(branch, $defs));
};

const resolve = (schema: JsonSchema, $defs: Readonly<Record<string, JsonSchema>>): JsonSchema => {
  const name = schema.$ref === undefined ? undefined : defName(schema.$ref);
  return (name === undefined ? undefined : $defs[name]) ?? schema;
};

const outline = ({ $defs = {}, ...root }: JsonSchema): JsonSchema => {
  const { properties, required } = root;
  if (properties === undefined) return typeAlone(root, $defs);
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, typeAlone(field, $defs)])),
    ...(required !== undefined && { required }),
  };
};

const words: ReadonlySet<string> = new Set(["title", "description", "examples", "default", toolSummary]);

const withoutWords = (root: JsonSchema): JsonSchema => rewrite(withoutBounds(root), (node) => omit(node, words));

/** The type and a sentence in place of each schema that has one for tools, and without the definitions that nothing refers to any more. */
const summarize = (root: JsonSchema): JsonSchema => {
  const { $defs = {}, ...rest } = rewrite(root, (node) => {
    const name = node.$ref === undefined ? undefined : defName(node.$ref);
    const summary = (name === undefined ? undefined : root.$defs?.[name]?.[toolSummary]) ?? node[toolSummary];
    return typeof summary === "string" ? { ...typeAlone(node, root.$defs ?? {}), description: summary } : node;
  });
  return withUsed(rest, $defs);
};

const bounds: ReadonlySet<string> = new Set([
  ...["Length", "Items", "Properties"].flatMap((what) => [`min${what}`, `max${what}`]),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "pattern", "propertyNames"],
]);

/** Without bounds, without words about the whole, which the tool's description has, and with definitions where they are used, if that is in one place. */
const withoutBounds = (root: JsonSchema): JsonSchema => {
  const { description: _, $defs = {}, ...rest } = root;
  const uses = new Map<string, number>();
  for (const { schema } of walk(root)) {
    const name = schema.$ref === undefined ? undefined : defName(schema.$ref);
    if (name !== undefined) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const leaner = (schema: JsonSchema): JsonSchema =>
    rewrite(schema, (node) => {
      const name = node.$ref === undefined ? undefined : defName(node.$ref);
      const definition = name === undefined || uses.get(name) !== 1 ? undefined : $defs[name];
      if (definition !== undefined) {
        const { $ref: _, ...own } = node;
        return { ...leaner(definition), ...own };
      }
      const { additionalProperties: others, ...open } = node;
      return omit(others === false ? open : node, bounds);
    });
  const shared = Object.entries($defs).filter(([name]) => uses.get(name) !== 1);
  return leaner({ ...rest, ...(shared.length > 0 && { $defs: Object.fromEntries(shared) }) });
};

/** Without these keywords of its own. */
const omit = (schema: JsonSchema, keywords: ReadonlySet<string>): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.has(keyword)));

/** How often each shared definition is referred to. */
const countReferences = (json: JsonSchema, { shapes }: Sharing): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { schema } of walk(json)) {
    const name = schema.$ref === undefined ? undefined : defName(schema.$ref);
    if (name !== undefined && shapes.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
};

const hasRepeats = (json: JsonSchema, sharing: Sharing): boolean =>
  [...countReferences(json, sharing).values()].some((count) => count > 1);

const writeOutSingles = (json: JsonSchema, sharing: Sharing): JsonSchema => {
  const { $defs = {}, ...root } = json;
  const counts = countReferences(json, sharing);
  const writeOut = (schema: JsonSchema): JsonSchema =>
    rewrite(schema, (node) => {
      const { $ref, ...words } = node;
      const name = $ref === undefined ? undefined : defName($ref);
      const definition = name === undefined || counts.get(name) !== 1 ? undefined : $defs[name];
      return definition === undefined ? node : { ...writeOut(definition), ...words };
    });
  const written = Object.fromEntries(Object.entries($defs).map(([name, definition]) => [name, writeOut(definition)]));
  const whole = writeOut(root);
  const used = Object.fromEntries(reachable(whole, written));
  return { ...whole, ...(Object.keys(used).length > 0 && { $defs: used }) };
};

/**
 * The bounds of safe integers and the patterns behind well-known formats say nothing to a model and cost tokens in every conversation. The full
 * schema is in the schema documents; dispatch decodes with Zod anyway.
 */
const slim = remember((schema) =>
  rewrite(schema, (node) => {
    const copy: Record<string, unknown> = { ...node };
    if (node.minimum === Number.MIN_SAFE_INTEGER) delete copy.minimum;
    if (node.maximum === Number.MAX_SAFE_INTEGER) delete copy.maximum;
    if (node.format !== undefined) delete copy.pattern;
    return copy;
  }),
);

const wholeInput = remember((schema) => withoutBounds(showFields(summarize(schema), undefined)));

const shortOutput = remember((schema) => {
  const structure = withoutWords(schema);
  return JSON.stringify(structure).length <= longestOutput ? structure : outline(structure);
});
