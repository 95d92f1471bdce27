/**
 * What a schema was made with, where nothing can come of it: `.min(1.5)` of a text, a union of no branches, a default that throws. Zod takes
 * most of these and fails later, in words about its own insides.
 *
 * Not here: whether its parts are schemas (`zod-parts`), and what JSON Schema cannot say (`lower`).
 */
import { encoder } from "@fairlead/contracts";
import { checkDef, schemaDef } from "@fairlead/contracts/zod-def";
import { type $ZodCheck, type $ZodChecks, type $ZodType, type $ZodTypes, globalRegistry } from "zod/v4/core";

type SchemaDef = $ZodTypes["_zod"]["def"];
type RuleDef = $ZodChecks["_zod"]["def"];

/** What was expected of a schema by itself, in words; `undefined` where there is nothing to say. */
export const oddArgument = (schema: $ZodType): string | undefined => {
  const def = schemaDef(schema);
  return (
    oddType(schema, def) ??
    oddWords(schema) ??
    oddDef(schema, def) ??
    oddRule(def as unknown as RuleDef, def.type) ??
    (def.checks ?? [])
      .map((rule: $ZodCheck<never>) => oddRule(checkDef(rule), def.type))
      .find((odd) => odd !== undefined)
  );
};

/** A schema that was given in the place of settings has its type written over the other's, as in `z.union(z.string(), z.int())`. */
const oddType = ({ _zod: { traits } }: $ZodType, { type }: SchemaDef): string | undefined => {
  const name = `$zod${String(type).replaceAll("_", "")}`;
  return [...traits].some((trait) => trait.toLowerCase() === name)
    ? undefined
    : "schemas where Zod takes schemas, where one is in the place of settings";
};

/** A schema that was described again has its earlier words from its parent. */
const oddWords = (schema: $ZodType): string | undefined => {
  for (let at: $ZodType | undefined = schema; at !== undefined; at = at._zod.parent) {
    const words: Readonly<Record<string, unknown>> = globalRegistry.get(at) ?? {};
    const { id, title, description } = words;
    if (id !== undefined && typeof id !== "string") return `an id that is a string, in \`.meta()\`, ${where(id)}`;
    if (title !== undefined && typeof title !== "string")
      return `a title that is a text, in \`.meta()\`, ${where(title)}`;
    if (description !== undefined && typeof description !== "string")
      return `a description that is a text, in \`.describe()\` or \`.meta()\`, ${where(description)}`;
    const unsayable = tryOut("JSON in `.meta()`", () => JSON.stringify(words));
    if (unsayable !== undefined) return unsayable;
  }
  return undefined;
};

const oddDef = (schema: $ZodType, def: SchemaDef): string | undefined => {
  switch (def.type) {
    case "union":
      if (!Array.isArray(def.options) || def.options.length === 0)
        return "a union of at least one schema, which has none";
      return "discriminator" in def ? oddBranches(schema) : undefined;
    case "enum":
      return oddValues("an enum", Object.values(def.entries), ["string", "number"]);
    case "literal":
      return oddValues("a literal", def.values, ["string", "number", "boolean", "bigint", "undefined"]);
    case "template_literal":
      return Array.isArray(def.parts) ? undefined : `a list of parts, ${where(def.parts)}`;
    case "object": {
      const [symbol] = Object.getOwnPropertySymbols(def.shape);
      return symbol === undefined ? undefined : `fields whose names are texts, where ${String(symbol)} is one`;
    }
    case "default":
    case "prefault":
      return oddDefault(def.type, () => def.defaultValue, def.innerType);
    case "catch":
      return oddDefault("catch", () => def.catchValue(undefined as never), def.innerType);
    case "transform":
      return needFunction("z.transform()", def.transform);
    case "custom":
      return needFunction("z.custom()", def.fn);
    case "pipe":
      return (
        (def.transform === undefined ? undefined : needFunction("`decode` of z.codec()", def.transform)) ??
        (def.reverseTransform === undefined ? undefined : needFunction("`encode` of z.codec()", def.reverseTransform))
      );
    default:
      return undefined;
  }
};

/** Zod looks at all branches when it first takes a value. What else fails there is of a branch: an async rule may run where it can leave the discriminator out. */
const oddBranches = (schema: $ZodType): string | undefined => {
  const odd = tryOut("branches that each have a fixed value of the discriminator, and none the same", () => {
    schema._zod.run({ value: {}, issues: [] }, { async: false });
  });
  return odd !== undefined && /: (?:Invalid discriminated union option|Duplicate discriminator value) /.test(odd)
    ? odd
    : undefined;
};

