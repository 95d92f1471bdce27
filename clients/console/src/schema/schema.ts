/** Reads JSON Schema 2020-12 as the kernel publishes it: references, kinds, unions, and a first value. Pure; what it does not know is shown as JSON. */

export type Schema = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const mostReferences = 32;

/** The schema that a node refers to in its document; a node without a reference is its own. Keywords beside a reference stay. */
export const resolveSchema = (root: Schema, node: unknown): Schema => {
  let found = isRecord(node) ? node : {};
  for (let step = 0; typeof found.$ref === "string" && step < mostReferences; step += 1) {
    const { $ref, ...beside } = found;
    const target = String($ref)
      .replace(/^#\/?/, "")
      .split("/")
      .filter((part) => part !== "")
      .reduce<unknown>(
        (at, part) => (isRecord(at) ? at[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
        root,
      );
    found = { ...(isRecord(target) ? target : {}), ...beside };
  }
  return found;
};

/** The alternatives of a union; empty for what is none. `null` is one of them where it is allowed. */
export const alternatives = (root: Schema, schema: Schema): readonly Schema[] => {
  const list = Array.isArray(schema.anyOf) ? schema.anyOf : Array.isArray(schema.oneOf) ? schema.oneOf : undefined;
  if (list !== undefined) return list.map((each) => resolveSchema(root, each));
  return Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : [];
};

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export const fieldsIn = (root: Schema, schema: Schema): readonly Field[] => {
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  return Object.entries(isRecord(schema.properties) ? schema.properties : {}).map(([name, each]) => ({
    name,
    schema: resolveSchema(root, each),
    isRequired: required.has(name),
  }));
};

export type Kind =
  | "object"
  | "map"
  | "array"
  | "enum"
  | "const"
  | "text"
  | "number"
  | "boolean"
  | "null"
  | "union"
  | "any";

export const readKind = (schema: Schema): Kind => {
  if ("const" in schema) return "const";
  if (Array.isArray(schema.enum)) return "enum";
  if (Array.isArray(schema.anyOf) || Array.isArray(schema.oneOf) || Array.isArray(schema.type)) return "union";
  if (schema.type === "object") return isRecord(schema.properties) ? "object" : "map";
  if (schema.type === "array") return "array";
  if (schema.type === "string") return "text";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type === "boolean") return "boolean";
  return schema.type === "null" ? "null" : "any";
};

/** What it takes, in a few words: `text`, `whole number 1 to 20`, `list of text`, `one of "a", "b"`. */
export const typeText = (root: Schema, node: unknown, depth = 0): string => {
  const schema = resolveSchema(root, node);
  const kind = readKind(schema);
  if (kind === "const") return JSON.stringify(schema.const);
  if (kind === "enum") return (schema.enum as readonly unknown[]).map((each) => JSON.stringify(each)).join(" | ");
  if (kind === "union") {
    const parts = alternatives(root, schema).map((each) =>
      depth > 2 ? (titleIn(each) ?? readKind(each)) : typeText(root, each, depth + 1),
    );
    return [...new Set(parts)].join(" or ");
  }
  if (kind === "array") return `list of ${typeText(root, schema.items, depth + 1)}`;
  if (kind === "map")
    return isRecord(schema.additionalProperties)
      ? `map to ${typeText(root, schema.additionalProperties, depth + 1)}`
      : "object";
  if (kind === "object") return titleIn(schema) ?? "object";
  if (kind === "number") return `${schema.type === "integer" ? "whole number" : "number"}${rangeText(schema)}`;
  if (kind === "text") return typeof schema.format === "string" ? `text (${schema.format})` : "text";
  return kind === "boolean" ? "true or false" : kind === "any" ? "any JSON" : "null";
};

const titleIn = ({ title }: Schema): string | undefined => (typeof title === "string" ? title : undefined);

/** Limits that only say what every whole number of JavaScript is are left out. */
const rangeText = ({ minimum, maximum }: Schema): string => {
  const from = typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? minimum : undefined;
  const to = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (from !== undefined && to !== undefined) return ` ${from} to ${to}`;
  if (from !== undefined) return ` from ${from}`;
  return to === undefined ? "" : ` up to ${to}`;
};

const deepest = 6;

/** A value to begin with: defaults, first choices, and only what is required. */
export const firstValue = (root: Schema, node: unknown, depth = 0): unknown => {
  const schema = resolveSchema(root, node);
  if ("default" in schema) return schema.default;
  const kind = readKind(schema);
  if (kind === "const") return schema.const;
  if (kind === "enum") return (schema.enum as readonly unknown[])[0];
  if (kind === "union") return firstValue(root, alternatives(root, schema)[0], depth + 1);
  if (kind === "object") {
    if (depth > deepest) return {};
    const required = fieldsIn(root, schema).filter((field) => field.isRequired);
    return Object.fromEntries(required.map((field) => [field.name, firstValue(root, field.schema, depth + 1)]));
  }
  if (kind === "array") {
    const least = typeof schema.minItems === "number" && depth <= deepest ? schema.minItems : 0;
    return Array.from({ length: Math.min(least, 10) }, () => firstValue(root, schema.items, depth + 1));
  }
  if (kind === "number") return typeof schema.minimum === "number" && schema.minimum > 0 ? schema.minimum : 0;
  return { map: {}, text: "", boolean: false, null: null, any: null }[kind];
};

/** The alternative of a union that a value looks most like: by the constants of its fields, then by its kind. */
export const matchingAlternative = (root: Schema, options: readonly Schema[], value: unknown): number => {
  const scores = options.map((option) => score(root, option, value));
  return Math.max(0, scores.indexOf(Math.max(...scores)));
};

const score = (root: Schema, schema: Schema, value: unknown): number => {
  const kind = readKind(schema);
  if (kind === "const") return schema.const === value ? 5 : -5;
  if (kind === "enum") return (schema.enum as readonly unknown[]).includes(value) ? 4 : -4;
  if (kind === "union") return Math.max(...alternatives(root, schema).map((each) => score(root, each, value)));
  if (value === null) return kind === "null" ? 5 : -5;
  if (Array.isArray(value)) return kind === "array" ? 3 : -3;
  if (isRecord(value)) {
    if (kind !== "object" && kind !== "map") return -3;
    return fieldsIn(root, schema).reduce((sum, { name, schema: field, isRequired }) => {
      if (!(name in value)) return isRequired ? sum - 2 : sum;
      return sum + (readKind(field) === "const" ? 3 * score(root, field, value[name]) : 1);
    }, 1);
  }
  const kinds: Readonly<Record<string, Kind>> = { string: "text", number: "number", boolean: "boolean" };
  return kinds[typeof value] === kind ? 3 : kind === "any" ? 1 : -3;
};
