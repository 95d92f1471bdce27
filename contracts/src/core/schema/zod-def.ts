/**
 * The border to Zod's insides: what a schema is made of, the schemas inside it, and a schema rebuilt from changed ones. Whatever
 * looks inside a schema in this package does so through here.
 *
 * Not here: what is decoded (`decoder`), and which way (`encoder`).
 */
import * as z from "zod";
import type {
  $ZodCheck,
  $ZodChecks,
  $ZodErrorMap,
  $ZodIssue,
  $ZodRawIssue,
  $ZodType,
  $ZodTypes,
  ParseContextInternal,
  ParsePayload,
} from "zod/v4/core";

/** What Zod keeps of a schema, a union over `type`. */
export type SchemaDef = $ZodTypes["_zod"]["def"];

/** `$ZodTypes` is the closed list of what a `$ZodType` can be, distinguished by `def.type`. */
export const schemaDef = (schema: $ZodType): SchemaDef => (schema as $ZodTypes)._zod.def;

/** `$ZodChecks` is the closed list of what a rule can be, distinguished by `def.check`. */
export const checkDef = (check: $ZodCheck<never>): $ZodChecks["_zod"]["def"] =>
  (check as unknown as $ZodChecks)._zod.def;

/** Zod's own run, without wording every issue afterwards as `safeParse` does. Throws for a schema that waits. */
export const runSchema = (schema: $ZodType, input: unknown, context: ParseContextInternal): ParsePayload => {
  const result = schema._zod.run({ value: input, issues: [] }, context);
  if (result instanceof Promise) throw new z.core.$ZodAsyncError();
  return result;
};

/** What an issue was found in, where Zod says it: a schema or a rule. */
export const issueDef = ({ inst }: $ZodRawIssue): object | undefined => inst?._zod.def;

/** An issue in words. */
export const wordIssue = (issue: $ZodRawIssue, error: $ZodErrorMap): $ZodIssue =>
  z.core.util.finalizeIssue(issue, { error }, z.core.config());

type Change = (inner: $ZodType) => $ZodType;

/** The def with each schema inside it changed. A schema behind a getter is changed when it is first read. */
const changeInside = (def: SchemaDef, change: Change): SchemaDef => {
  switch (def.type) {
    case "object": {
      const shape = Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, change(field)]));
      return { ...def, shape, ...(def.catchall !== undefined && { catchall: change(def.catchall) }) };
    }
    case "array":
      return { ...def, element: change(def.element) };
    case "tuple":
      return { ...def, items: def.items.map(change), rest: def.rest === null ? null : change(def.rest) };
    case "record":
      return { ...def, keyType: change(def.keyType) as typeof def.keyType, valueType: change(def.valueType) };
    case "map":
      return { ...def, keyType: change(def.keyType), valueType: change(def.valueType) };
    case "set":
      return { ...def, valueType: change(def.valueType) };
    case "union":
      return { ...def, options: def.options.map(change) };
    case "intersection":
      return { ...def, left: change(def.left), right: change(def.right) };
    case "optional":
    case "nullable":
    case "nonoptional":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
    case "promise":
    case "success":
      return { ...def, innerType: change(def.innerType) };
    case "pipe":
      return { ...def, in: change(def.in), out: change(def.out) };
    case "lazy": {
      const { getter } = def;
      return { type: "lazy", getter: () => change(getter()) };
    }
    default:
      return def;
  }
};

/** The schemas directly inside one. */
export const innerSchemas = (schema: $ZodType): readonly $ZodType[] => {
  const def = schemaDef(schema);
  if (def.type === "lazy") return [def.getter()];
  const found: $ZodType[] = [];
  changeInside(def, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
};

/** True when the test holds for the schema or one inside it, at any depth. */
export const someSchema = (schema: $ZodType, test: (schema: $ZodType) => boolean): boolean => {
  const seen = new Set([schema]);
  for (const each of seen) {
    if (test(each)) return true;
    for (const inner of innerSchemas(each)) seen.add(inner);
  }
  return false;
};

/**
 * A schema rebuilt from its innermost schemas outwards. `change` gets each schema and its def with everything inside changed
 * already. Descriptions and ids go along, and schemas that lead into themselves still do.
 */
export const rebuildSchema = (root: $ZodType, change: (schema: $ZodType, def: SchemaDef) => $ZodType): $ZodType => {
  const done = new Map<$ZodType, $ZodType | undefined>();
  const finished = new Set<$ZodType>();
  const withWords = (changed: $ZodType, schema: $ZodType): $ZodType => {
    const { parent } = schema._zod;
    const meta = z.globalRegistry.get(schema);
    if (parent === undefined && meta === undefined) return changed;
    // What a schema became may be the one inside it, which others have, too, or the author's own: their words stay theirs.
    const made = finished.has(changed) ? z.core.clone(changed, changed._zod.def, { parent: true }) : changed;
    const before = parent === undefined ? undefined : rebuild(parent);
    const def = schemaDef(made);
    // Zod takes a schema's parent for the same schema with fewer rules, which one half of a pipe is not.
    if (before !== undefined && !(def.type === "pipe" && def.out === before)) made._zod.parent = before;
    if (meta !== undefined) z.globalRegistry.add(made, meta);
    return made;
  };
  const rebuild: Change = (schema) => {
    const before = done.get(schema);
    if (before !== undefined) return before;
    // Under way: it leads into itself, and is read when it is complete.
    if (done.has(schema)) return new z.core.$ZodLazy({ type: "lazy", getter: () => done.get(schema) ?? schema });
    done.set(schema, undefined);
    const changed = change(schema, changeInside(schemaDef(schema), rebuild));
    const made = changed === schema ? schema : withWords(changed, schema);
    done.set(schema, made);
    finished.add(made);
    return made;
  };
  return rebuild(root);
};

/** The same schema with another def. */
export const withDef = (schema: $ZodType, def: SchemaDef): $ZodType => {
  const made = z.core.clone(schema, def);
  // What Zod notes of a codec it makes by itself, like the words of a stringbool.
  if (def.type === "pipe") Object.assign(made._zod.bag, schema._zod.bag);
  return made;
};

/** The same schema with more rules, which see its value after those it has. */
export const withRules = (schema: $ZodType, rules: SchemaDef["checks"] = []): $ZodType => {
  const def = schemaDef(schema);
  // Any rule fits any schema as far as Zod runs it; its types tie each to what it checks.
  return rules.length === 0
    ? schema
    : withDef(schema, { ...def, checks: [...(def.checks ?? []), ...rules] } as SchemaDef);
};