const oddValues = (what: string, values: readonly unknown[], types: readonly string[]): string | undefined => {
  if (values.length === 0) return `${what} of at least one value, which has none`;
  const odd = values.find((value) => value !== null && !types.includes(typeof value));
  return odd === undefined ? undefined : `${what} of ${types.slice(0, 2).join("s and ")}s, ${where(odd)}`;
};

const oddDefault = (method: string, read: () => unknown, inner: $ZodType): string | undefined => {
  let value: unknown;
  const thrown = tryOut(`a value in \`.${method}()\`, or a function that gives one without arguments`, () => {
    value = read();
  });
  if (thrown !== undefined) return thrown;
  if (value === undefined || typeof value === "symbol" || typeof value === "function")
    return `a value in \`.${method}()\` that can be published, ${where(value)}`;
  const unsayable =
    typeof value === "bigint"
      ? `a value in \`.${method}()\` that its schema takes, ${where(value)}`
      : tryOut(`a value in \`.${method}()\` that can be published`, () => JSON.stringify(value));
  // What a codec makes of it may be JSON.
  return unsayable === undefined || encoder<unknown>(inner)(value).ok ? undefined : unsayable;
};

const oddRule = (rule: RuleDef, type: SchemaDef["type"]): string | undefined => {
  switch (rule.check) {
    case "min_length":
    case "min_size":
      return needCount(".min()", rule.minimum);
    case "max_length":
    case "max_size":
      return needCount(".max()", rule.maximum);
    case "length_equals":
      return needCount(".length()", rule.length);
    case "size_equals":
      return needCount(".size()", rule.size);
    case "greater_than":
      return needBound(rule.inclusive ? ".min()" : ".gt()", rule.value, type);
    case "less_than":
      return needBound(rule.inclusive ? ".max()" : ".lt()", rule.value, type);
    case "multiple_of":
      return typeof rule.value === (type === "bigint" ? "bigint" : "number") && rule.value > 0 && rule.value < Infinity
        ? undefined
        : `a number over 0 in \`.multipleOf()\`, ${where(rule.value)}`;
    case "string_format":
      return oddFormat(rule as unknown as Readonly<Record<string, unknown>>);
    case "overwrite":
      return needFunction(".overwrite()", rule.tx);
    default: {
      const { check, fn }: { readonly check?: unknown; readonly fn?: unknown } = rule;
      return check === "custom" && fn !== undefined ? needFunction(".refine()", fn) : undefined;
    }
  }
};

const oddFormat = ({
  format,
  pattern,
  prefix,
  suffix,
  includes,
}: Readonly<Record<string, unknown>>): string | undefined => {
  if (typeof format !== "string") return `a text as the name of the format, ${where(format)}`;
  if (format === "starts_with") return needText(".startsWith()", prefix);
  if (format === "ends_with") return needText(".endsWith()", suffix);
  if (format === "includes") return needText(".includes()", includes);
  return (format === "regex" || pattern !== undefined) && !(pattern instanceof RegExp)
    ? `a regular expression in ${format === "regex" ? "`.regex()`" : "`pattern`"}, ${where(pattern)}`
    : undefined;
};

const needCount = (method: string, value: unknown): string | undefined =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : `a whole number of 0 or more in \`${method}\`, ${where(value)}`;

const needBound = (method: string, value: unknown, type: SchemaDef["type"]): string | undefined => {
  if (type === "bigint") return typeof value === "bigint" ? undefined : `a bigint in \`${method}\`, ${where(value)}`;
  if (type === "date")
    return value instanceof Date && !Number.isNaN(value.getTime())
      ? undefined
      : `a Date in \`${method}\`, ${where(value)}`;
  return typeof value === "number" && !Number.isNaN(value) ? undefined : `a number in \`${method}\`, ${where(value)}`;
};

const needText = (method: string, value: unknown): string | undefined =>
  typeof value === "string" ? undefined : `a text in \`${method}\`, ${where(value)}`;

const needFunction = (method: string, value: unknown): string | undefined =>
  typeof value === "function"
    ? undefined
    : `a function in ${method.startsWith(".") ? `\`${method}\`` : method}, ${where(value)}`;

const tryOut = (expected: string, run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (failure) {
    return `${expected}, which fails with: ${failure instanceof Error ? failure.message : String(failure)}`;
  }
};

const where = (value: unknown): string => `where ${nameValue(value)} is`;

const nameValue = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "an invalid Date" : "a Date";
  if (value instanceof RegExp) return "a regular expression";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : String(value);
};
