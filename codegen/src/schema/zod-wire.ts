/**
 * The part of a Zod schema that JSON Schema has words for, as a Zod schema of its own: what the proof holds the published schema to.
 * Where the two differ, the compiler left something out; where only the whole schema refuses, no compiler could have said it.
 *
 * Not here: comparing (`proof/`).
 */
import { asZod4, type Schema } from "@fairlead/contracts";
import { rebuildSchema, runSchema, type SchemaDef, schemaDef, someSchema, withDef } from "@fairlead/contracts/zod-def";
import { type $ZodCheck, $ZodString, type $ZodType } from "zod/v4/core";

/** The same without kindness: no coercion, no value in place of a bad one, nothing done before parsing. Values outside are not published. */
export const withoutLeniency = (schema: $ZodType): $ZodType =>
  rebuildSchema(schema, (each, def) => {
    if (def.type === "catch") return def.innerType;
    if (def.type === "pipe" && schemaDef(def.in).type === "transform") return def.out;
    const before = schemaDef(each);
    if (def.type === "pipe" && before.type === "pipe" && someSchema(before.out, isCoerced)) return def.in;
    return withDef(each, "coerce" in def && def.coerce === true ? { ...def, coerce: false } : def);
  });

const isCoerced = (schema: $ZodType): boolean => {
  const def = schemaDef(schema);
  return "coerce" in def && def.coerce === true;
};

/**
 * The same without what JSON Schema has no words for: rules in code, what follows a change of the value, formats without a pattern. The
 * format `uri` is a word that some validators hold a text to and others do not: `urls` says which of them is meant.
 */
export const sayablePart = (schema: $ZodType, urls: "checked" | "unchecked"): $ZodType =>
  rebuildSchema(schema, (each, def) => {
    if (def.type === "pipe" && changesValue(schemaDef(each), schemaDef(def.out)))
      return hasWords(each) ? withDef(each, def) : def.in;
    const checks = sayableRules(def.checks ?? [], urls);
    if (def.type === "string" && "format" in def && !isSayable(def, urls))
      return new $ZodString({ type: "string", checks: checks as never });
    return def.checks === undefined ? withDef(each, def) : withDef(each, { ...def, checks } as SchemaDef);
  });

/** Whether a pipe hands on something else than it was given. Its second half is what is left of that one on the wire. */
const changesValue = (def: SchemaDef, out: SchemaDef): boolean =>
  def.type === "pipe" &&
  (def.reverseTransform !== undefined || out.type === "transform" || someSchema(def.in, isChange));

const isChange = (schema: $ZodType): boolean => {
  const def = schemaDef(schema);
  if ((def.checks ?? []).some(({ _zod }) => _zod.def.check === "overwrite")) return true;
  return def.type === "transform" || (def.type === "pipe" && def.reverseTransform !== undefined);
};

const hasWords = (schema: $ZodType): boolean => stringboolWords(schema) !== undefined;

/** The words of a stringbool. Zod notes them beside the schema's definition, so that one that was described or refined since has them in its parent alone. */
export const stringboolWords = (
  schema: $ZodType,
): { readonly truthy: readonly unknown[]; readonly falsy: readonly unknown[]; readonly exact: boolean } | undefined => {
  for (let each: $ZodType | undefined = schema; each !== undefined; each = each._zod.parent) {
    const { truthy, falsy, case: letters } = each._zod.bag;
    if (Array.isArray(truthy) && Array.isArray(falsy)) return { truthy, falsy, exact: letters === "sensitive" };
  }
  return undefined;
};

type Rules = readonly $ZodCheck<never>[];

/** The rules of a schema that its JSON Schema says: those in code are left out, and those that see a value after it was changed. */
export const sayableRules = (rules: Rules, urls: "checked" | "unchecked" = "unchecked"): $ZodCheck<never>[] => {
  const changed = rules.findIndex(({ _zod: { def } }) => def.check === "overwrite");
  return rules.filter(
    (rule, index) =>
      isSayable(rule._zod.def, urls) && (changed < 0 || index < changed || rule._zod.def.check === "min_length"),
  );
};

type Rule = $ZodCheck["_zod"]["def"] & { readonly [option: string]: unknown };

const isSayable = (def: object, urls: "checked" | "unchecked" = "unchecked"): boolean => {
  const { check, pattern, format, hostname, protocol } = def as Partial<Rule>;
  if (["custom", "overwrite", "property", "mime_type"].includes(check ?? "")) return false;
  if (check !== "string_format" || pattern !== undefined) return true;
  return format === "url" && urls === "checked" && hostname === undefined && protocol === undefined;
};

/** What a schema makes of a value. Throws where a rule of it does, and for one that waits. */
export const tryValue = (
  schema: Schema,
  value: unknown,
): { readonly type: "taken"; readonly value: unknown } | { readonly type: "refused" } => {
  const result = runSchema(asZod4(schema), value, { async: false, jitless: true });
  return result.issues.length === 0 ? { type: "taken", value: result.value } : { type: "refused" };
};
