/**
 * Zod 3 to JSON Schema. Few contracts have it: its converter is loaded for the first that does.
 *
 * Not here: what is done with what comes out (`lower`).
 */
import { createRequire } from "node:module";
import type { ZodObjectDef, ZodTypeAny, ZodTypeDef } from "zod/v3";
import type * as converter from "zod-to-json-schema";
import {
  type ConvertedSchema,
  noTemplates,
  plainJson,
  type SchemaSide,
  suggestReplacement,
  type UnrepresentablePlace,
} from "./converted.ts";
import { fieldPath } from "./json-schema.ts";

/** Its declaration is that of the module. */
const loadConverter = (): typeof converter => createRequire(import.meta.url)("zod-to-json-schema");

const kinds: Readonly<Record<string, string>> = {
  ZodDate: "date",
  ZodBigInt: "bigint",
  ZodMap: "map",
  ZodSet: "set",
  ZodFunction: "function",
  ZodPromise: "promise",
  ZodSymbol: "symbol",
  ZodNaN: "nan",
  ZodUndefined: "undefined",
  ZodVoid: "void",
};

export const lower3 = (schema: ZodTypeAny, side: SchemaSide): ConvertedSchema => {
  const found = new Map<string, UnrepresentablePlace>();
  const { ignoreOverride, zodToJsonSchema } = loadConverter();
  try {
    const json = zodToJsonSchema(schema, {
      target: "jsonSchema2019-09",
      $refStrategy: "root",
      effectStrategy: "input",
      pipeStrategy: side,
      removeAdditionalStrategy: side === "input" ? "strict" : "passthrough",
      override: (def, refs) => {
        const what = findUnrepresentable(def, side);
        if (what === undefined) return ignoreOverride;
        const path = fieldPath(refs.currentPath.slice(1));
        found.set(`${path} ${what}`, { path, what, instead: suggestReplacement(what) });
        return {};
      },
      postProcess: (converted, def) => {
        if (converted === undefined || !isObjectDef(def)) return converted;
        return side === "input" ? withoutStripped(converted, def) : withDefaults(converted, def);
      },
    });
    return { json: plainJson(json), unrepresentable: [...found.values()], problems: [], templates: noTemplates };
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    const whole = { path: "", what: why, instead: "simplify the schema" };
    return { json: {}, unrepresentable: [...found.values(), whole], problems: [], templates: noTemplates };
  }
};

const isObjectDef = (def: ZodTypeDef): def is ZodObjectDef => "typeName" in def && def.typeName === "ZodObject";

/** A plain object drops what it does not know, in both versions; neither types nor documents offer other fields. */
const withoutStripped = (
  json: converter.JsonSchema7Type,
  { unknownKeys, catchall }: ZodObjectDef,
): converter.JsonSchema7Type => {
  if (unknownKeys !== "strip" || !("typeName" in catchall._def) || catchall._def.typeName !== "ZodNever") return json;
  const { additionalProperties: _, ...rest } = json as Readonly<Record<string, unknown>>;
  return rest;
};

/** What has a default is always in the output. */
const withDefaults = (json: converter.JsonSchema7Type, { shape }: ZodObjectDef): converter.JsonSchema7Type => {
  const { required = [] } = json as { readonly required?: readonly string[] };
  const fields = Object.entries(shape());
  const present = fields.filter(([name, field]) => required.includes(name) || isFilledIn(field._def));
  return present.length === 0 ? json : Object.assign({}, json, { required: present.map(([name]) => name) });
};

const isFilledIn = (def: ZodTypeDef): boolean =>
  "typeName" in def && (def.typeName === "ZodDefault" || def.typeName === "ZodCatch");

const findUnrepresentable = (def: ZodTypeDef, side: SchemaSide): string | undefined => {
  if (!("typeName" in def)) return undefined;
  if (def.typeName !== "ZodEffects") return kinds[String(def.typeName)];
  const { effect } = def as unknown as { readonly effect: { readonly type: string } };
  return side === "output" && effect.type === "transform" ? "transform" : undefined;
};
