/**
 * Zod to JSON Schema 2020-12: with `zod-node`, the only files of this package that know Zod's insides. It goes through `z.toJSONSchema`; what comes out is complete
 * in itself, with local `$defs`.
 *
 * What cannot be said in JSON Schema is reported with its path and replaced by `{}`; nothing throws.
 * Not here: judging the schema (`check`).
 */
import type { Schema } from "@fairlead/contracts";
import { asZod4, deprecationKey, encodingSchema } from "@fairlead/contracts";
import { schemaDef } from "@fairlead/contracts/zod-def";
import { type $ZodType, toJSONSchema } from "zod/v4/core";
import {
  type ConvertedSchema,
  noTemplates,
  plainJson,
  type SchemaSide,
  suggestReplacement,
  type UnrepresentablePlace,
} from "./converted.ts";
import type { SchemaProblem } from "./draft.ts";
import { takeNonFinite } from "./finite.ts";
import { fieldPath, type JsonSchema, rewrite } from "./json-schema.ts";
import { completeRefs } from "./references.ts";
import { defineMembers, splitTypes } from "./standard-words.ts";
import { isDefaultSayable } from "./zod-default.ts";
import { adjustNode, readTemplate } from "./zod-node.ts";

/** A schema in JSON Schema's words, and what was lost on the way. */
export interface LoweredSchema {
  readonly json: JsonSchema;
  /** What its author called it by `.meta({ id })`; `json` is what has that name. */
  readonly name?: string;
  /** Definitions in `json.$defs` that no author has named: recursive schemas, and what `sharing` lists. */
  readonly anonymous: readonly string[];
  /** Types of texts by their pattern, where TypeScript can say it, too: those of template literals. */
  readonly templates: Readonly<Record<string, string>>;
  readonly unrepresentable: readonly UnrepresentablePlace[];
  /** What can never work in it. */
  readonly problems: readonly SchemaProblem[];
  /** Where parts of it became definitions because other schemas have them too; `names` does that. */
  readonly sharing?: Sharing;
}

/** How a schema was before its parts were shared. */
export interface Sharing {
  /** The same schema with those parts written out. */
  readonly inline: LoweredSchema;
  /** By the name of a definition: the same key for the same type in all schemas, and where it is. */
  readonly shapes: ReadonlyMap<string, { readonly key: string; readonly places: readonly SharedPlace[] }>;
}

/** A field path in a schema, or below an id in it. */
interface SharedPlace {
  readonly from: string | undefined;
  readonly path: string;
}

export type { SchemaSide };

const cache = { input: new WeakMap<Schema, LoweredSchema>(), output: new WeakMap<Schema, LoweredSchema>() };

/** Lowers one side of a schema. The same schema object gives the same result object, so shared schemas are lowered once. */
export const lower = (schema: Schema, side: SchemaSide): LoweredSchema => {
  const before = cache[side].get(schema);
  if (before !== undefined) return before;
  const lowered = lowerSide(schema, side);
  cache[side].set(schema, lowered);
  return lowered;
};

const lowerSide = (schema: Schema, side: SchemaSide): LoweredSchema => {
  const wire = side === "output" ? encodingSchema(schema) : schema;
  const { json, ...found } = convert(asZod4(wire), side);
  const plainer = rewrite(json, side === "output" ? (node) => open(tidy(node)) : tidy);
  return { ...completeRefs(plainer), ...found };
};

const convert = (schema: $ZodType, side: SchemaSide): ConvertedSchema => {
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
        if (!isDefaultSayable(zodSchema)) report(path, schemaDef(zodSchema).type);
        return "any";
      },
      override: ({ zodSchema, jsonSchema, path }) => {
        const { type } = schemaDef(zodSchema);
        if (neverJson.includes(type)) report(path, type);
        for (const number of takeNonFinite(jsonSchema)) report(path, number);
        const template = readTemplate(zodSchema);
        if (template !== undefined) templates.set(...template);
        for (const problem of adjustNode(zodSchema, jsonSchema, side)) {
          const field = fieldPath(path);
          problems.set(`${field} ${problem.message}`, { ...problem, path: field });
        }
      },
    });
    return {
      json: plainJson(json),
      unrepresentable: [...found.values()],
      problems: [...problems.values()],
      templates: templates.size === 0 ? noTemplates : Object.fromEntries(templates),
    };
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    const id = /^Duplicate schema id "(.*)" detected/.exec(why)?.[1];
    if (id !== undefined) return { json: {}, unrepresentable: [], problems: [duplicateId(id)], templates: noTemplates };
    const unreadable: SchemaProblem = {
      kind: "unreadable",
      path: "",
      message: `the schema cannot be converted to JSON Schema: ${why}`,
      fix: "simplify it, and give `.meta()` JSON alone",
    };
    return { json: {}, unrepresentable: [...found.values()], problems: [unreadable], templates: noTemplates };
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

/** The formats that JSON Schema 2020-12 registers; a validator may refuse others. Where Zod has one of its own, it adds the pattern. */
const formats: ReadonlySet<string> = new Set(
  (
    "date-time date time duration email idn-email hostname idn-hostname ipv4 ipv6 uri uri-reference iri iri-reference uuid " +
    "uri-template json-pointer relative-json-pointer regex"
  ).split(" "),
);

/** Says the same in standard words: no `$schema`, no vacuous `propertyNames`, tuples as 2020-12 writes them. */
const tidy = (schema: JsonSchema): JsonSchema => {
  // `nullable` is a word of OpenAPI 3.0 that only some readers of JSON Schema know.
  const { $schema: _, nullable: __, ...rest } = schema;
  const copy: Record<string, unknown> = rest;
  const notice = rest[deprecationKey];
  if (typeof notice === "string") {
    copy.description = [...(rest.description === undefined ? [] : [rest.description]), notice].join(" ");
    delete copy[deprecationKey];
  }
  if (JSON.stringify(rest.propertyNames) === '{"type":"string"}') delete copy.propertyNames;
  if (rest.format !== undefined && !formats.has(rest.format)) delete copy.format;
  if (rest.prefixItems?.length === 0) delete copy.prefixItems;
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
