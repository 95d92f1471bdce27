/**
 * A record of Zod on its own, beside what Zod's converter says of it: keys that are no text once they are decoded, and a loose record, which leaves
 * other keys alone.
 *
 * Not here: members by name (`standard-words`).
 */
import type { $ZodRecordDef, $ZodType, $ZodTypes } from "zod/v4/core";
import type { SchemaSide } from "./converted.ts";
import type { Draft, Problem } from "./draft.ts";
import { patternSource } from "./regex-flags.ts";

export const adjustRecord = (def: $ZodRecordDef, json: Draft, side: SchemaSide): readonly Problem[] => {
  if (side === "output" && mayBeAbsent(def.valueType)) delete json.required;
  const odd = oddKey(def.keyType, side);
  if (odd !== undefined) {
    const message = `the keys of a record are text, and those of this one are of type ${odd} once they are decoded`;
    return [{ kind: "key", message, fix: "use codecs.map(key, value), which is a list of pairs on the wire" }];
  }
  if (isLimitedNumber(def.keyType)) {
    const message = "JSON Schema cannot say the limits of keys that are numbers";
    return [
      {
        kind: "key",
        message,
        fix: "list the keys, like z.partialRecord(z.literal([1, 2]), value), or use codecs.map(key, value)",
      },
    ];
  }
  return def.mode === "loose" ? loosen(def.keyType, json) : [];
};

const isLimitedNumber = (schema: $ZodType): boolean => {
  const { def } = (schema as $ZodTypes)._zod;
  return (
    def.type === "number" &&
    (def.checks ?? []).some(({ _zod }) => _zod.def.check !== "number_format" && _zod.def.check !== "custom")
  );
};

/** The converter takes a member that is `undefined` for one that is there; on the wire it is not. */
const mayBeAbsent = ({ _zod: { optout } }: $ZodType): boolean => optout === "optional";

/** Types that a key may have; what has no words at all is reported as such. */
const keyTypes: ReadonlySet<string> = new Set([
  ...["string", "number", "int", "enum", "template_literal", "any", "unknown", "never"],
  ...["custom", "transform", "undefined", "void", "symbol", "date", "bigint", "function", "file", "promise", "nan"],
]);

/** The type of a key that could not be written down again. Of a codec it is that of its values. */
const oddKey = (schema: $ZodType, side: SchemaSide): string | undefined => {
  const { def } = (schema as $ZodTypes)._zod;
  switch (def.type) {
    case "pipe": {
      const value = side === "input" ? def.out : def.in;
      const { type } = (value as $ZodTypes)._zod.def;
      return def.reverseTransform !== undefined && !isTextual(type) ? type : oddKey(value, side);
    }
    case "union":
      return def.options.map((option) => oddKey(option, side)).find((odd) => odd !== undefined);
    case "intersection":
      return oddKey(def.left, side);
    case "literal": {
      const odd = def.values.find((value) => !["string", "number"].includes(typeof value));
      return odd === undefined ? undefined : odd === null ? "null" : typeof odd;
    }
    case "lazy":
      return oddKey(def.getter(), side);
    case "optional":
    case "nullable":
    case "nonoptional":
    case "default":
    case "prefault":
    case "catch":
    case "readonly":
      return oddKey(def.innerType, side);
    default:
      return keyTypes.has(def.type) ? undefined : def.type;
  }
};

const isTextual = (type: string): boolean =>
  ["string", "number", "int", "enum", "literal", "template_literal", "pipe", "union"].includes(type);

/** Only keys that fit are held to the value; the converter holds all of them to the keys, but for those by one pattern. */
const loosen = (keyType: $ZodType, json: Draft): readonly Problem[] => {
  const value = json.additionalProperties ?? Object.values(Object(json.patternProperties))[0];
  for (const keyword of ["additionalProperties", "patternProperties", "propertyNames"]) delete json[keyword];
  const { values } = keyType._zod;
  if (values !== undefined) {
    json.properties = Object.fromEntries([...values].map((name) => [String(name), value]));
    return [];
  }
  if (isAnyText(keyType)) {
    json.additionalProperties = value;
    return [];
  }
  const pattern = onlyPattern(keyType);
  const source = pattern === undefined ? undefined : patternSource(pattern);
  if (source === undefined) {
    const message = "JSON Schema cannot say which keys of a loose record are held to its value";
    return [{ kind: "key", message, fix: "give the keys by one pattern or by a list of names, or use z.record()" }];
  }
  json.patternProperties = { [source]: value };
  return [];
};

const isAnyText = (schema: $ZodType): boolean => {
  const { def } = (schema as $ZodTypes)._zod;
  return def.type === "string" && !("format" in def) && (def.checks ?? []).length === 0;
};

/** The one rule of a text, where it is a pattern. */
const onlyPattern = (schema: $ZodType): RegExp | undefined => {
  const { def, pattern } = (schema as $ZodTypes)._zod;
  if (def.type === "template_literal") return pattern;
  if (def.type !== "string") return undefined;
  const [rule, ...more] = [...("format" in def ? [def] : []), ...(def.checks ?? []).map(({ _zod }) => _zod.def)];
  return more.length === 0 && rule !== undefined && "pattern" in rule && rule.pattern instanceof RegExp
    ? rule.pattern
    : undefined;
};
