/**
 * Tries one construct of Zod: what is published for it as a field of an input and of an output, and whether Zod and ajv in strict mode
 * agree on what is taken and given, on values that anybody may try and on random ones.
 */
import {
  type LoweredSchema,
  lower,
  type PythonTypes,
  printPythonTypes,
  printType,
  type SchemaSide,
} from "@fairlead/codegen";
import { schemaValues } from "@fairlead/codegen/proof";
import { codecs, decoder, encoder } from "@fairlead/contracts";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import * as z from "zod";

export const evaluate = (source: string): z.ZodType => new Function("z", "codecs", `return ${source};`)(z, codecs);

/** Anything a caller may try, for every construct. */
const attempts: readonly unknown[] = JSON.parse(
  '["", " ", "7", "a", "ab", "abb", "ABB", "abc", "a\\nc", "bab", "true", "yes", "no", "on", "v1", "a-true", "1", "1.5", "9007199254740993", 0, 1, 2, 3, -1,' +
    ' 1.5, 1e30, true, false, null, [], [1], [{"toString": 0, "valueOf": 0}], [1, "a"], [1, 2], {}, {"a": 1}, {"a": "x"}, {"b": 1}, {"a": 1, "b": 2}, {"a": 1, "b": "x"}, {"a": " ", "b": 1}, {"k": "a"},' +
    ' {"k": "b", "n": 1}, {"zz": 5}, "2026-01-31", "12:00:00", "2026-01-31T12:00:00Z", "2026-01-31T12:00:00+02:00", "2026-01-31T12:00:00",' +
    ' "ada@example.com", "https://example.com/a", "ftp://example.com", "192.0.2.1", "2001:db8::1", "P1D", "+4915112345678"]',
);

export interface TriedField {
  readonly refused: string | undefined;
  readonly lowered: LoweredSchema;
  readonly type: string;
  /** Its type in Python, where an object has its fields in the place of its class's name. */
  readonly python: string;
}

/** As the one field of an object, which is how a contract has it. */
export const tryField = (schema: z.ZodType, side: SchemaSide): TriedField => {
  const lowered = lower(z.object({ it: schema }), side);
  const [lost] = lowered.unrepresentable;
  const [problem] = lowered.problems;
  const refused =
    problem === undefined ? lost && `\`${lost.what}\`: ${lost.instead}` : `${problem.message}: ${problem.fix}`;
  return {
    refused,
    lowered,
    type: printType(lowered.json, (name) => name, { templates: lowered.templates, isInput: side === "input" }),
    python: pythonFields(printPythonTypes(lowered.json, side === "input"), "It").join(", "),
  };
};

const pythonFields = (types: PythonTypes, name: string): readonly string[] =>
  (types.fields(name) ?? []).map(({ name: field, type, isRequired }) => {
    const inline = type.replaceAll(/\bIt\w+/g, (inner) => `TypedDict(${pythonFields(types, inner).join(", ")})`);
    return `${field}: ${isRequired ? inline : `NotRequired[${inline}]`}`;
  });

const send = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** How many random values, and which. */
export interface Sampling {
  readonly seed: number;
  readonly count: number;
}

const samples = ({ json }: LoweredSchema, { seed, count }: Sampling): readonly unknown[] => {
  try {
    return fc.sample(schemaValues(json), { seed, numRuns: count });
  } catch {
    // A schema that the generator of values does not know: the attempts have to do.
    return [];
  }
};

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTuples: false,
  validateFormats: false,
});

/** Nothing where a function of the schema throws, or waits. */
const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work();
  } catch {
    return undefined;
  }
};

/** How what is published compares with what is decoded and encoded; empty for a construct that is refused. */
export const compare = (source: string, sampling: Sampling): string => {
  const schema = evaluate(source);
  const [{ refused, lowered: input }, given] = [tryField(schema, "input"), tryField(schema, "output")];
  if (refused !== undefined) return "";
  const output = given.refused === undefined ? given.lowered : undefined;
  const whole = z.object({ it: schema });
  const [decode, encode] = [decoder<unknown>(whole), encoder<unknown>(whole)];
  const [isTaken, isGiven] = [ajv.compile(input.json), output === undefined ? undefined : ajv.compile(output.json)];
  let [looser, tighter, other, fails] = [false, false, false, false];
  for (const value of [{}, ...attempts.map((it) => ({ it })), ...samples(input, sampling)].map(send)) {
    const decoded = attempt(() => decode(value));
    if (decoded === undefined) {
      fails = true;
      continue;
    }
    if (isTaken(value) && !decoded.ok) looser = true;
    if (!isTaken(value) && decoded.ok) tighter = true;
    if (!decoded.ok || isGiven === undefined) continue;
    const encoded = encode(decoded.value);
    if (!encoded.ok) continue;
    const wire = send(encoded.value);
    if (!isGiven(wire)) other = true;
  }
  const words = [
    looser ? "takes more" : "",
    tighter ? "takes less" : "",
    other ? "gives other" : "",
    fails ? "throws" : "",
  ];
  return words.filter((word) => word !== "").join(", ") || "agrees";
};
