/**
 * Settings that are secret: how a schema marks them, which texts of a configuration they are, and how those are taken out of whatever is written.
 *
 *     config: z.object({ apiKey: z.string().meta(secret).describe("Key of the weather service") })
 *
 * A text of fewer than eight characters is left alone: it would be found in any text. Pure.
 */
import * as z from "zod";
import type { $ZodType } from "zod/v4/core";
import { asZod4, type Schema } from "./schema.ts";
import { schemaDef } from "./zod-def.ts";

const secretKey = "x-secret";

/** For `.meta()` of a setting's schema: what it holds is shown nowhere. Of an object or a list, every text in it. */
export const secret = { [secretKey]: true } as const;

const shortest = 8;

/** A text that its schema marks as secret, and where it is. */
interface SecretText {
  readonly text: string;
  readonly path: readonly PropertyKey[];
}

/** The texts of a value that its schema marks as secret. `value` may be the one that is sent, the decoded one, or neither. */
export const secretTexts = (schema: Schema, value: unknown): readonly string[] => {
  const texts = collect(asZod4(schema), value, []).map(({ text }) => text);
  return [...new Set(texts.filter((text) => text.length >= shortest))];
};

/** Paths of the secret settings that are too short to be taken out of texts; an empty one is no secret. `at` is where the value is. */
export const shortSecrets = (
  schema: Schema,
  value: unknown,
  at: readonly PropertyKey[] = [],
): readonly (readonly PropertyKey[])[] =>
  collect(asZod4(schema), value, at)
    .filter(({ text }) => text !== "" && text.length < shortest)
    .map(({ path }) => path);

/** A schema that holds itself ends with the value: each step goes into it, but for those of `inside`. */
const collect = (schema: $ZodType, value: unknown, path: SecretText["path"]): readonly SecretText[] => {
  if (value === undefined || value === null) return [];
  if (z.globalRegistry.get(schema)?.[secretKey] === true) return allTexts(value, path);
  const def = schemaDef(schema);
  const each = (inner: $ZodType): readonly SecretText[] =>
    members(value).flatMap(([key, one]) => collect(inner, one, [...path, key]));
  switch (def.type) {
    case "object": {
      const fields = Object.entries(def.shape);
      const known = fields.flatMap(([name, field]) => collect(field, member(value, name), [...path, name]));
      return def.catchall === undefined ? known : [...known, ...each(def.catchall)];
    }
    case "record":
      return each(def.valueType);
    case "array":
      return each(def.element);
    case "tuple":
      return members(value).flatMap(([, one], at) => {
        const item = def.items[at] ?? def.rest;
        return item === null ? [] : collect(item, one, [...path, at]);
      });
    default:
      return inside(def).flatMap((inner) => collect(inner, value, path));
  }
};

/** Schemas that are about the same value. */
const inside = (def: ReturnType<typeof schemaDef>): readonly $ZodType[] => {
  switch (def.type) {
    case "union":
      return def.options;
    case "intersection":
      return [def.left, def.right];
    case "pipe":
      return [def.in, def.out];
    case "lazy":
      return [def.getter()];
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "nonoptional":
    case "catch":
    case "readonly":
      return [def.innerType];
    default:
      return [];
  }
};

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

/** What is in an object or a list, by its name or place. */
const members = (value: unknown): readonly (readonly [key: PropertyKey, value: unknown])[] => {
  if (Array.isArray(value)) return [...value.entries()];
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
};

const allTexts = (value: unknown, path: SecretText["path"]): readonly SecretText[] =>
  typeof value === "string"
    ? [{ text: value, path }]
    : members(value).flatMap(([key, one]) => allTexts(one, [...path, key]));

/** Takes secrets out of texts. It learns of them while it is used: settings may change. */
export interface Redactor {
  add(secrets: readonly string[]): void;
  /** The text with `[redacted]` in place of every secret, whichever way it is written. */
  text(text: string): string;
  /** The same for all texts and keys in a value of JSON. The value itself where there is no secret. */
  json<T>(value: T): T;
}

export const makeRedactor = (secrets: readonly string[] = []): Redactor => {
  const known = new Set<string>();
  let spellings: readonly string[] = [];
  const add: Redactor["add"] = (more) => {
    for (const each of more) if (each.length >= shortest) for (const spelling of spell(each)) known.add(spelling);
    // The longest first: one may be the beginning of another.
    spellings = [...known].toSorted((a, b) => b.length - a.length);
  };
  const text = (written: string): string => {
    let clean = written;
    for (const spelling of spellings) if (clean.includes(spelling)) clean = clean.replaceAll(spelling, mark);
    return clean;
  };
  add(secrets);
  return {
    add,
    text,
    // A replaced text has the type of the one that was there.
    json: (value) => (spellings.length === 0 ? value : (redactJson(value, text) as typeof value)),
  };
};

const mark = "[redacted]";

const redactJson = (value: unknown, text: (written: string) => string): unknown => {
  if (typeof value === "string") return text(value);
  if (Array.isArray(value)) return value.map((each) => redactJson(each, text));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [text(key), redactJson(each, text)]));
};

/** All the ways in which a secret is written: as it is, in JSON, in an address or a form, in base64. */
const spell = (secret: string): readonly string[] => {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const escaped = encodeURIComponent(secret.toWellFormed());
  const plain = [
    secret,
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    asciiOnly(inJson),
    inJson.replaceAll("/", String.raw`\/`),
    encodeURI(secret.toWellFormed()),
    escaped,
    escaped.replaceAll(/[!'()*]/g, hex),
    escaped.replaceAll("%20", "+"),
    new URLSearchParams([["", secret]]).toString().slice(1),
  ];
  return [
    ...plain,
    ...plain.map((each) => each.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    ...base64Parts(secret),
  ].filter((each) => each.length >= shortest);
};

const asciiOnly = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

const hex = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/**
 * The secret as the whole of a base64 text, and inside of one, as in `Basic` credentials: there its first and last characters depend on what
 * is beside it, and those between on how many bytes come before.
 */
const base64Parts = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret);
  const parts = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return padded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [bytes.toString("base64"), bytes.toString("base64").replaceAll("=", ""), ...parts].flatMap((part) => [
    part,
    part.replaceAll("+", "-").replaceAll("/", "_"),
  ]);
};
