/**
 * One Zod schema on its own, beside what Zod's converter says of it: what the converter loses is added to the JSON Schema, and what can
 * never work is a problem with its place.
 *
 * Not here: converting (`lower`), and the codes and words around a problem (`check/schema`).
 */
import { encodingSchema } from "@fairlead/contracts";
import { type SchemaDef, someSchema, withDef } from "@fairlead/contracts/zod-def";
import {
  type $ZodCheck,
  type $ZodPipeDef,
  type $ZodType,
  type $ZodTypes,
  globalRegistry,
  toJSONSchema,
} from "zod/v4/core";
import { suggestReplacement } from "./converted.ts";
import type { Draft, Problem } from "./draft.ts";
import { patternSource } from "./regex-flags.ts";
import { adjustDefault } from "./zod-default.ts";
import { adjustRecord } from "./zod-record.ts";
import { sayableRules, stringboolWords } from "./zod-wire.ts";

/** Adds to the JSON Schema, and gives what is wrong. */
export const adjustNode = (schema: $ZodTypes, json: Draft, side: "input" | "output"): readonly Problem[] => {
  const { def } = schema._zod;
  const half = def.type === "pipe" ? addSecondHalf(def, json, side) : [];
  addWords(schema, json, side);
  if (side === "input") leaveOutLateRules(schema, json);
  addProtocol(def, json);
  if (def.type === "readonly" && globalRegistry.get(schema)?.readOnly !== true) delete json.readOnly;
  const odd = def.type === "record" ? adjustRecord(def, json, side) : [];
  return [...half, ...odd, ...writeFlags(schema, json), ...findAsync(schema), ...adjustDefault(schema, json, side)];
};

/**
 * The converter says of `a.pipe(b)` what one half says: the first of an input. What the other one has on the wire holds as well, where the first hands on what it was
 * given and the other is not kinder than its words.
 */
const addSecondHalf = (def: $ZodPipeDef, json: Draft, side: "input" | "output"): readonly Problem[] => {
  if (def.reverseTransform !== undefined) return [];
  const [first, other] = side === "input" ? [def.in, def.out] : [def.out, def.in];
  if (side === "output" && coercedType(other) !== undefined && coercedType(other) !== json.type) return [oneWay];
  if (encodingSchema(first) !== first || someSchema(first, isChanging) || someSchema(other, isKind)) return [];
  const problems: Problem[] = [];
  const { $schema: _, ...whole } = toJSONSchema(other, {
    io: side,
    // Of an input, a transform is what comes after all that is sent.
    unrepresentable: ({ zodSchema }) => {
      const { type } = (zodSchema as $ZodTypes)._zod.def;
      if (side === "output") problems.push(unrepresentable(type));
      return "any";
    },
    override: ({ zodSchema, jsonSchema }) => void problems.push(...adjustNode(zodSchema, jsonSchema, side)),
  });
  const rest = withFittingBranches(whole, json.type);
  const isSaid = Object.entries(rest).every(([key, value]) => JSON.stringify(json[key]) === JSON.stringify(value));
  if (!isSaid && !JSON.stringify(rest).includes('"$ref"'))
    json.allOf = [...(Array.isArray(json.allOf) ? json.allOf : []), rest];
  return problems;
};

/** The type that a schema makes of any other one. */
const coercedType = (schema: $ZodType): string | undefined => {
  const { def } = (schema as $ZodTypes)._zod;
  return "coerce" in def && def.coerce === true ? def.type : undefined;
};

const oneWay: Problem = {
  kind: "transform",
  message: "what is coerced to another type has no way back to what was sent",
  fix: suggestReplacement("transform"),
};

/** A branch of another type than the first half has never counts, and strict readers refuse it there. */
const withFittingBranches = (schema: Draft, type: unknown): Draft => {
  if (Array.isArray(schema.type) && schema.type.includes(type)) return { ...schema, type };
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf) || typeof type !== "string") return schema;
  const fitting = anyOf.filter((branch) => branch.type === undefined || branch.type === type);
  const [only, another] = fitting;
  return another === undefined ? { ...only, ...rest } : { ...rest, anyOf: fitting };
};

