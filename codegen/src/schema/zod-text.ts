/**
 * What a Zod schema is made of, as a short text: two schemas with one text take the same values, as far as they are data. Descriptions
 * and messages do not count.
 *
 * Not here: what a schema says (`lower`).
 */
import { hash } from "node:crypto";
import { asZod4, type Schema } from "@fairlead/contracts";
import type { $ZodType } from "zod/v4/core";

interface SchemaText {
  readonly text: string;
  /** True where functions are part of it: what they call may change while their own text stays. */
  readonly hasCode: boolean;
}

const longest = 300;

const known = new WeakMap<object, SchemaText>();
const leadsBack: SchemaText = { text: "leads back", hasCode: false };

/** The text of a schema. */
export const schemaText = (schema: Schema): SchemaText => textOfSchema(asZod4(schema));

const textOfSchema = (schema: $ZodType): SchemaText => {
  const before = known.get(schema);
  if (before !== undefined) return before;
  known.set(schema, leadsBack);
  const parts: string[] = [];
  let hasCode = false;
  const add = (value: unknown): void => {
    if (typeof value === "function") {
      hasCode = true;
      parts.push(String(value));
    } else if (typeof value !== "object" || value === null || value instanceof RegExp)
      parts.push(`${typeof value} ${String(value)}`);
    else if (isSchema(value)) {
      const inner = textOfSchema(value);
      hasCode ||= inner.hasCode;
      parts.push(inner.text);
    } else if (isCheck(value)) {
      // What `.superRefine()` calls is not to be seen.
      hasCode ||= value._zod.def.check === "custom";
      add(value._zod.def);
    } else if (value instanceof Map || value instanceof Set) add([...value]);
    else if (value instanceof Date) parts.push(value.toJSON() ?? "no date");
    else addEntries(value);
  };
  const addEntries = (value: object): void => {
    for (const [key, inner] of Object.entries(value)) {
      if (key === "error") continue;
      parts.push(key);
      add(key === "getter" && typeof inner === "function" ? inner() : inner);
    }
    parts.push("end");
  };
  addEntries(schema._zod.def);
  const whole = parts.join("\n");
  // A short text is its own, so that most leaves are not hashed.
  const made = { text: whole.length > longest ? hash("sha1", whole, "base64url") : whole, hasCode };
  known.set(schema, made);
  return made;
};

const isSchema = (value: object): value is $ZodType => hasInside(value) && "type" in value._zod.def;

const isCheck = (value: object): value is { readonly _zod: { readonly def: { readonly check: string } } } =>
  hasInside(value) && "check" in value._zod.def;

const hasInside = (value: object): value is { readonly _zod: { readonly def: object } } => "_zod" in value;
