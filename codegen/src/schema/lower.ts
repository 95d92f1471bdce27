/**
 * Zod to JSON Schema 2020-12: with `zod-node`, the only files of this package that know Zod's insides. Zod 4 goes through `z.toJSONSchema`, Zod 3 through
 * zod-to-json-schema; what comes out is the same kind of schema, complete in itself with local `$defs`.
 *
 * What cannot be said in JSON Schema is reported with its path and replaced by `{}`; nothing throws.
 * Not here: judging the schema (`check`).
 */
import type { Schema } from "@fairlead/contracts";
import { encodingSchema, isZod4 } from "@fairlead/contracts";
import type { ZodTypeDef } from "zod/v3";
import { ZodFirstPartyTypeKind } from "zod/v3";
import { type $ZodType, toJSONSchema } from "zod/v4/core";
import { ignoreOverride, zodToJsonSchema } from "zod-to-json-schema";
import { fieldPath, type JsonSchema, rewrite } from "./json-schema.ts";
import { completeRefs } from "./references.ts";
import { defineMembers, splitTypes } from "./standard-words.ts";
import { adjustNode, readTemplate, type SchemaProblem } from "./zod-node.ts";

/** A place that JSON Schema has no words for. */
export interface UnrepresentablePlace {
  /** Field path from the schema's root. */
  readonly path: string;
  /** What stands there, like `Date`. */
  readonly what: string;
  /** What to write instead. */
  readonly instead: string;
}

/** A schema in JSON Schema's words, and what was lost on the way. */
export interface LoweredSchema {
  readonly json: JsonSchema;
  /** What its author called it by `.meta({ id })`; `json` is what stands under that name. */
  readonly name?: string;
  /** Definitions in `json.$defs` that no author has named: recursive schemas, and those that are used twice. */
  readonly anonymous: readonly string[];
  /** Types of texts by their pattern, where TypeScript can say it, too: those of template literals. */
  readonly templates: Readonly<Record<string, string>>;
  readonly unrepresentable: readonly UnrepresentablePlace[];
  /** What can never work in it. */
  readonly problems: readonly SchemaProblem[];
}

/** Whose schema it is: what a caller sends, or what a caller gets. Both are the wire side; codecs lead from and to the value side. */
export type SchemaSide = "input" | "output";

const cache = { input: new WeakMap<Schema, LoweredSchema>(), output: new WeakMap<Schema, LoweredSchema>() };

/** Lowers one side of a schema. The same schema object gives the same result object, so shared schemas are lowered once. */
export const lower = (schema: Schema, side: SchemaSide): LoweredSchema => {
  const before = cache[side].get(schema);
  if (before !== undefined) return before;
  const lowered = lowerAnew(schema, side);
  cache[side].set(schema, lowered);
  return lowered;
};

const lowerAnew = (schema: Schema, side: SchemaSide): LoweredSchema => {
  const wire = side === "output" ? encodingSchema(schema) : schema;
  const { json, ...found } = isZod4(wire) ? lower4(wire, side) : lower3(wire, side);
  const plainer = rewrite(json, side === "output" ? (node) => open(tidy(node)) : tidy);
  return { ...completeRefs(plainer), ...found };
};

/** A schema as a converter gives it, with references of all kinds. */
type ConvertedSchema = Omit<LoweredSchema, "name" | "anonymous">;

const noTemplates = {};

const lower4 = (schema: $ZodType, side: SchemaSide): ConvertedSchema => {
  const found = new Map<string, UnrepresentablePlace>();
  const problems = new Map<string, SchemaProblem>();
  const templates = new Map<string, string>();
  const report = (path: readonly (string | number)[], what: string): void => {
    const field = fieldPath(path);
    found.set(`${field} ${what}`, { path: field, what, instead: suggestReplacement(what) });
  };
  try {
    const json = toJSONSchema(schema, {
      io: side,
      unrepresentable: ({ zodSchema, path }) => {
        report(path, zodSchema._zod.def.type);
        return "any";
      },
      override: ({ zodSchema, jsonSchema, path }) => {
        const { type } = zodSchema._zod.def;
        if (neverJson.includes(type)) report(path, type);
        const template = readTemplate(zodSchema);
        if (template !== undefined) templates.set(...template);
        for (const problem of adjustNode(zodSchema, jsonSchema, side)) {
          const field = fieldPath(path);
          problems.set(`${field} ${problem.message}`, { ...problem, path: field });
        }
      },
    });
    return {
      json: plain(json),
      unrepresentable: [...found.values()],
      problems: [...problems.values()],
      templates: templates.size === 0 ? noTemplates : Object.fromEntries(templates),
    };
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    const id = /^Duplicate schema id "(.*)" detected/.exec(why)?.[1];
    if (id !== undefined) return { json: {}, unrepresentable: [], problems: [duplicateId(id)], templates: noTemplates };
    const whole = { path: "", what: why, instead: "simplify the schema" };
    return { json: {}, unrepresentable: [...found.values(), whole], problems: [], templates: noTemplates };
  }
};