const unrepresentable = (type: string): Problem => ({
  kind: "transform",
  message: `\`${type}\` has no form in JSON Schema`,
  fix: suggestReplacement(type),
});

const isChanging = ({ _zod: { def } }: $ZodType): boolean =>
  (def.checks ?? []).some(({ _zod }) => _zod.def.check === "overwrite");

const isKind = (schema: $ZodType): boolean => {
  const { def } = (schema as $ZodTypes)._zod;
  return def.type === "catch" || ("coerce" in def && def.coerce === true);
};

/** The words of a stringbool: those that it takes, or the two that it gives. */
const addWords = (schema: $ZodTypes, json: Draft, side: "input" | "output"): void => {
  const words = stringboolWords(schema);
  if (words === undefined) return;
  const { truthy, falsy, exact } = words;
  if (side === "output") json.enum = [truthy[0] ?? "true", falsy[0] ?? "false"];
  else if (exact) json.enum = [...new Set([...truthy, ...falsy])];
  else json.pattern = patternSource({ source: `^(?:${[...truthy, ...falsy].map(escapeText).join("|")})$`, flags: "i" });
};

const escapeText = (text: unknown): string => String(text).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** What rules may say of a value that another function has changed before, like a maximum after `.trim()`, is not about what is sent. */
const leaveOutLateRules = (schema: $ZodTypes, json: Draft): void => {
  const { def } = schema._zod;
  const rules = def.checks ?? [];
  const kept = sayableRules(rules);
  if (!rules.some(({ _zod }) => _zod.def.check === "overwrite") || kept.length === rules.length) return;
  const early = toJSONSchema(withDef(schema, { ...def, checks: kept } as SchemaDef), {
    io: "input",
    unrepresentable: "any",
  });
  for (const keyword of limits) delete json[keyword];
  Object.assign(
    json,
    Object.fromEntries(limits.map((keyword) => [keyword, early[keyword]]).filter(([, value]) => value !== undefined)),
  );
};

