/**
 * Judges schemas: that every field is described, that nothing became `{}` in silence, and that what a tool takes is understood
 * by every model vendor.
 *
 * For tools the house refuses `not`, tuples, `patternProperties`, conditions and the `unevaluated` keywords: each is refused or
 * ignored by at least one large vendor. Recursion is allowed through local `$defs`. Other procedures may use them.
 */
import { type Diagnostic, type DiagnosticCode, type DiagnosticPlace, diagnostic } from "../model/diagnostics.ts";
import type { ProcedureModel } from "../model/model.ts";
import { longestDescription } from "../model/tool.ts";
import { inheritedNames } from "../names/reserved.ts";
import { defName, type JsonSchema, walk } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";
import { patternSlowness } from "../schema/pattern.ts";

const annotations = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "$comment",
  "id",
];

const unsupported: Readonly<Record<string, string>> = {
  not: "a value that may not be there (`z.never()`, an empty enum); leave it out",
  prefixItems: "a tuple; use an object with named fields",
  patternProperties: "keys by pattern; use z.record()",
  if: "a condition; use separate fields or separate procedures",
  dependentSchemas: "a condition; use separate fields or separate procedures",
  unevaluatedProperties: "an intersection of closed objects; use one object",
  unevaluatedItems: "a tuple; use an object with named fields",
  contains: "a rule for some items; check it with .refine()",
};

export const checkInput = (procedure: ProcedureModel, source: string): readonly Diagnostic[] => {
  const at = { source, where: `${procedure.fullName} input` };
  const isTool = procedure.tool !== false && procedure.kind !== "subscription";
  const { json } = procedure.input;
  return [
    ...(procedure.input.problems.some(isWhole) ? [] : checkRoot(json, isTool, at)),
    ...checkFields(procedure.input, { ...at, undescribed: "field_undescribed" }),
    ...(isTool ? checkVendors(json, at) : []),
    ...checkResumption(procedure, at),
  ];
};

export const checkOutput = (output: LoweredSchema, at: DiagnosticPlace): readonly Diagnostic[] =>
  checkFields(output, { ...at, undescribed: "output_undescribed" });

const checkRoot = (json: JsonSchema, isTool: boolean, at: DiagnosticPlace): readonly Diagnostic[] => {
  const branches = json.anyOf ?? json.oneOf ?? json.allOf;
  if (branches === undefined) {
    if (json.type === "object") return [];
    return [
      diagnostic("input_not_object", at, {
        message: "the input is not an object, so that no field could be added later",
        fix: "wrap it: z.object({ value: … })",
      }),
    ];
  }
  if (isTool) {
    return [
      diagnostic("input_union", at, {
        message: "the input is a union or intersection at its top, which model vendors refuse",
        fix: "put it into a field of an object, or make one procedure for each branch",
      }),
    ];
  }
  return branches.every((branch) => target(json, branch)?.type === "object")
    ? []
    : [
        diagnostic("input_not_object", at, {
          message: "a branch of the input is not an object, so that no field could be added later",
          fix: "make every branch an object",
        }),
      ];
};

/** What a schema is behind a reference into the root's `$defs`. */
const target = (root: JsonSchema, schema: JsonSchema): JsonSchema | undefined => {
  if (schema.$ref === undefined) return schema;
  const name = defName(schema.$ref);
  return name === undefined ? undefined : root.$defs?.[name];
};

/** Nothing of the schema could be read. */
const isWhole = ({ kind }: LoweredSchema["problems"][number]): boolean =>
  kind === "duplicate_id" || kind === "unreadable";

const problemCodes = {
  default: "default_invalid",
  async: "schema_async",
  pattern: "schema_pattern_flags",
  key: "schema_unrepresentable",
  transform: "schema_unrepresentable",
  duplicate_id: "schema_id_duplicate",
  unreadable: "schema_unrepresentable",
} as const satisfies Record<LoweredSchema["problems"][number]["kind"], DiagnosticCode>;

