/**
 * Compares two schemas and shows each difference: a value that one takes and the other refuses, tried with both. A difference that no value shows
 * is not decided.
 *
 * Not here: finding differences (`containment`).
 */
import { hash } from "node:crypto";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { schemaValues } from "../proof/values.ts";
import { type JsonSchema, reachable, walk } from "../schema/json-schema.ts";
import { findGaps } from "./containment.ts";
import type { Gap, ValueSource } from "./gap.ts";

/** A difference between two schemas. */
export interface SchemaDifference extends Omit<Gap, "candidates"> {
  /** A value that the wider schema takes and the narrower refuses; absent where none was found. */
  readonly witness?: { readonly value: unknown };
}

/** What the narrower schema refuses of what the wider takes; empty where it certainly takes all of it. */
export const differences = (wider: JsonSchema, narrower: JsonSchema): readonly SchemaDifference[] => {
  const [takes, refuses] = [validators(wider), validators(narrower)];
  const values: ValueSource = {
    samples: sampler(wider, takes),
    accepts: (schema, value) => refuses(schema)(value),
  };
  return findGaps(wider, narrower, values).map(({ candidates, ...gap }) => {
    const found = candidates().find((value) => takes(wider)(value) && !refuses(narrower)(value));
    return found === undefined ? gap : { ...gap, witness: { value: found } };
  });
};

type Validators = (part: JsonSchema) => ValidateFunction;

/** Compiles parts of a document's schema once each, with the definitions that they need. */
const validators = (root: JsonSchema): Validators => {
  const known = new WeakMap<JsonSchema, ValidateFunction>();
  return (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const made = compile(complete(part, root));
    known.set(part, made);
    return made;
  };
};

const complete = (part: JsonSchema, root: JsonSchema): JsonSchema => {
  const { $defs: _, $id: __, $schema: ___, ...rest } = part;
  const definitions = reachable(rest, root.$defs ?? {});
  return definitions.size === 0 ? rest : { ...rest, $defs: Object.fromEntries(definitions) };
};

const tries = 60;
const kept = 8;

const sampler = (root: JsonSchema, takes: Validators): ValueSource["samples"] => {
  const known = new WeakMap<JsonSchema, readonly unknown[]>();
  return (part) => {
    const before = known.get(part);
    if (before !== undefined) return before;
    const schema = complete(part, root);
    const validate = takes(part);
    const made = unique([...plainValues(schema), ...generated(schema)].filter((value) => validate(value)));
    known.set(part, made);
    return made;
  };
};

/** The shortest first, and of all that are alike in length but one. */
const unique = (values: readonly unknown[]): readonly unknown[] => {
  const texts = [...new Set(values.map((value) => JSON.stringify(value)))].toSorted((a, b) => a.length - b.length);
  const least = texts.slice(0, kept / 2);
  return [
    ...least,
    ...texts.slice(kept / 2).filter((_, at, rest) => at % Math.ceil(rest.length / (kept / 2)) === 0),
  ].map((text): unknown => JSON.parse(text));
};

const plainValues = (schema: JsonSchema): readonly unknown[] => {
  const { default: usual, examples } = schema;
  return [usual, ...(Array.isArray(examples) ? examples : []), null, 0, 1, "", "x", true, [], {}].filter(
    (value) => value !== undefined,
  );
};

/** The same for the same schema at every run. */
const generated = (schema: JsonSchema): readonly unknown[] => {
  try {
    const seed = hash("sha1", JSON.stringify(schema), "buffer").readInt32LE();
    return fc
      .sample(schemaValues(schema), { seed, numRuns: tries })
      .map((value): unknown => JSON.parse(JSON.stringify(value)));
  } catch {
    return [];
  }
};

/** Formats that Zod publishes without a pattern. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  uri: (text) => URL.canParse(text),
};

const ajv = new Ajv2020({
  strict: false,
  allErrors: false,
  ownProperties: true,
  formats,
  code: { optimize: false },
  logger: false,
});

const compile = (schema: JsonSchema): ValidateFunction => {
  for (const { schema: node } of walk(schema))
    if (typeof node.format === "string" && ajv.formats[node.format] === undefined) ajv.addFormat(node.format, true);
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return validate;
};
