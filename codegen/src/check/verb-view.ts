/**
 * Judges the paths in a verb's views: each must lead to a field of what its procedures give. Where a schema says nothing, as in a record,
 * any path may be right. Not here: names, procedures and inputs (`verb`).
 */
import type { NamedVerb, VerbCondition, VerbPath, VerbText, VerbView } from "@fairlead/contracts";
import { type Diagnostic, type DiagnosticPlace, diagnostic } from "../model/diagnostics.ts";
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import { defName, isSchema, type JsonSchema } from "../schema/json-schema.ts";

/** What is at a path: anything, fields that the verb itself names, or a schema with the document that its references lead to. */
type Shape =
  | "anything"
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly schema: JsonSchema; readonly root: JsonSchema };

export const checkViews = (
  verb: NamedVerb,
  { procedures }: ServiceModel,
  at: DiagnosticPlace,
): readonly Diagnostic[] => {
  const results = resultShape(verb, procedures);
  const { document, watch, notes = [] } = verb;
  const shown = shownShape(verb, results);
  const event = watch === undefined ? "anything" : outputShape(procedures, watch.call);
  const unknown = [
    ...Object.values(document ?? {}).flatMap((path) => unknownPaths(results, path)),
    ...[verb.show, ...notes].flatMap((view) => viewPaths(shown, view)),
    ...(watch === undefined ? [] : viewPaths(event, watch.show)),
  ];
  return [...new Set(unknown)].map((path) =>
    diagnostic("verb_path_unknown", at, {
      message: `there is no value at \`${path}\``,
      fix: "begin at a field of the document, or at a field of the item inside `each` and `table`",
    }),
  );
};

const outputShape = (procedures: readonly ProcedureModel[], call: string): Shape => {
  const json = procedures.find(({ name }) => name === call)?.output.json;
  return json === undefined ? "anything" : { schema: json, root: json };
};

/** The results of all steps, as later paths see them. */
const resultShape = ({ steps }: NamedVerb, procedures: readonly ProcedureModel[]): Shape => {
  const [only, ...more] = steps;
  if (only !== undefined && more.length === 0 && only.as === undefined) return outputShape(procedures, only.call);
  // Fields of results without a name are beside the names; they are not distinguished here.
  if (steps.some(({ as: name }) => name === undefined)) return "anything";
  return { fields: Object.fromEntries(steps.map(({ as: name = "", call }) => [name, outputShape(procedures, call)])) };
};

const shownShape = ({ document, imports }: NamedVerb, results: Shape): Shape => {
  if (imports !== undefined) return "anything";
  if (document === undefined) return results;
  const fields = Object.entries(document).map(([name, path]) => [name, shapeAt(results, path) ?? "anything"] as const);
  return { fields: Object.fromEntries(fields) };
};

const shapeAt = (shape: Shape, path: VerbPath): Shape | undefined => {
  if (path.startsWith("$")) return "anything";
  if (path === ".") return shape;
  return path.split(".").reduce<Shape | undefined>((at, name) => at && fieldShape(at, name), shape);
};

const fieldShape = (shape: Shape, name: string): Shape | undefined => {
  if (shape === "anything") return shape;
  if ("fields" in shape) return Object.hasOwn(shape.fields, name) ? shape.fields[name] : undefined;
  const { root } = shape;
  const schema = followRef(shape);
  const variants = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const found = variants.flatMap((variant) => fieldShape({ schema: variant, root }, name) ?? []);
  if (variants.length > 0) return found.length > 1 ? "anything" : found[0];
  const own = schema.properties?.[name];
  if (own !== undefined) return { schema: own, root };
  const isClosed = schema.properties !== undefined && !isSchema(schema.additionalProperties);
  return isClosed || (schema.type !== undefined && schema.type !== "object") ? undefined : "anything";
};

const followRef = ({ schema, root }: { readonly schema: JsonSchema; readonly root: JsonSchema }): JsonSchema => {
  const target = schema.$ref === undefined ? undefined : root.$defs?.[defName(schema.$ref) ?? ""];
  return isSchema(target) ? target : schema;
};

const itemShape = (shape: Shape | undefined): Shape => {
  if (shape === undefined || shape === "anything" || "fields" in shape) return "anything";
  const { items } = followRef(shape);
  return isSchema(items) ? { schema: items, root: shape.root } : "anything";
};

const unknownPaths = (shape: Shape, ...paths: readonly (VerbPath | undefined)[]): readonly string[] =>
  paths.filter((path) => path !== undefined).filter((path) => shapeAt(shape, path) === undefined);

const textPaths = (shape: Shape, text: VerbText): readonly string[] => {
  const templates = typeof text === "string" ? [text] : text.parts;
  const inner = templates.flatMap((template) => [...template.matchAll(/\{([^{}]+)\}/g)].map(([, value = ""]) => value));
  // Filters come after the path.
  const paths = inner.map((value) => value.split("|")[0]);
  return unknownPaths(shape, ...paths);
};

const conditionPaths = (shape: Shape, condition: VerbCondition): readonly string[] =>
  unknownPaths(
    shape,
    ...Object.entries(condition).flatMap(([key, path]) =>
      key !== "is" && key !== "not" && typeof path === "string" ? [path] : [],
    ),
  );

/** Paths in a view that lead nowhere. */
const viewPaths = (shape: Shape, view: VerbView): readonly string[] => {
  if (typeof view === "string" || "parts" in view) return textPaths(shape, view);
  if (isList(view)) return view.flatMap((part) => viewPaths(shape, part));
  if ("fields" in view) {
    const object = shapeAt(shape, view.fields) ?? "anything";
    const named = [...(view.only ?? []), ...(view.without ?? []), ...Object.keys(view.format ?? {})];
    return [...unknownPaths(shape, view.fields), ...unknownPaths(object, ...named)];
  }
  if ("table" in view) {
    const item = itemShape(shapeAt(shape, view.table));
    return [...unknownPaths(shape, view.table), ...view.columns.flatMap(({ cell }) => textPaths(item, cell))];
  }
  if ("each" in view) {
    return [...unknownPaths(shape, view.each), ...viewPaths(itemShape(shapeAt(shape, view.each)), view.show)];
  }
  if ("first" in view) {
    return view.first.flatMap(({ when = [], show }) => [
      ...when.flatMap((condition) => conditionPaths(shape, condition)),
      ...viewPaths(shape, show),
    ]);
  }
  if ("shares" in view) return unknownPaths(shape, ...view.shares.flatMap(({ of, less }) => [of, less]));
  const item = itemShape(shapeAt(shape, view.histogram));
  return [...unknownPaths(shape, view.histogram), ...unknownPaths(item, view.number, view.share)];
};

const isList = (view: object): view is readonly VerbView[] => Array.isArray(view);
