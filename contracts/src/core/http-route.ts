/**
 * Where a procedure is served over HTTP, and how its input is written in a query string. One pure rule, read by the code generator and by the
 * kernel's HTTP transport, so that document and server cannot disagree.
 *
 * The path and the methods never depend on the shape of the input: a mutation is a POST of JSON; a query or subscription is a POST, a QUERY (RFC 10008)
 * and a GET at the same path. A GET takes the scalars of the input and lists of them, by name: strings as they are, numbers and booleans as JSON
 * literals, a list as the same parameter several times, absent fields left out. Other fields cannot be written there; clients decide for each call.
 * Not here: reading requests, and decoding (dispatch does that, with the schema).
 */
import type { $ZodType } from "zod/v4/core";
import type { Procedure } from "./procedure.ts";
import { asZod4 } from "./schema/schema.ts";
import { schemaDef } from "./schema/zod-def.ts";

/** What the text of one query parameter is. */
type QueryScalar = "string" | "number" | "boolean";

/** How a field of an input is written in a query string: as one parameter, or, for a list, as one for each item. */
export type QueryType = QueryScalar | `${QueryScalar}[]`;

/** The fields of an input that a query string can have, by name. */
export type QueryParameters = ReadonlyMap<string, QueryType>;

/** The path of the procedure `name` of service `serviceId`, from the server's root: `/api/rules/resolveAttack`. */
export const httpPath = (serviceId: string, name: string, procedure: Procedure): string =>
  `/api${procedure.http?.path ?? `/${serviceId}/${name}`}`;

/** The methods that a procedure is served with. */
export const servedMethods = ({ kind }: Procedure): readonly string[] =>
  kind === "mutation" ? ["POST"] : ["GET", "POST", "QUERY"];

/**
 * Turns a query string (without its question mark) into raw input for dispatch. Never throws: text that is not a literal of its
 * field's type stays text, and a repeated parameter becomes an array, so that the schema refuses them with a proper message.
 */
export const queryToInput = (procedure: Procedure, query: string): Readonly<Record<string, unknown>> => {
  const fields = queryParameters(procedure);
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((key) => {
      const { scalar, isList } = parseType(fields.get(key) ?? "string");
      const values = params.getAll(key).map((text) => literal(text, scalar));
      return [key, values.length === 1 && !isList ? values[0] : values];
    }),
  );
};

/** The query string that is read as this raw input again, without a question mark; nothing for an input that none can have. */
export const inputToQuery = (procedure: Procedure, input: unknown): string | undefined => {
  if (typeof input !== "object" || input === null) return undefined;
  const params = new URLSearchParams();
  const scalars = Object.entries(input).every(([name, value]) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const each of values) params.append(name, String(each));
    return values.length > 0 && values.every((each) => ["string", "number", "boolean"].includes(typeof each));
  });
  if (!scalars) return undefined;
  const query = params.toString();
  return isEqualInput(queryToInput(procedure, query), input) ? query : undefined;
};

const isEqualInput = (read: Readonly<Record<string, unknown>>, input: object): boolean =>
  Object.entries(input).every(([name, value]) => JSON.stringify(read[name]) === JSON.stringify(value));

const knownParameters = new WeakMap<Procedure, QueryParameters>();

/** The fields of a procedure's input that a query string can have, whatever its other fields are. */
export const queryParameters = (procedure: Procedure): QueryParameters => {
  const before = knownParameters.get(procedure);
  if (before !== undefined) return before;
  const types = fieldTypes(asZod4(procedure.input));
  const found = new Map([...types].flatMap(([name, type]) => (type === undefined ? [] : [[name, type] as const])));
  knownParameters.set(procedure, found);
  return found;
};

type FieldTypes = ReadonlyMap<string, QueryType | undefined>;

const fieldTypes = (schema: $ZodType): FieldTypes => {
  const def = schemaDef(schema);
  switch (def.type) {
    case "object":
      return new Map(Object.entries(def.shape).map(([name, field]) => [name, queryType(field)]));
    case "intersection":
      return commonTypes(fieldTypes(def.left), fieldTypes(def.right));
    case "readonly":
      return fieldTypes(def.innerType);
    default:
      return new Map();
  }
};

/** A field that both halves have is read as both say, or not at all. */
const commonTypes = (left: FieldTypes, right: FieldTypes): FieldTypes =>
  new Map([
    ...left,
    ...[...right].map(([name, type]) => [name, !left.has(name) || left.get(name) === type ? type : undefined] as const),
  ]);

const queryType = (schema: $ZodType): QueryType | undefined => {
  const def = schemaDef(schema);
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return queryType(def.innerType);
    case "pipe":
      return queryType(def.in);
    case "array": {
      const item = queryType(def.element);
      return item === "string" || item === "number" || item === "boolean" ? `${item}[]` : undefined;
    }
    case "string":
    case "template_literal":
      return "string";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "enum":
      return commonType(Object.values(def.entries));
    case "literal":
      return commonType(def.values);
    default:
      return undefined;
  }
};

const parseType = (type: QueryType): { readonly scalar: QueryScalar; readonly isList: boolean } => {
  switch (type) {
    case "string":
    case "number":
    case "boolean":
      return { scalar: type, isList: false };
    case "string[]":
      return { scalar: "string", isList: true };
    case "number[]":
      return { scalar: "number", isList: true };
    case "boolean[]":
      return { scalar: "boolean", isList: true };
  }
};

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

const literal = (text: string, scalar: QueryScalar): string | number | boolean => {
  switch (scalar) {
    case "number":
      return jsonNumber.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    case "string":
      return text;
  }
};

const commonType = (values: readonly unknown[]): QueryScalar | undefined => {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (others.length > 0) return undefined;
  return type === "string" || type === "number" || type === "boolean" ? type : undefined;
};
