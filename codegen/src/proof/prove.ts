/**
 * Holds a Zod schema, the JSON Schema published for it and its printed TypeScript type to each other: values are made from the published
 * schema, most of them right and some nearly so, and each of the three says whether it takes them. Of an output, what the kernel would
 * give is held to what is published.
 *
 * The same values every time: their seed is the schema. Not here: which schemas need it (`proof-store`), and the words for a finding (`finding-text`).
 */
import { asZod4, decoder, encodingSchema, type Schema } from "@fairlead/contracts";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import fc from "fast-check";
import { $ZodAsyncError } from "zod/v4/core";
import { type JsonSchema, walk } from "../schema/json-schema.ts";
import type { SchemaSide } from "../schema/lower.ts";
import { sayablePart, tryValue, withoutLeniency } from "../schema/zod-wire.ts";
import type { ProofFinding } from "./finding.ts";
import { once } from "./once.ts";
import { typePredicate } from "./printed-type.ts";
import { compileStrict } from "./strict-validator.ts";
import { schemaValues } from "./values.ts";

/** What is held to each other. */
export interface ProofSubject {
  readonly schema: Schema;
  readonly side: SchemaSide;
  /** What is published for it. */
  readonly json: JsonSchema;
  /** Types of texts by their pattern. */
  readonly templates: Readonly<Record<string, string>>;
}

/** How thorough a proof is. */
export interface ProofOptions {
  /** How many values. */
  readonly values: number;
  readonly seed: number;
}

/** What a schema is found to say differently in one place than in another: at most one finding of each kind. */
export const prove = (subject: ProofSubject, options: ProofOptions): readonly ProofFinding[] => {
  const found = new Map<ProofFinding["kind"], ProofFinding>();
  const report: Report = (kind, value, detail = () => "") => {
    if (!found.has(kind)) found.set(kind, { kind, value: shorten(value), detail: detail() });
  };
  const trial = startTrial(subject, options, report);
  for (const value of trial?.values ?? []) trial?.tryValue(send(value));
  return [...found.values()];
};

/** The words are made for the first value of a kind alone. */
type Report = (kind: ProofFinding["kind"], value: unknown, detail?: () => string) => void;

const startTrial = (subject: ProofSubject, { seed, values: numRuns }: ProofOptions, report: Report) => {
  let tryValue: (value: unknown) => void;
  try {
    tryValue = trier(subject, report);
  } catch (failure) {
    report("not_strict", undefined, () => errorMessage(failure));
    return undefined;
  }
  try {
    return { tryValue, values: withoutStacks(() => fc.sample(schemaValues(subject.json), { seed, numRuns })) };
  } catch {
    // Nothing fits a schema that contradicts itself.
    return undefined;
  }
};

/** Texts of a pattern are found by errors that are thrown and caught, thousands a schema: their stacks took more time than all the rest. */
const withoutStacks = <T>(make: () => T): T => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return make();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};

