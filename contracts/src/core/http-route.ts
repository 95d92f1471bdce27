/**
 * Where a procedure lives on HTTP and how its input travels there. One pure rule, read by the code generator and by the
 * kernel's HTTP transport, so that document and server cannot disagree.
 *
 * The rule: a query or subscription is a GET when its input is flat, scalar and short; everything else is a POST of JSON.
 * - Flat: an object that lists its fields (no catchall but `never`), eight of them at most.
 * - Scalar: each field is a string, number, boolean, or an enum or literals of one of these; it may be optional or have a
 *   default, but not be null.
 * - Short: each string is an enum, a literal, a format of fixed length, or has a maximum of at most 128 characters. Any valid
 *   input then fits into a URL.
 *
 * Query parameters are form-encoded: strings as they are, numbers and booleans as JSON literals, absent fields left out.
 *
 * That is the endpoint that documents and clients have. A kernel serves every query and subscription as GET, POST and QUERY, whatever its
 * input is, so that an input that grows takes no endpoint away: `servedMethods`.
 * Not here: reading requests, and decoding (dispatch does that, with the schema).
 */
import type { $ZodCheck, $ZodObjectDef, $ZodStringDef, $ZodType } from "zod/v4/core";
import type { Procedure } from "./procedure.ts";
import { asZod4, type Schema } from "./schema.ts";
import { checkDef, schemaDef } from "./zod-def.ts";

/** How the input is sent: `query` in the URL, `json` in the body. */
export type HttpEncoding = "query" | "json";

/** Where and how a procedure is called over HTTP. */
export interface HttpEndpoint {
  readonly method: "GET" | "POST";
  /** From the server's root, like `/api/rules/resolveAttack`. */
  readonly path: string;
  readonly encoding: HttpEncoding;
}

/** What a query parameter's text is. */
export type QueryScalar = "string" | "number" | "boolean";

const mostFields = 8;
const longestString = 128;

/** String formats whose text has a fixed or small maximum length. */
const shortFormats: readonly string[] = [
  "uuid",
  "guid",
  "cuid2",
  "ulid",
  "xid",
  "ksuid",
  "nanoid",
  "date",
  "ipv4",
  "mac",
];

/** The HTTP endpoint of the procedure `name` of service `serviceId`. */
export const httpRoute = (serviceId: string, name: string, procedure: Procedure): HttpEndpoint => {
  const path = `/api${procedure.http?.path ?? `/${serviceId}/${name}`}`;
  return queryFields(procedure) === undefined
    ? { method: "POST", path, encoding: "json" }
    : { method: "GET", path, encoding: "query" };
};

/** The methods that a procedure is served with, the documented one first. GET takes the scalars and lists of the input itself, by name. */
export const servedMethods = (procedure: Procedure): readonly string[] => {
  if (procedure.kind === "mutation") return ["POST"];
  return queryFields(procedure) === undefined ? ["POST", "GET", "QUERY"] : ["GET", "POST", "QUERY"];
};

type Fields = ReadonlyMap<string, QueryScalar>;

const known = new WeakMap<Procedure, Fields | "none">();

/** The fields that a GET carries, or `undefined` when the procedure is a POST. */
export const queryFields = (procedure: Procedure): Fields | undefined => {
  const before = known.get(procedure);
  if (before !== undefined) return before === "none" ? undefined : before;
  const fields = procedure.kind === "mutation" ? undefined : flatFields(procedure.input);
  known.set(procedure, fields ?? "none");
  return fields;
};

/**
 * Turns a query string (without its question mark) into raw input for dispatch. Never throws: text that is no literal of its
 * field's type stays text, and a repeated parameter becomes an array, so that the schema refuses them with a proper message.
 */
export const queryToInput = (procedure: Procedure, query: string): Readonly<Record<string, unknown>> => {
  const fields = queryParameters(procedure);
  const params = new URLSearchParams(query);
  return Object.fromEntries(
    [...new Set(params.keys())].map((key) => {
      const { type = "string", isList = false } = fields.get(key) ?? {};
      const values = params.getAll(key).map((text) => literal(text, type));
      return [key, values.length === 1 && !isList ? values[0] : values];
    }),
  );
};

/** How a field of an input is written in a query string. */
interface QueryParameter {
  readonly type: QueryScalar;
  /** A list is the same parameter several times. */
  readonly isList: boolean;
}

const knownParameters = new WeakMap<Procedure, ReadonlyMap<string, QueryParameter>>();

/** The fields of an input that a query string can say, whatever its other fields are. */
export const queryParameters = (procedure: Procedure): ReadonlyMap<string, QueryParameter> => {
  const before = knownParameters.get(procedure);
  if (before !== undefined) return before;
  const def = schemaDef(asZod4(procedure.input));
  const entries = def.type === "object" ? Object.entries(def.shape) : [];
  const found = new Map(
    entries.flatMap(([name, field]) => {
      const parameter = queryParameter(field);
      return parameter === undefined ? [] : [[name, parameter] as const];
    }),
  );
  knownParameters.set(procedure, found);
  return found;
};

const queryParameter = (schema: $ZodType): QueryParameter | undefined => {
  const def = schemaDef(schema);
  switch (def.type) {
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "readonly":
      return queryParameter(def.innerType);
    case "array": {
      const item = queryParameter(def.element);
      return item === undefined || item.isList ? undefined : { type: item.type, isList: true };
    }
    case "string":
      return { type: "string", isList: false };
    default: {
      const type = queryScalar(schema);
      return type === undefined ? undefined : { type, isList: false };
    }
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

const flatFields = (input: Schema): Fields | undefined => {
  const def = schemaDef(asZod4(input));
  if (def.type !== "object" || !isClosed(def)) return undefined;
  const entries = Object.entries(def.shape);
  if (entries.length > mostFields) return undefined;
  const fields = new Map<string, QueryScalar>();
  for (const [key, field] of entries) {
    const scalar = queryScalar(field);
    if (scalar === undefined) return undefined;
    fields.set(key, scalar);
  }
  return fields;
};

const isClosed = (def: $ZodObjectDef): boolean =>
  def.catchall === undefined || schemaDef(def.catchall).type === "never";

const queryScalar = (schema: $ZodType): QueryScalar | undefined => {
  const def = schemaDef(schema);
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
    case "readonly":
      return queryScalar(def.innerType);
    case "string":
      return isShort(def) ? "string" : undefined;
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

const commonType = (values: readonly unknown[]): QueryScalar | undefined => {
  const [type, ...others] = new Set(values.map((value) => typeof value));
  if (others.length > 0) return undefined;
  return type === "string" || type === "number" || type === "boolean" ? type : undefined;
};

const isShort = (def: $ZodStringDef): boolean =>
  ("format" in def && typeof def.format === "string" && shortFormats.includes(def.format)) ||
  (def.checks ?? []).some(limitsLength);

const limitsLength = (check: $ZodCheck<never>): boolean => {
  const def = checkDef(check);
  switch (def.check) {
    case "max_length":
      return def.maximum <= longestString;
    case "length_equals":
      return def.length <= longestString;
    case "string_format":
      return shortFormats.includes(def.format);
    default:
      return false;
  }
};
