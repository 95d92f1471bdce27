/**
 * Encoding: the value that a handler gives becomes what goes on the wire. A schema has two sides, the wire side (its input) and the
 * value side (its output); a codec leads from one to the other. Inputs are decoded, outputs are encoded.
 *
 * A schema is encoded by decoding with its reverse: every codec turned round, everything else as it was. So the compiled fast path,
 * the wording of issues, and the JSON Schema of the wire side (codegen's `lower`) are the same for both directions. Not here: the
 * codecs that ship (`codecs`).
 */
import * as z from "zod";
import type { $ZodCheck, $ZodType } from "zod/v4/core";
import { type Decoder, decoder } from "./decoder.ts";
import { asZod4, type Schema } from "./schema/schema.ts";
import {
  checkDef,
  rebuildSchema,
  type SchemaDef,
  schemaDef,
  someSchema,
  withDef,
  withRules,
} from "./schema/zod-def.ts";

/** Makes a schema's encoder: value side in, wire side out. Throws at the first use of a schema with a one-way transform. */
export const encoder = <T>(schema: Schema): Decoder<T> => decoder<T>(encodingSchema(schema));

const cache = new WeakMap<Schema, Schema>();

/** The reverse of a schema: it takes the value side and gives the wire side. The schema itself where both sides are the same. */
export const encodingSchema = (schema: Schema): Schema => {
  const before = cache.get(schema);
  if (before !== undefined) return before;
  const four = asZod4(schema);
  if (!someSchema(four, hasTwoSides)) return schema;
  const reversed = rebuildSchema(four, reverse);
  cache.set(schema, reversed);
  return reversed;
};

const hasTwoSides = (schema: $ZodType): boolean => ["pipe", "transform", "catch"].includes(schemaDef(schema).type);

const reverse = (schema: $ZodType, def: SchemaDef): $ZodType => {
  if (!someSchema(schema, hasTwoSides)) return schema;
  const reversed = reverseDef(schema, def);
  // A rule of the author's was written for values: it is asked of the value, before anything in it is encoded.
  return hasRules(def) ? new z.core.$ZodPipe({ type: "pipe", in: valueSide(schema), out: reversed }) : reversed;
};

const reverseDef = (schema: $ZodType, def: SchemaDef): $ZodType => {
  switch (def.type) {
    case "transform":
      return oneWay();
    case "pipe":
      return isOneWay(schema) ? oneWay() : withDef(schema, reversePipe(def));
    case "default":
      return new z.core.$ZodPrefault({ type: "prefault", innerType: def.innerType, defaultValue: def.defaultValue });
    case "prefault":
    case "catch":
      return def.innerType;
    default:
      return withDef(schema, withoutRules(def));
  }
};

type PipeDef = Extract<SchemaDef, { readonly type: "pipe" }>;

const reversePipe = (def: PipeDef): PipeDef => {
  const turned = { ...withoutRules(def), in: def.out, out: def.in };
  return "reverseTransform" in def && "transform" in def
    ? { ...turned, transform: def.reverseTransform, reverseTransform: def.transform }
    : turned;
};

const isOneWay = (schema: $ZodType): boolean => {
  const def = schemaDef(schema);
  return def.type === "pipe" && [def.in, def.out].some((half) => schemaDef(half).type === "transform");
};

/** Takes the place of a transform, so that codegen finds it there by its type; refused there, it never runs. */
const oneWay = (): $ZodType =>
  new z.core.$ZodTransform({
    type: "transform",
    transform: () => {
      throw new TypeError(
        "a transform goes one way and cannot encode an output: write z.codec(wire, value, { decode, encode })",
      );
    },
  });

/** Sizes are the same on both sides of an array or a set; every other rule is one on values. */
const sizes = ["min_length", "max_length", "length_equals", "min_size", "max_size", "size_equals"];

const isSize = (check: $ZodCheck<never>): boolean => sizes.includes(checkDef(check).check);

const hasRules = ({ type, checks = [] }: SchemaDef): boolean =>
  type === "pipe" ? checks.length > 0 : !checks.every(isSize);

const withoutRules = <D extends SchemaDef>(def: D): D =>
  def.checks === undefined ? def : { ...def, checks: def.type === "pipe" ? [] : def.checks.filter(isSize) };

/** What a schema takes once it is decoded: each codec's value side, with the rules on it. */
const valueSide = (root: $ZodType): $ZodType =>
  rebuildSchema(root, (schema, def) => {
    if (!someSchema(schema, hasTwoSides)) return schema;
    switch (def.type) {
      case "pipe":
        return withRules(def.out, def.checks);
      case "prefault":
      case "catch":
        return def.innerType;
      default:
        return withDef(schema, def);
    }
  });