const checkFields = (
  { json, unrepresentable, problems }: LoweredSchema,
  at: DiagnosticPlace & { readonly undescribed: "field_undescribed" | "output_undescribed" },
): readonly Diagnostic[] => {
  const found = unrepresentable.map(({ path, what, instead }) =>
    diagnostic("schema_unrepresentable", inField(at, path), {
      message: `\`${what}\` has no form in JSON Schema`,
      fix: instead,
    }),
  );
  found.push(
    ...problems.map(({ kind, path, message, fix }) =>
      diagnostic(problemCodes[kind], inField(at, path), { message, fix }),
    ),
  );
  found.push(...checkNames(json, at));
  const lost = new Set([...unrepresentable, ...problems].map(({ path }) => path));
  for (const { path, at: place, around, schema } of walk(json)) {
    const field = inField(at, path);
    // The members of a record are not fields that an author has named one by one.
    if (place?.keyword === "properties" && around?.propertyNames === undefined && !isDescribed(json, schema)) {
      found.push(
        diagnostic(at.undescribed, field, {
          message: "the field has no description",
          fix: 'add .describe("what it is, and its unit")',
        }),
      );
    }
    if (isEmpty(schema) && !lost.has(path) && place?.keyword !== "additionalProperties" && place?.keyword !== "not") {
      found.push(
        diagnostic("schema_empty", field, {
          message: "the schema says nothing: any value at all would fit",
          fix: "say what is meant; for any JSON value write z.json()",
        }),
      );
    }
    if (schema.$ref !== undefined && target(json, schema) === undefined) {
      found.push(
        diagnostic("schema_external_ref", field, {
          message: `the reference ${JSON.stringify(schema.$ref)} leaves the schema, and is never fetched`,
          fix: "write the schema itself",
        }),
      );
    }
    if (!lost.has(path)) found.push(...checkPattern(schema, field));
    if ((schema.description?.length ?? 0) > longestDescription) {
      found.push(
        diagnostic("description_too_long", field, {
          message: `the description has ${schema.description?.length} characters, over the ${longestDescription} that model vendors take`,
          fix: "shorten it",
        }),
      );
    }
  }
  return found;
};

const checkPattern = ({ pattern, patternProperties = {} }: JsonSchema, field: DiagnosticPlace): readonly Diagnostic[] =>
  [...(pattern === undefined ? [] : [pattern]), ...Object.keys(patternProperties)].flatMap((source) => {
    const slowness = tryPattern(source);
    if (slowness === "none") {
      return [
        diagnostic("schema_not_strict", field, {
          message: `the pattern /${source}/ is not a regular expression`,
          fix: "correct what `.meta()` says of it",
        }),
      ];
    }
    if (slowness === undefined) return [];
    return [
      diagnostic("schema_pattern_slow", field, {
        message: `the pattern /${source}/ takes ${slowness} time on some texts, so that one request could stop the kernel`,
        fix: "begin it with ^, let no two neighbouring repeats match the same text, or bound them, like {1,40}",
      }),
    ];
  });

/** `none` for what is not an expression. */
const tryPattern = (source: string): ReturnType<typeof patternSlowness> | "none" => {
  try {
    return patternSlowness(source);
  } catch {
    return "none";
  }
};

/** A field that both halves of an intersection have is described where one of them is. */
const isDescribed = (root: JsonSchema, schema: JsonSchema): boolean =>
  [schema, target(root, schema)].some((each) => each?.description !== undefined && each.description.trim() !== "") ||
  (schema.allOf ?? []).some((half) => isDescribed(root, half));

const isEmpty = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => annotations.includes(keyword));

const checkVendors = (json: JsonSchema, at: DiagnosticPlace): readonly Diagnostic[] =>
  walk(json).flatMap(({ path, schema }) =>
    Object.entries(unsupported)
      .filter(([keyword]) => schema[keyword] !== undefined)
      .map(([keyword, advice]) =>
        diagnostic("schema_unsupported", inField(at, path), {
          message: `model vendors refuse or ignore \`${keyword}\` in a tool's input`,
          fix: `it is how Zod writes ${advice}; or set \`tool: false\``,
        }),
      ),
  );

const checkNames = (json: JsonSchema, at: DiagnosticPlace): readonly Diagnostic[] =>
  walk(json).flatMap(({ path, at: place }) => {
    if (place?.keyword !== "properties" || !inheritedNames.has(String(place.key))) return [];
    return [
      diagnostic("field_reserved", inField(at, path), {
        message: `every JavaScript object has \`${place.key}\`, so an absent field would look present`,
        fix: "choose another name",
      }),
    ];
  });

const checkResumption = ({ kind, input }: ProcedureModel, at: DiagnosticPlace): readonly Diagnostic[] => {
  if (kind !== "subscription" || input.json.properties?.lastEventId === undefined) return [];
  return [
    diagnostic("field_reserved", inField(at, "lastEventId"), {
      message: "`lastEventId` is how clients ask to resume a subscription; handlers find it in `call.lastEventId`",
      fix: "choose another name",
    }),
  ];
};

const inField = (at: DiagnosticPlace, path: string): DiagnosticPlace => ({
  source: at.source,
  where: path === "" ? at.where : `${at.where} ${path}`,
});