const limits = [
  ...["minLength", "maxLength", "pattern", "allOf", "format", "contentEncoding", "minItems", "maxItems"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
] as const;

/** The protocols that a URL may have, like those of `z.httpUrl()`. Of its host no pattern can speak: it may be written in other letters. */
const addProtocol = (def: $ZodTypes["_zod"]["def"], json: Draft): void => {
  if (def.type !== "string" || !("protocol" in def) || !(def.protocol instanceof RegExp)) return;
  const [, protocol] = /^\^([^^$|]*)\$$/.exec(def.protocol.source) ?? [];
  if (protocol === undefined || def.protocol.flags !== "") return;
  json.pattern = patternSource({ source: `^\\s*${protocol}:`, flags: "i" });
};

/** The type of a template literal, and the pattern by which it is found. */
export const readTemplate = (schema: $ZodTypes): readonly [pattern: string, type: string] | undefined => {
  const { def, pattern } = schema._zod;
  return def.type === "template_literal" && pattern instanceof RegExp
    ? [patternSource(pattern) ?? pattern.source, templateType(def.parts)]
    : undefined;
};

type TemplatePart = Extract<$ZodTypes["_zod"]["def"], { readonly type: "template_literal" }>["parts"][number];

const templateType = (parts: readonly TemplatePart[]): string => {
  const pieces = parts.flatMap(holesIn);
  const texts = pieces.reduce((product, piece) => product * (typeof piece === "string" ? 1 : textsIn(piece)), 1);
  const printed = pieces.map((piece) => {
    if (typeof piece === "string") return piece;
    return piece.size === 0 || texts > mostTexts ? `\${string}` : `\${${[...piece].join(" | ")}}`;
  });
  return `\`${printed.join("")}\``;
};

/** Texts that the compiler would count one by one for a template; it refuses 100,000. */
const mostTexts = 10_000;

/** The compiler takes any text, and any number, for one; a boolean for two. */
const textsIn = (hole: ReadonlySet<string>): number => Math.max(1, hole.size + (hole.has("boolean") ? 1 : 0));

/** Text, or what may be in a hole: nothing in it for any text. */
const holesIn = (part: TemplatePart): readonly (string | ReadonlySet<string>)[] => {
  if (typeof part !== "object" || part === null) return [quoteInTemplate(String(part))];
  const { def } = (part as $ZodTypes)._zod;
  if (def.type === "template_literal") return def.parts.flatMap(holesIn);
  return [new Set(holeTypes(part as $ZodTypes))];
};

/** What may be in a hole; `undefined` for any text, as for a `bigint`, which Zod takes with an `n` at its end, too. */
const holeTypes = (schema: $ZodTypes): readonly string[] | undefined => {
  const { def } = schema._zod;
  switch (def.type) {
    case "number":
      return ["number"];
    case "boolean":
    case "null":
    case "undefined":
      return [def.type];
    case "literal":
      return def.values.map((value) => (typeof value === "string" ? quoteInHole(value) : String(value)));
    case "enum":
      return Object.values(def.entries).map(quoteInHole);
    case "nullable":
    case "optional": {
      const types = holeTypes(def.innerType as $ZodTypes);
      return types === undefined ? undefined : [...types, def.type === "nullable" ? "null" : '""'];
    }
    case "union": {
      const types = def.options.map((option) => holeTypes(option as $ZodTypes));
      return types.every((each) => each !== undefined) ? types.flat() : undefined;
    }
    default:
      return undefined;
  }
};

/** A backtick in it would look like the end of the whole to who reads it by a regular expression. */
const quoteInHole = (value: unknown): string => JSON.stringify(value).replaceAll("`", "\\u0060");

const quoteInTemplate = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replace(/`|\$(?=\{)/g, "\\$&");

type Rule = $ZodCheck["_zod"]["def"] & { readonly pattern?: unknown; readonly fn?: unknown };

const rules = ({ _zod: { def } }: $ZodTypes): readonly Rule[] => [
  def as unknown as Rule,
  ...(def.checks ?? []).map((check) => check._zod.def as Rule),
];

const writeFlags = (schema: $ZodTypes, json: Draft): readonly Problem[] => {
  const problems: Problem[] = [];
  const own = schema._zod.def.type === "template_literal" ? [schema._zod.pattern] : [];
  for (const pattern of [...own, ...rules(schema).map((rule) => rule.pattern)]) {
    if (!(pattern instanceof RegExp)) continue;
    const source = patternSource(pattern);
    if (source === undefined) {
      problems.push(unsayable(pattern));
      continue;
    }
    if (json.pattern === pattern.source) json.pattern = source;
    if (Array.isArray(json.allOf))
      json.allOf = json.allOf.map((part) => (part.pattern === pattern.source ? { ...part, pattern: source } : part));
  }
  return problems;
};

const unsayable = (pattern: RegExp): Problem =>
  /[imsyv]/.test(pattern.flags)
    ? {
        kind: "pattern",
        message: `JSON Schema cannot say the flags of ${pattern}, so that clients would refuse other texts than the kernel`,
        fix: "write it without flags, like [Aa] for a letter of either case",
      }
    : {
        kind: "pattern",
        message: `readers of JSON Schema compile ${pattern} with the flag u, where it is an error or finds other texts`,
        fix: "write it with the flag u: no escape but of what needs one, \\u{…} and \\p{…} for characters and their kinds, and no octal number",
      };

const asyncProblem: Problem = {
  kind: "async",
  message: "the schema has an async function, and decoding does not wait: every call would fail",
  fix: "check what needs waiting in the handler",
};

const findAsync = (schema: $ZodTypes): readonly Problem[] => {
  const { def } = schema._zod;
  const functions: unknown[] = rules(schema).map(({ fn }) => fn);
  if (def.type === "transform") functions.push(def.transform);
  if (def.type === "pipe")
    functions.push(def.transform, def.reverseTransform, transformIn(def.in), transformIn(def.out));
  return functions.some((each) => Object.prototype.toString.call(each) === "[object AsyncFunction]")
    ? [asyncProblem]
    : [];
};

/** The converter leaves out a transform that is one half of a pipe. */
const transformIn = (half: $ZodPipeDef["in"]): unknown => {
  const { def } = (half as $ZodTypes)._zod;
  return def.type === "transform" ? def.transform : undefined;
};
