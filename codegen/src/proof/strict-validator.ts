/**
 * Published schemas compiled by ajv in strict mode. A definition that several schemas have is compiled once in a process, by its content:
 * most of a contract's schemas are made of the same named parts.
 *
 * Not here: what is held to them (`prove`).
 */
import { hash } from "node:crypto";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { defName, type JsonSchema, rewrite, walk } from "../schema/json-schema.ts";

const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  verbose: true,
  allowUnionTypes: true,
  strictRequired: false,
  strictTuples: false,
  // Annotations, as in the standard; where Zod has a rule of its own, there is a pattern.
  validateFormats: false,
  ownProperties: true,
  // A definition is compiled once, not again wherever it is used.
  inlineRefs: false,
  // Run on fifty values only.
  code: { optimize: false },
  logger: false,
});

/** Throws for what a strict reader refuses. */
export const compileStrict = (json: JsonSchema): ValidateFunction => {
  // Keywords of an author's own are annotations.
  for (const { schema } of walk(json))
    for (const keyword of Object.keys(schema)) if (ajv.RULES.keywords[keyword] !== true) ajv.addKeyword(keyword);
  const { $defs = {}, ...root } = json;
  const addresses = definitionAddresses($defs);
  const redirect = (schema: JsonSchema): JsonSchema => {
    const address = schema.$ref === undefined ? undefined : addresses.get(defName(schema.$ref) ?? "");
    return address === undefined ? schema : { ...schema, $ref: address };
  };
  for (const [name, definition] of Object.entries($defs)) {
    const address = addresses.get(name);
    if (address === undefined || ajv.schemas[address] !== undefined) continue;
    addDefinition(rewrite(definition, redirect), address);
  }
  const whole = rewrite(root, redirect);
  const validate = ajv.compile(whole);
  ajv.removeSchema(whole);
  return validate;
};

/** One that is refused leaves nothing behind, so that the next schema with it is refused in the same words. */
const addDefinition = (definition: JsonSchema, address: string): void => {
  try {
    ajv.addSchema(definition, address);
  } catch (failure) {
    ajv.removeSchema(address);
    throw failure;
  }
};

/** An address for each definition, which says what it and all that it needs are made of. */
const definitionAddresses = (definitions: Readonly<Record<string, JsonSchema>>): ReadonlyMap<string, string> => {
  const texts = new Map(Object.entries(definitions).map(([name, each]) => [name, JSON.stringify(each)]));
  const needs = new Map(
    Object.entries(definitions).map(([name, each]) => [
      name,
      walk(each).flatMap(({ schema: { $ref } }) => ($ref === undefined ? [] : [defName($ref) ?? ""])),
    ]),
  );
  const address = (name: string): string => {
    const closure = new Set([name]);
    for (const each of closure) for (const inner of needs.get(each) ?? []) closure.add(inner);
    const [own, ...others] = closure;
    const parts = [own, ...others.toSorted()].flatMap((each = "") => [each, texts.get(each) ?? ""]);
    return `urn:definition:${hash("sha1", parts.join("\n"), "hex")}`;
  };
  return new Map([...texts.keys()].map((name) => [name, address(name)]));
};
