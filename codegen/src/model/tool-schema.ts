/**
 * A schema as a model gets it with a tool: short, and with as few references as that allows.
 *
 * Not here: the tool around it (`tool`), and what the tools of one list share (`tool-list`).
 */
import { defName, type JsonSchema, reachable, rewrite, walk } from "../schema/json-schema.ts";
import type { LoweredSchema, Sharing } from "../schema/lower.ts";

/** What other schemas have too is written out, unless this schema has it twice and is shorter with a definition. */
export const toolSchema = (schema: LoweredSchema): JsonSchema => {
  const { json, sharing } = schema;
  if (sharing === undefined) return slim(json);
  const inline = slim(sharing.inline.json);
  if (!hasRepeats(json, sharing)) return inline;
  const shared = slim(writeOutSingles(json, sharing));
  return JSON.stringify(shared).length < JSON.stringify(inline).length ? shared : inline;
};

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
const slim = (schema: JsonSchema): JsonSchema =>
  rewrite(schema, (node) => {
    const copy: Record<string, unknown> = { ...node };
    if (node.minimum === Number.MIN_SAFE_INTEGER) delete copy.minimum;
    if (node.maximum === Number.MAX_SAFE_INTEGER) delete copy.maximum;
    if (node.format !== undefined) delete copy.pattern;
    return copy;
  });
