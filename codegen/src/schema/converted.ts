/** What the converters of both Zods give, and the words for what they cannot convert. Not here: converting (`lower`, `zod3`). */

import type { SchemaProblem } from "./draft.ts";
import type { JsonSchema } from "./json-schema.ts";

/** Whose schema it is: what a caller sends, or what a caller gets. Both are the wire side; codecs lead from and to the value side. */
export type SchemaSide = "input" | "output";

/** A place that JSON Schema has no words for. */
export interface UnrepresentablePlace {
  /** Field path from the schema's root. */
  readonly path: string;
  /** What is there, like `Date`. */
  readonly what: string;
  /** What to write instead. */
  readonly instead: string;
}

/** A schema as a converter gives it, with references of all kinds. */
export interface ConvertedSchema {
  readonly json: JsonSchema;
  readonly unrepresentable: readonly UnrepresentablePlace[];
  readonly problems: readonly SchemaProblem[];
  readonly templates: Readonly<Record<string, string>>;
}

export const noTemplates = {};

/** JSON and nothing else: drops the functions and symbols that the libraries hang on their results. */
export const plainJson = (json: object): JsonSchema => JSON.parse(JSON.stringify(json));

export const suggestReplacement = (what: string): string => {
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
    case "success":
      return "check the value in the service";
    case "promise":
      return "use the schema of what it comes to; a handler may return a promise";
    case "literal":
      return "use strings, numbers, booleans or null as literals";
    case "NaN":
    case "Infinity":
    case "-Infinity":
      return "use a number that JSON has, or null for none";
    default:
      return "use a schema for JSON: object, array, string, number, boolean, null";
  }
};
