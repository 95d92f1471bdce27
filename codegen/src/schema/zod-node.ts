/**
 * One Zod schema on its own, beside what Zod's converter says of it: what the converter loses is added to the JSON Schema, and what can
 * never work is a problem with its place.
 *
 * Not here: converting (`lower`), and the codes and words around a problem (`check/schema`).
 */
import { decoder, encoder, encodingSchema } from "@fairlead/contracts";
import { type SchemaDef, withDef } from "@fairlead/contracts/zod-def";
import {
  type $ZodCheck,
  type $ZodPipeDef,
  type $ZodType,
  type $ZodTypes,
  globalRegistry,
  toJSONSchema,
} from "zod/v4/core";
import { patternSource } from "./regex-flags.ts";
import { sayableRules, stringboolWords } from "./zod-wire.ts";

/** Something in a schema that cannot work, whatever is sent. */
export interface SchemaProblem {
  readonly kind: "default" | "async" | "pattern" | "duplicate_id" | "unreadable";
  /** Field path from the schema's root. */
  readonly path: string;
  readonly message: string;
  readonly fix: string;
}

type Problem = Omit<SchemaProblem, "path">;

/** A JSON Schema that is still being made. */
interface Draft {
  pattern?: string | undefined;
  allOf?: unknown;
  [keyword: string]: unknown;
}

/** Adds to the JSON Schema, and gives what is wrong. */
export const adjustNode = (schema: $ZodTypes, json: Draft, side: "input" | "output"): readonly Problem[] => {
  const { def } = schema._zod;
  if (def.type === "pipe") addSecondHalf(def, json, side);
  addWords(schema, json, side);
  if (side === "input") leaveOutLateRules(schema, json);
  addProtocol(def, json);
  if (def.type === "readonly" && globalRegistry.get(schema)?.readOnly !== true) delete json.readOnly;
  if (side === "output" && def.type === "record" && mayBeAbsent(def.valueType)) delete json.required;
  return [...writeFlags(schema, json), ...findAsync(schema), ...findBadDefault(schema)];
};

/** The converter takes a member that is `undefined` for one that is there; on the wire it is not. */
const mayBeAbsent = ({ _zod: { optout } }: $ZodType): boolean => optout === "optional";

/** The converter says of `a.pipe(b)` what one half says. Both hold on both sides, unless something in one of them changes the value. */
const addSecondHalf = (def: $ZodPipeDef, json: Draft, side: "input" | "output"): void => {
  if (def.reverseTransform !== undefined || [def.in, def.out].some((half) => encodingSchema(half) !== half)) return;
  const other = side === "input" ? def.out : def.in;
  const { $schema: _, ...rest } = toJSONSchema(other, { io: side, unrepresentable: "any" });
  if (JSON.stringify(rest).includes('"$ref"') || Object.keys(rest).length === 0) return;
  if (Object.entries(rest).every(([keyword, value]) => JSON.stringify(json[keyword]) === JSON.stringify(value))) return;
  json.allOf = [...(Array.isArray(json.allOf) ? json.allOf : []), rest];
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
    ? [pattern.source, templateType(def.parts)]
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
  for (const { pattern } of rules(schema)) {
    if (!(pattern instanceof RegExp)) continue;
    const source = patternSource(pattern);
    if (source === undefined) {
      const message = `JSON Schema cannot say the flags of ${pattern}, so that clients would refuse other texts than the kernel`;
      problems.push({ kind: "pattern", message, fix: "write it without flags, like [Aa] for a letter of either case" });
      continue;
    }
    if (json.pattern === pattern.source) json.pattern = source;
    if (Array.isArray(json.allOf))
      json.allOf = json.allOf.map((part) => (part.pattern === pattern.source ? { ...part, pattern: source } : part));
  }
  return problems;
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

const findBadDefault = ({ _zod: { def } }: $ZodTypes): readonly Problem[] => {
  if (def.type !== "default" && def.type !== "prefault") return [];
  const [issue] = tryValue(def.type === "default" ? encoder(def.innerType) : decoder(def.innerType), def.defaultValue);
  if (issue === undefined) return [];
  const at = issue.path === "" ? "" : ` at \`${issue.path}\``;
  return [
    {
      kind: "default",
      message: `the default is not a value of its own schema${at}, which expects ${issue.expected}`,
      fix: "give a default that fits",
    },
  ];
};

/** A schema that throws is found elsewhere. */
const tryValue = (decode: ReturnType<typeof decoder>, value: unknown) => {
  try {
    const decoded = decode(value);
    return decoded.ok ? [] : decoded.issues;
  } catch {
    return [];
  }
};
