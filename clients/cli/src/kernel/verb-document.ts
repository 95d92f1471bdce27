/** Reads `verbs.json`. Pure. */
import type { NamedVerb, VerbDocument } from "@fairlead/contracts";
import { parseJson } from "../text/json-text.ts";

/**
 * The verbs in the text; none in a document of another version. Their content is not checked again: `fairlead gen`
 * has written them from checked contracts.
 */
export const parseVerbs = (text: string): readonly NamedVerb[] => {
  const parsed = parseJson(text);
  return parsed.ok && isVerbDocument(parsed.value) ? parsed.value.verbs : [];
};

export const isVerbDocument = (value: unknown): value is VerbDocument =>
  typeof value === "object" &&
  value !== null &&
  "version" in value &&
  value.version === 1 &&
  "verbs" in value &&
  Array.isArray(value.verbs) &&
  value.verbs.every(isNamed);

const isNamed = (verb: unknown): boolean =>
  typeof verb === "object" &&
  verb !== null &&
  ["name", "service", "summary"].every((key) => typeof Reflect.get(verb, key) === "string") &&
  ["steps", "examples"].every((key) => Array.isArray(Reflect.get(verb, key)));
