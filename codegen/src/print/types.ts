/**
 * JSON Schema to TypeScript types: plain, flat types with the descriptions as JSDoc, which an editor shows at once and the
 * compiler need not compute.
 *
 * Not here: names and files (`emit`). Constraints that types cannot say, like lengths, are left out.
 */
import { defName, isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { docComment, indent, literal, propertyKey } from "./text.ts";

/** Names the type of a local definition. */
type TypeNamer = (definition: string) => string;

/** How types are printed beside their names. */
export interface TypeStyle {
  /** Types of texts by their pattern. */
  readonly templates?: Readonly<Record<string, string>>;
  /** True for what callers give: their lists may be readonly. */
  readonly isInput?: boolean;
}

/** Prints the type of a schema. References become the names that `typeName` gives. */
export const printType = (schema: JsonSchema, typeName: TypeNamer, style: TypeStyle = {}): string =>
  print(schema, { ...style, typeName });

interface Printing extends TypeStyle {
  readonly typeName: TypeNamer;
}

const print = (schema: JsonSchema, as: Printing): string => {
  const parts = [reference(schema, as), values(schema), ...combined(schema, as)].filter((part) => part !== undefined);
  if (parts.length === 0) return byType(schema, as);
  return parts.length === 1 ? (parts[0] ?? "unknown") : parts.map(grouped).join(" & ");
};

const reference = ({ $ref }: JsonSchema, as: Printing): string | undefined => {
  const name = $ref === undefined ? undefined : defName($ref);
  return name === undefined ? undefined : as.typeName(name);
};

const values = (schema: JsonSchema): string | undefined => {
  if (schema.const !== undefined) return literal(schema.const);
  return schema.enum === undefined ? undefined : union(schema.enum.map((value) => literal(value)));
};

const combined = ({ anyOf, oneOf, allOf }: JsonSchema, as: Printing): readonly string[] => {
  const alternatives = [anyOf, oneOf].filter((branches) => branches !== undefined);
  const all = (allOf ?? []).map((part) => print(part, as)).filter((type) => type !== "unknown");
  return [...alternatives.map((branches) => union(branches.map((branch) => print(branch, as)))), ...all];
};

const byType = (schema: JsonSchema, as: Printing): string => {
  if (isSchema(schema.not) && Object.keys(schema.not).length === 0) return "never";
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? "unknown" : union(types.map((type) => one(type, schema, as)));
};

const one = (type: string, schema: JsonSchema, as: Printing): string => {
  switch (type) {
    case "string":
      return as.templates?.[schema.pattern ?? ""] ?? type;
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return arrayType(schema, as);
    case "object":
      return objectType(schema, as);
    default:
      return "unknown";
  }
};

const arrayType = ({ items, prefixItems, minItems }: JsonSchema, as: Printing): string => {
  const rest = isSchema(items) ? print(items, as) : items === false ? undefined : "unknown";
  const access = as.isInput ? "readonly " : "";
  if (prefixItems === undefined) return `${access}${rest === undefined ? "[]" : `${grouped(rest)}[]`}`;
  const least = typeof minItems === "number" ? minItems : 0;
  const parts = prefixItems.map((item, index) => {
    const type = print(item, as);
    return index < least ? type : `${grouped(type)}?`;
  });
  return `${access}[${[...parts, ...(rest === undefined ? [] : [`...${grouped(rest)}[]`])].join(", ")}]`;
};

const objectType = (schema: JsonSchema, as: Printing): string => {
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const optional = required.has(name) ? "" : "?";
    return `${docComment(fieldWords(field))}${propertyKey(name)}${optional}: ${fieldType(field, { ...as, isOptional: optional !== "" })};`;
  });
  const extra = extraFields(schema, as);
  if (fields.length === 0)
    return (
      extra ??
      (schema.additionalProperties === false || schema.properties ? "Record<string, never>" : "Record<string, unknown>")
    );
  const lines = extra === undefined ? fields : [...fields, `[key: string]: ${widened(schema, as)};`];
  return `{\n${indent(lines.join("\n"))}\n}`;
};

/** The description, with a tag for what will go. */
const fieldWords = ({ description, deprecated }: JsonSchema): string | undefined =>
  deprecated === true ? [description ?? "", "@deprecated"].join("\n\n") : description;

/** A caller may say `undefined` of what may be absent: it does not travel. */
const fieldType = (field: JsonSchema, as: Printing & { readonly isOptional: boolean }): string => {
  const type = print(field, as);
  return as.isInput && as.isOptional && type !== "unknown" ? `${type} | undefined` : type;
};

/** An index signature has to cover the named fields, too. */
const widened = ({ additionalProperties, properties = {}, required = [] }: JsonSchema, as: Printing): string => {
  if (!isSchema(additionalProperties)) return "unknown";
  const types = [additionalProperties, ...Object.values(properties)].map((each) => print(each, as));
  const isComplete = Object.keys(properties).every((name) => required.includes(name));
  return union(isComplete ? types : [...types, "undefined"]);
};

const extraFields = (
  { additionalProperties, propertyNames, patternProperties, minProperties }: JsonSchema,
  as: Printing,
): string | undefined => {
  if (isSchema(patternProperties)) return "Record<string, unknown>";
  if (additionalProperties === true) return "Record<string, unknown>";
  if (!isSchema(additionalProperties)) return undefined;
  const value = print(additionalProperties, as);
  const names =
    isSchema(propertyNames) && Array.isArray(propertyNames.enum) ? propertyNames.enum.map(String) : undefined;
  // An index signature, not a Record: only that may refer back to the type around it.
  if (names === undefined) return `{ [key: string]: ${value} }`;
  const record = `Record<${union(names.map((name) => literal(name)))}, ${value}>`;
  return minProperties === names.length ? record : `Partial<${record}>`;
};

/** Branches without repeats; `null` last, as people write it. */
const union = (types: readonly string[]): string => {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown")) return "unknown";
  const some = distinct
    .filter((type) => type !== "never")
    .toSorted((a, b) => Number(a === "null") - Number(b === "null"));
  return some.length === 0 ? "never" : some.join(" | ");
};

/** Whether a type needs parentheses beside another operator: only what is outside of all brackets and strings counts. */
const grouped = (type: string): string => {
  if (type.startsWith("readonly ")) return `(${type})`;
  let depth = 0;
  for (let at = 0; at < type.length; at += 1) {
    const letter = type.charAt(at);
    if (letter === '"') at = closingQuote(type, at);
    else if (type.startsWith("/*", at)) at = type.indexOf("*/", at) + 1;
    else if ("{[(<".includes(letter)) depth += 1;
    else if ("}])>".includes(letter)) depth -= 1;
    else if (depth === 0 && (letter === "|" || letter === "&")) return `(${type})`;
  }
  return type;
};

/** Where the string that opens at `from` ends. Ours are always closed: JSON wrote them. */
const closingQuote = (type: string, from: number): number => {
  let at = from + 1;
  while (at < type.length && type.charAt(at) !== '"') at += type.charAt(at) === "\\" ? 2 : 1;
  return at;
};