/** Tries one value, as it arrives from a wire. */
const trier = (
  { schema: written, side, json, templates }: ProofSubject,
  report: Report,
): ((value: unknown) => void) => {
  const schema = asZod4(written);
  const published = compileStrict(json);
  const hasType = typePredicate(json, { templates, isInput: side === "input" });
  const decode = runner(schema);
  if (side === "output") {
    const reverse = encodingSchema(schema);
    const encode = runner(reverse);
    return (value) => {
      // What a handler gives is the value side; where both sides are the same, any value will do.
      const decoded: DecodeRun = reverse === schema ? { type: "taken", value } : decode(value);
      if (decoded.type === "failed") return report(decoded.kind, value, () => decoded.detail);
      const encoded = decoded.type === "taken" ? encode(decoded.value) : decoded;
      if (encoded.type === "failed") return report(encoded.kind, value, () => encoded.detail);
      if (encoded.type === "refused") return;
      const given = send(encoded.value);
      if (published(given)) return hasType(given) ? undefined : report("type_tighter", given);
      const errors = exactErrors(published);
      if (errors.length > 0) report("gives_other", given, () => errorText(errors));
    };
  }
  // Most schemas never need the parts that they are taken apart into.
  const strictly = once(() => withoutLeniency(schema));
  const strict = once(() => runner(strictly()));
  const sayable = (urls: "checked" | "unchecked") => once(() => runner(sayablePart(strictly(), urls)));
  const [saidAtLeast, saidAtMost] = [sayable("unchecked"), sayable("checked")];
  return (value) => {
    const decoded = decode(value);
    if (decoded.type === "failed") return report(decoded.kind, value, () => decoded.detail);
    if (published(value)) {
      if (decoded.type === "refused") {
        if (saidAtLeast()(value).type === "refused") report("looser", value, () => firstIssue(schema, value));
        else if (saidAtMost()(value).type === "taken") report("own_rule", value, () => firstIssue(schema, value));
      }
      if (!hasType(value)) report("type_tighter", value);
      return;
    }
    const errors = exactErrors(published);
    if (errors.length === 0) return;
    if (decoded.type === "taken" && strict()(value).type === "taken") report("tighter", value, () => errorText(errors));
    if (hasType(value) && errors.every((error) => isOfType(error, json)))
      report("type_looser", value, () => errorText(errors));
  };
};

type DecodeRun =
  | { readonly type: "taken"; readonly value: unknown }
  | { readonly type: "refused" }
  | { readonly type: "failed"; readonly kind: "async" | "throws"; readonly detail: string };

const runner =
  (schema: Schema) =>
  (value: unknown): DecodeRun => {
    try {
      return tryValue(schema, value);
    } catch (failure) {
      const isAsync = failure instanceof $ZodAsyncError;
      return { type: "failed", kind: isAsync ? "async" : "throws", detail: errorMessage(failure) };
    }
  };

const firstIssue = (schema: Schema, value: unknown): string => {
  const decoded = decoder<unknown>(schema)(value);
  const [issue] = decoded.ok ? [] : decoded.issues;
  if (issue === undefined) return "";
  return `${issue.path === "" ? "" : `\`${issue.path}\`: `}expected ${issue.expected}`;
};

const errorMessage = (failure: unknown): string => (failure instanceof Error ? failure.message : String(failure));

/** ajv divides, where Zod reckons with decimal digits. */
const exactErrors = ({ errors }: ValidateFunction): readonly ErrorObject[] =>
  errors?.some(({ keyword }) => keyword === "multipleOf") ? [] : (errors ?? []);

const errorText = (errors: readonly ErrorObject[]): string =>
  errors
    .slice(0, 2)
    .map(({ instancePath, message }) => `${instancePath} ${message}`.trim())
    .join(", ");

/** True for what a type could have said, too. */
const isOfType = ({ keyword, schemaPath, params, data }: ErrorObject, json: JsonSchema): boolean => {
  if (/\/(?:patternProperties|propertyNames|not)\b/.test(schemaPath)) return false;
  // An index signature covers the named fields, too.
  if (schemaPath.includes("/additionalProperties") && walk(json).some(({ schema }) => schema.properties)) return false;
  if (keyword === "type") return !(params.type === "integer" && typeof data === "number");
  return ["required", "enum", "const", "anyOf"].includes(keyword);
};

/** As it goes over a wire: most values are what they would become, and to look is cheaper than to write and read. */
const send = (value: unknown): unknown => {
  if (isJson(value)) return value;
  const text = JSON.stringify(value);
  return text === undefined ? undefined : JSON.parse(text);
};

/** True for a value that is the same after it was sent. */
const isJson = (value: unknown): boolean => {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== "object") return typeof value === "string" || typeof value === "boolean";
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
};

/** A value as a message shows it. */
const shorten = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 120 ? text : `${text.slice(0, 117)}...`;
};
