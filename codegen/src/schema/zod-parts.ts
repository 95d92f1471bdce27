/**
 * Whether a schema is made of schemas at every depth, each with what it needs. Types refuse most of the rest; an author of plain JavaScript finds out here, with the place.
 *
 * Not here: what a schema says (`lower`).
 */
import { innerSchemas, schemaDef } from "@fairlead/contracts/zod-def";
import type { $ZodType } from "zod/v4/core";
import { oddArgument } from "./zod-arguments.ts";

/** A part of a schema that is none, or that cannot be read. */
interface BrokenPart {
  /** Names of fields from the schema's root; lists, unions and the like add none. */
  readonly path: readonly string[];
  /** What was expected there, in words. */
  readonly expected: string;
}

/** The first broken part of a schema of Zod 4; nothing is known of those of other libraries. */
export const findBrokenPart = (schema: unknown): BrokenPart | undefined => {
  const seen = new Set<$ZodType>();
  const visit = (part: unknown, path: readonly string[]): BrokenPart | undefined => {
    if (!isSchema(part)) return { path, expected: "a Zod schema" };
    if (seen.has(part)) return undefined;
    seen.add(part);
    try {
      const odd = oddArgument(part);
      if (odd !== undefined) return { path, expected: odd };
      for (const [name, inner] of partsIn(part)) {
        const broken = visit(inner, name === undefined ? path : [...path, name]);
        if (broken !== undefined) return broken;
      }
      return undefined;
    } catch (failure) {
      const why = failure instanceof Error ? failure.message : String(failure);
      return { path, expected: `a schema that can be read, which fails with: ${why}` };
    }
  };
  return hasInside(schema) ? visit(schema, []) : undefined;
};

const partsIn = (schema: $ZodType): readonly (readonly [name: string | undefined, part: unknown])[] => {
  const def = schemaDef(schema);
  return def.type === "object"
    ? [...Object.entries(def.shape), ...(def.catchall === undefined ? [] : [[undefined, def.catchall] as const])]
    : innerSchemas(schema).map((part) => [undefined, part] as const);
};

const hasInside = (value: unknown): value is { readonly _zod: unknown } =>
  typeof value === "object" && value !== null && "_zod" in value;

const isSchema = (value: unknown): value is $ZodType =>
  hasInside(value) && typeof value._zod === "object" && value._zod !== null && "def" in value._zod;
