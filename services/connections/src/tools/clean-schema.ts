/**
 * Schemas from upstreams with their texts cleaned. Pure.
 *
 * Only texts are cleaned. What a program compares (property names, enum values, patterns) is passed on as it is, or the tool is not
 * shown at all.
 */
import { cleanText, isClean } from "@fairlead/contracts";

/** Members of a JSON Schema that are text for readers. */
const textKeys = new Set(["title", "description", "$comment"]);

/** What is between the upstream and us alone, its headers being none of our clients'; and a name that no object of ours can have. */
const unshown = new Set(["x-mcp-header", "__proto__"]);

/** Longest text inside a schema. */
const longestNote = 2_000;

/** Nesting of a schema that is still followed. */
export const deepest = 64;

/** A schema with its texts cleaned. Returns `undefined` when it nests too deeply, or when a name or a value hides something. */
export const cleanSchema = (schema: unknown, depth = 0): unknown => {
  if (depth > deepest) return undefined;
  if (typeof schema === "string") return isClean(schema) ? schema : undefined;
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) {
    const items = schema.map((item) => cleanSchema(item, depth + 1));
    return items.includes(undefined) ? undefined : items;
  }
  const members: [string, unknown][] = [];
  for (const [key, value] of Object.entries(schema)) {
    if (unshown.has(key)) continue;
    const isNote = textKeys.has(key) && typeof value === "string";
    const cleaned = isNote ? cleanText(value, longestNote) : cleanSchema(value, depth + 1);
    if (cleaned === undefined || !isClean(key)) return undefined;
    members.push([key, cleaned]);
  }
  return Object.fromEntries(members);
};
