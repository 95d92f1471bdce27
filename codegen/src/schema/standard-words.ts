/**
 * The same schema in words that validators and generators of others agree on: types one by one, members of records by name, any JSON
 * value without recursion, no keyword of our own. Pure.
 *
 * Not here: what Zod's converter leaves out (`zod-node`).
 */
import { toolSummary } from "@fairlead/contracts";
import { isSchema, type JsonSchema } from "./json-schema.ts";
import { isAnyJson } from "./references.ts";

/** Keywords that are about values of one type; to others they say nothing. */
const aboutTypes: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  integer: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "propertyNames", "minProperties"],
};
const ofOneType = new Set(Object.values(aboutTypes).flat());

/** A list of types is a choice; only `null` beside one type is in wide use. */
export const splitTypes = (schema: JsonSchema): JsonSchema => {
  const { type: types, ...rest } = schema;
  if (!Array.isArray(types) || types.filter((type) => type !== "null").length < 2 || rest.anyOf !== undefined)
    return schema;
  const keywords = Object.entries(rest);
  const branches = types.map((type: string) => ({
    type,
    ...Object.fromEntries(keywords.filter(([keyword]) => aboutTypes[type]?.includes(keyword))),
  }));
  return { ...Object.fromEntries(keywords.filter(([keyword]) => !ofOneType.has(keyword))), anyOf: branches };
};

/** Members of a record beyond this many letters are counted instead of written out, so that long lists of names stay short. */
const longestMembers = 4_000;

/** A record whose keys are listed has those members; what `required` names must be defined. */
export const defineMembers = (schema: JsonSchema): JsonSchema => {
  const { propertyNames, additionalProperties: member, required, ...rest } = schema;
  const all = isSchema(propertyNames) ? listedNames(propertyNames) : undefined;
  if (all === undefined || !isSchema(member) || rest.properties !== undefined) return schema;
  const names = { type: "string", enum: all };
  if (all.length * JSON.stringify(member).length > longestMembers) {
    const counted = required?.length === all.length ? { minProperties: all.length } : {};
    return { ...rest, propertyNames: names, additionalProperties: member, ...counted };
  }
  return {
    ...rest,
    propertyNames: names,
    properties: Object.fromEntries(all.map((name) => [name, member])),
    ...(required !== undefined && { required }),
  };
};

/** All that keys may be, where they are listed: one by one, or by a choice of such lists. */
const listedNames = ({ enum: names, const: only, anyOf }: JsonSchema): readonly string[] | undefined => {
  if (names !== undefined) return names.map(String);
  if (only !== undefined) return [String(only)];
  const parts = anyOf?.map(listedNames);
  return parts?.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined;
};

/** For documents: without what only this package reads, and with any JSON value as what it is, a schema that refuses nothing. */
export const toPublished = (schema: JsonSchema): JsonSchema => {
  const { [toolSummary]: _, ...rest } = schema;
  return isAnyJson(rest) ? withoutChoice(rest) : rest;
};

const withoutChoice = ({ anyOf: _, ...rest }: JsonSchema): JsonSchema => ({ description: "Any JSON value.", ...rest });
