/**
 * Completes a converted schema: every reference points into its own `$defs`, and what its author has not named is known as such.
 *
 * Not here: the names that all documents share (`names`).
 */
import { defName, defRef, isSchema, type JsonSchema, rewrite, unescapePointer, walk } from "./json-schema.ts";

/** A schema that needs nothing from outside. */
interface CompleteSchema {
  readonly json: JsonSchema;
  readonly name?: string;
  readonly anonymous: readonly string[];
}

export const completeRefs = (converted: JsonSchema): CompleteSchema => {
  const authored = Object.keys(converted.$defs ?? {}).filter((name) => !isNumbered(name));
  const json = nameDefs(localiseRefs(converted));
  const name = rootName(converted);
  return {
    json,
    ...(name !== undefined && authored.includes(name) && { name }),
    anonymous: Object.keys(json.$defs ?? {}).filter((each) => !authored.includes(each)),
  };
};

/** A root that is a reference and nothing else has a name of its own. */
const rootName = ({ $ref, $defs: _, ...rest }: JsonSchema): string | undefined =>
  $ref !== undefined && Object.keys(rest).length === 0 ? defName($ref) : undefined;

/** Zod numbers what it has no name for. */
const isNumbered = (name: string): boolean => /^__schema\d+$/.test(name);

/**
 * Makes each reference point into the schema's own `$defs`: `#` (the root itself) and pointers to other places are copied there
 * under stable names. A root that is a reference is replaced by what it names, since tools need an object on top. References
 * that point nowhere stay, for `check` to report.
 */
export const localiseRefs = (root: JsonSchema): JsonSchema => openRoot(hoistTargets(root));

const openRoot = (root: JsonSchema): JsonSchema => {
  const { $ref, $defs, ...rest } = root;
  const name = $ref === undefined ? undefined : defName($ref);
  const target = name === undefined ? undefined : $defs?.[name];
  if (name === undefined || target === undefined) return root;
  const stillUsed = walk({ ...target, $defs: $defs ?? {} }).some(({ schema }) => schema.$ref === $ref);
  const others = Object.entries($defs ?? {}).filter(([key]) => stillUsed || key !== name);
  return { ...target, ...rest, ...(others.length > 0 && { $defs: Object.fromEntries(others) }) };
};

const hoistTargets = (root: JsonSchema): JsonSchema => {
  const targets = new Map<string, { readonly name: string; readonly schema: JsonSchema }>();
  const taken = new Set(Object.keys(root.$defs ?? {}));
  for (const { schema } of walk(root)) {
    const ref = schema.$ref;
    if (ref === undefined || defName(ref) !== undefined || targets.has(ref)) continue;
    const target = resolvePointer(root, ref);
    if (target === undefined) continue;
    const name = freeName(ref === "#" ? "self" : `ref${targets.size}`, taken);
    taken.add(name);
    targets.set(ref, { name, schema: target });
  }
  if (targets.size === 0) return root;
  const redirect = (schema: JsonSchema): JsonSchema => {
    const target = schema.$ref === undefined ? undefined : targets.get(schema.$ref);
    return target === undefined ? schema : { ...schema, $ref: defRef(target.name) };
  };
  const { $defs, ...rest } = rewrite(root, redirect);
  const hoisted = [...targets.values()].map(({ name, schema }) => {
    const { $defs: _, ...body } = rewrite(schema, redirect);
    return [name, body] as const;
  });
  return { ...rest, $defs: { ...$defs, ...Object.fromEntries(hoisted) } };
};

const resolvePointer = (root: JsonSchema, ref: string): JsonSchema | undefined => {
  if (ref !== "#" && !ref.startsWith("#/")) return undefined;
  let at: unknown = root;
  for (const part of ref.split("/").slice(1)) {
    if (typeof at !== "object" || at === null) return undefined;
    at = Reflect.get(at, unescapePointer(part));
  }
  return isSchema(at) ? at : undefined;
};

const anyJson = JSON.stringify({
  anyOf: [
    ...["string", "number", "boolean", "null"].map((type) => ({ type })),
    { type: "array", items: { $ref: "#" } },
    { type: "object", additionalProperties: { $ref: "#" } },
  ],
});

/** Whether a schema takes any JSON value, as `z.json()` does: its lists and objects refer to a definition of the same words. */
export const isAnyJson = ({ anyOf }: JsonSchema): boolean => {
  const name = anyOf?.at(-1)?.additionalProperties;
  return isSchema(name) && name.$ref !== undefined && withoutRef(name.$ref, { anyOf }) === anyJson;
};

const withoutRef = (ref: string, schema: object): string =>
  JSON.stringify(schema).replaceAll(JSON.stringify(ref), '"#"');

/** Gives the definitions that Zod numbered readable names, and joins those that say the same. */
export const nameDefs = (root: JsonSchema): JsonSchema => {
  const numbered = Object.entries(root.$defs ?? {}).filter(([name]) => isNumbered(name));
  if (numbered.length === 0) return root;
  const names = new Map<string, string>();
  const byText = new Map<string, string>();
  const taken = new Set(Object.keys(root.$defs ?? {}));
  for (const [name, body] of numbered) {
    const text = withoutRef(defRef(name), body);
    const chosen = byText.get(text) ?? freeName(text === anyJson ? "json" : "node", taken);
    byText.set(text, chosen);
    taken.add(chosen);
    names.set(name, chosen);
  }
  const renamed = rewrite(root, (schema) => {
    const name = schema.$ref === undefined ? undefined : names.get(defName(schema.$ref) ?? "");
    return name === undefined ? schema : { ...schema, $ref: defRef(name) };
  });
  const $defs = Object.entries(renamed.$defs ?? {}).map(([name, body]) => [names.get(name) ?? name, body] as const);
  return { ...renamed, $defs: Object.fromEntries($defs) };
};

const freeName = (base: string, taken: ReadonlySet<string>): string => {
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`;
  return name;
};
