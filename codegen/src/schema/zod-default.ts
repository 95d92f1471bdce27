/**
 * What is given in place of a value that is missing, as it is published: on the wire, and only where it is the same each time. And what its own schema
 * refuses.
 *
 * Not here: what Zod's converter says of the rest of the schema (`zod-node`).
 */
import { decoder, encoder } from "@fairlead/contracts";
import type { $ZodDefaultDef, $ZodPrefaultDef, $ZodType, $ZodTypes } from "zod/v4/core";
import type { SchemaSide } from "./converted.ts";
import type { Draft, Problem } from "./draft.ts";

/** Publishes the default in place of what the converter says of it, and gives what is wrong with it. */
export const adjustDefault = ({ _zod: { def } }: $ZodTypes, json: Draft, side: SchemaSide): readonly Problem[] => {
  if (def.type !== "default" && def.type !== "prefault") return [];
  const first = readDefault(def);
  if (first.type === "refused") return [first.problem];
  const isPublished = side === "input" || json.default !== undefined;
  if (isPublished && first.type === "sent" && isStable(def, first.value)) json.default = first.value;
  else delete json.default;
  return [];
};

/** Whether JSON has the default of a schema, where it is one; a codec may lead from a value that JSON has not to one that it has. */
export const isDefaultSayable = (schema: $ZodType): boolean => {
  const { def } = (schema as $ZodTypes)._zod;
  return (def.type === "default" || def.type === "prefault") && readDefault(def).type !== "unsayable";
};

type DefaultDef = $ZodDefaultDef | $ZodPrefaultDef;

type ReadDefault =
  | { readonly type: "sent"; readonly value: unknown }
  /** JSON has no words for it. */
  | { readonly type: "unsayable" }
  | { readonly type: "refused"; readonly problem: Problem };

/** A prefault is what a caller could have sent; a default is of the value side. A schema that throws is found elsewhere. */
const readDefault = (def: DefaultDef): ReadDefault => {
  try {
    const given = def.defaultValue;
    const tried = (def.type === "default" ? encoder<unknown>(def.innerType) : decoder<unknown>(def.innerType))(given);
    if (!tried.ok) {
      const [issue] = tried.issues;
      const at = issue === undefined || issue.path === "" ? "" : ` at \`${issue.path}\``;
      const message = `the default is not a value of its own schema${at}, which expects ${issue?.expected}`;
      return { type: "refused", problem: { kind: "default", message, fix: "give a default that fits" } };
    }
    const text = JSON.stringify(def.type === "default" ? tried.value : given);
    return text === undefined ? { type: "unsayable" } : { type: "sent", value: JSON.parse(text) };
  } catch {
    return { type: "unsayable" };
  }
};

/** A function may give another one each time, like a random id or the time: what is published would differ with each run. */
const isStable = (def: DefaultDef, value: unknown): boolean => {
  const again = readDefault(def);
  return again.type === "sent" && JSON.stringify(again.value) === JSON.stringify(value) && !isOfNow(value);
};

/** Milliseconds. Two readings in a row may give the same time. */
const nowIsWithin = 60_000;

const isOfNow = (value: unknown): boolean => {
  if (typeof value === "object" && value !== null) return Object.values(value).some(isOfNow);
  const now = Date.now();
  const times =
    typeof value === "number"
      ? [value, value * 1_000]
      : typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value)
        ? [Date.parse(value)]
        : [];
  return times.some((time) => Math.abs(time - now) < nowIsWithin);
};
