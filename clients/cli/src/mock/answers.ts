/**
 * Answers for a procedure without a service: a value of its output for each input, always the same for the same seed and input, and the
 * data of its errors. Every value has been decoded by the contract's own schema.
 *
 * Not here: when a call fails and how long it takes (`mocked-service`).
 */
import { hash } from "node:crypto";
import { lower, sampleValue } from "@fairlead/codegen";
import { decoder, type Schema } from "@fairlead/contracts";
import { isRecord } from "../text/record.ts";

/** Values that are tried before a schema is given up. */
const tries = 60;

/** Makes values of a schema's value side, as a handler gives them. */
export interface ValueMaker {
  /** `given`: fields that the value takes over where they fit. Nothing where no value was found that the schema takes. */
  make(seed: number, given?: unknown): { readonly value: unknown } | undefined;
}

export const valueMaker = (schema: Schema): ValueMaker => {
  const decode = decoder<unknown>(schema);
  const accepted = (wire: unknown) => {
    const decoded = decode(wire);
    return decoded.ok ? { value: decoded.value } : undefined;
  };
  return {
    make: (seed, given) => {
      const { json } = lower(schema, "output");
      for (let attempt = 0; attempt < tries; attempt += 1) {
        const wire = sampleValue(json, seed + attempt);
        const found = accepted(wire);
        if (found === undefined) continue;
        const echoed = echo(wire, given);
        return (echoed === wire ? undefined : accepted(echoed)) ?? found;
      }
      return undefined;
    },
  };
};

/** The same value with what was asked for: an answer about `id: 5` is about 5. */
const echo = (wire: unknown, given: unknown): unknown => {
  if (!isRecord(wire) || !isRecord(given)) return wire;
  const same = Object.entries(given).filter(
    ([name, value]) => Object.hasOwn(wire, name) && typeof wire[name] === typeof value && typeof value !== "object",
  );
  return same.length === 0 ? wire : { ...wire, ...Object.fromEntries(same) };
};

/** A seed that follows from all of these. */
export const deriveSeed = (...parts: readonly unknown[]): number =>
  hash("sha1", JSON.stringify(parts, sortedKeys) ?? "", "buffer").readUInt32LE() >>> 1;

const sortedKeys = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Map || value instanceof Set) return [...value];
  return isRecord(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value;
};