/** The converter has words for these, but no wire has: files, and what is only known later. */
const neverJson: readonly string[] = ["file", "promise", "success"];

const duplicateId = (id: string): SchemaProblem => ({
  kind: "duplicate_id",
  path: "",
  message: `two different schemas have the id ${JSON.stringify(id)}`,
  fix: "give one of them another id, or use one schema in both places",
});

const kinds3: Partial<Record<ZodFirstPartyTypeKind, string>> = {
  [ZodFirstPartyTypeKind.ZodDate]: "date",
  [ZodFirstPartyTypeKind.ZodBigInt]: "bigint",
  [ZodFirstPartyTypeKind.ZodMap]: "map",
  [ZodFirstPartyTypeKind.ZodSet]: "set",
  [ZodFirstPartyTypeKind.ZodFunction]: "function",
  [ZodFirstPartyTypeKind.ZodPromise]: "promise",
  [ZodFirstPartyTypeKind.ZodSymbol]: "symbol",
  [ZodFirstPartyTypeKind.ZodNaN]: "nan",
  [ZodFirstPartyTypeKind.ZodUndefined]: "undefined",
  [ZodFirstPartyTypeKind.ZodVoid]: "void",
};

type Schema3 = Exclude<Schema, $ZodType>;

const lower3 = (schema: Schema3, side: SchemaSide): ConvertedSchema => {
  const found = new Map<string, UnrepresentablePlace>();
  try {
    const json = zodToJsonSchema(schema, {
      target: "jsonSchema2019-09",
      $refStrategy: "root",
      effectStrategy: "input",
      pipeStrategy: side,
      removeAdditionalStrategy: side === "input" ? "strict" : "passthrough",
      override: (def, refs) => {
        const what = unrepresentable3(def, side);
        if (what === undefined) return ignoreOverride;
        const path = fieldPath(refs.currentPath.slice(1));
        found.set(`${path} ${what}`, { path, what, instead: suggestReplacement(what) });
        return {};
      },
    });
    return { json: plain(json), unrepresentable: [...found.values()], problems: [], templates: noTemplates };
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    const whole = { path: "", what: why, instead: "simplify the schema" };
    return { json: {}, unrepresentable: [...found.values(), whole], problems: [], templates: noTemplates };
  }
};

const unrepresentable3 = (def: ZodTypeDef, side: SchemaSide): string | undefined => {
  if (!("typeName" in def)) return undefined;
  if (def.typeName !== ZodFirstPartyTypeKind.ZodEffects) return kinds3[def.typeName as ZodFirstPartyTypeKind];
  const { effect } = def as unknown as { readonly effect: { readonly type: string } };
  return side === "output" && effect.type === "transform" ? "transform" : undefined;
};

/** JSON and nothing else: drops the functions and symbols that the libraries hang on their results. */
const plain = (json: object): JsonSchema => JSON.parse(JSON.stringify(json));

/** The formats that JSON Schema 2020-12 registers; a validator may refuse others. Where Zod has one of its own, it adds the pattern. */
const formats: ReadonlySet<string> = new Set(
  (
    "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid " +
    "uri-template json-pointer relative-json-pointer regex"
  ).split(" "),
);

/** Says the same in standard words: no `$schema`, no vacuous `propertyNames`, tuples as 2020-12 writes them. */
const tidy = (schema: JsonSchema): JsonSchema => {
  const { $schema: _, ...rest } = schema;
  const copy: Record<string, unknown> = rest;
  if (JSON.stringify(rest.propertyNames) === '{"type":"string"}') delete copy.propertyNames;
  if (rest.format !== undefined && !formats.has(rest.format)) delete copy.format;
  if (rest.additionalProperties === true) copy.additionalProperties = {};
  if (Array.isArray(rest.items)) {
    copy.prefixItems = rest.items;
    copy.items = rest.additionalItems ?? false;
    delete copy.additionalItems;
  }
  return defineMembers(splitTypes(copy));
};

/** The kernel leaves out what an output's schema does not name; a reader is to take a field that a later version adds. */
const open = ({ additionalProperties, ...rest }: JsonSchema): JsonSchema =>
  additionalProperties === false || additionalProperties === undefined ? rest : { ...rest, additionalProperties };

const suggestReplacement = (what: string): string => {
  switch (what) {
    case "date":
      return "use codecs.date(), which is a string on the wire, or z.iso.datetime()";
    case "bigint":
      return "use z.int(), or codecs.bigint() where 53 bits are too few";
    case "map":
      return "use z.record(), or codecs.map()";
    case "set":
      return "use z.array(), or codecs.set()";
    case "undefined":
    case "void":
      return "use z.object({}), or z.null()";
    case "transform":
      return "write z.codec(wire, value, { decode, encode }), which goes both ways, or transform in the service";
    case "custom":
      return "use codecs.url() or codecs.bytes(), or a schema that says what it accepts, with .refine() for the rest";
    case "file":
      return "send the bytes as codecs.bytes()";
    case "literal":
      return "use strings, numbers, booleans or null as literals";
    default:
      return "use a schema for JSON: object, array, string, number, boolean, null";
  }
};
