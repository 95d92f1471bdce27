/**
 * What does not fit, in words: Zod's issues in the house's own shape. Each names the place, what was expected there and how to fix
 * it, and never repeats a value that was sent.
 *
 * Not here: finding issues, and how many of them are reported (`decoder.ts`).
 */
import * as z from "zod";
import type { $ZodErrorMap, $ZodIssue, $ZodRawIssue } from "zod/v4/core";
import { didYouMean } from "./did-you-mean.ts";
import type { Issue } from "./error.ts";
import { asZod4, type Schema } from "./schema/schema.ts";
import { issueDef, schemaDef, someSchema, wordIssue } from "./schema/zod-def.ts";
import { clip, pathText } from "./text.ts";

const maxTextLength = 200;
/** Unknown fields of one object that are reported, each with a search for what was meant. */
const maxKeys = 20;
/** Unknown fields that are looked at to find the branch of a union that was meant. */
const maxKeysWeighed = 3;

type UnionIssue = Extract<$ZodIssue, { readonly code: "invalid_union" }>;
type IssuePath = readonly PropertyKey[];

/** The object that an unknown field is in. Zod copies an issue when it words it, and drops the schema, but the array is the same. */
const objects = new WeakMap<readonly string[], object>();

/** For Zod to word issues by, in place of its own words. A message in the schema comes first. */
export const wording: $ZodErrorMap = (issue) => {
  const def = issueDef(issue);
  if (issue.code === "unrecognized_keys" && def !== undefined) objects.set(issue.keys, def);
  return plainWords(issue);
};

/** The words of an issue about a value that is not there: what was expected in its place is added where an issue is made of it. */
const missing = "missing";

/** What was expected, for every code that Zod has. Where an issue's own members say it better (`toIssues`), there are no words here. */
const plainWords = (issue: $ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case "invalid_type":
    case "invalid_value":
      return issue.input === undefined ? missing : undefined;
    case "invalid_union":
      return issue.input === undefined || lacksTag(issue) ? missing : undefined;
    case "invalid_format":
      return formatWords(issue);
    case "too_small":
      return boundWords(issue, issue.minimum, issue.inclusive === false ? "more than" : "at least");
    case "too_big":
      return boundWords(issue, issue.maximum, issue.inclusive === false ? "less than" : "at most");
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_key":
      return "a name that the contract allows";
    case "invalid_element":
      return "entries that fit the contract";
    default:
      return undefined;
  }
};

/** Whether the field that names the branch of a union is not there. */
const lacksTag = ({ input, discriminator }: $ZodRawIssue): boolean =>
  typeof discriminator === "string" &&
  typeof input === "object" &&
  input !== null &&
  Reflect.get(input, discriminator) === undefined;

/** What is counted in a value of this origin; a number, a date or the like is compared itself. */
const units: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ["character", "characters"],
  array: ["item", "items"],
  set: ["item", "items"],
  map: ["entry", "entries"],
  object: ["field", "fields"],
  file: ["byte", "bytes"],
};

const boundWords = (
  { origin, exact }: { readonly origin: string; readonly exact?: boolean },
  bound: number | bigint,
  relation: string,
): string => {
  const unit = units[origin];
  const compared = exact === true ? "exactly" : relation;
  if (unit !== undefined) return `${compared} ${bound} ${bound === 1 ? unit[0] : unit[1]}`;
  if (origin === "date") return `a date of ${compared} ${new Date(Number(bound)).toISOString()}`;
  return `a ${origin === "int" || origin === "bigint" ? "whole number" : "number"} of ${compared} ${bound}`;
};

/** Issues as a schema's run gives them, those of a union's branches worded already. */
export const fromRaw = (raw: readonly $ZodRawIssue[], base: IssuePath): readonly Issue[] =>
  raw.flatMap((issue) => toIssues(wordIssue(issue, wording), base));

/**
 * A union's issue is replaced by those of the branch that came nearest: of those that take such a value at all, the one with the fewest, deepest issues.
 * Where none does, it says what each takes.
 */
const toIssues = (issue: $ZodIssue, base: IssuePath): readonly Issue[] => {
  const path = [...base, ...issue.path];
  switch (issue.code) {
    case "invalid_union": {
      const tag = wrongTag(issue);
      if (tag !== undefined) return [expectedIssue(issue, [...path, ...tag.path], oneOf(tag.values))];
      if (issue.errors.length > 0 && issue.errors.every(isUnlike))
        return [expectedIssue(issue, path, anyOf(unlikeWords(issue.errors)))];
      const nearest = nearestBranch(issue.errors.filter((branch) => !isUnlike(branch)));
      return nearest === undefined
        ? [
            {
              path: pathText(path),
              expected: "one of the allowed shapes",
              fix: `change ${pathName(path)} so that it fits one`,
            },
          ]
        : nearest.flatMap((inner) => toIssues(inner, path));
    }
    case "unrecognized_keys":
      return unknownFields(path, issue.keys);
    case "invalid_value":
      return [expectedIssue(issue, path, oneOf(issue.values))];
    case "invalid_type":
      return [expectedIssue(issue, path, typeWords(issue.expected))];
    case "invalid_format":
      return [expectedIssue(issue, path, expectation(issue.message))];
    case "invalid_key": {
      const [inner] = issue.issues.flatMap((each) => toIssues(each, path));
      const expected = inner?.expected ?? expectation(issue.message);
      return [{ path: pathText(path), expected, fix: `rename ${pathName(path)}` }];
    }
    default:
      return [
        { path: pathText(path), expected: expectation(issue.message), fix: `change ${pathName(path)} so that it fits` },
      ];
  }
};

const unknownFields = (path: IssuePath, keys: readonly string[]): readonly Issue[] => {
  const known = fieldsBeside(keys);
  return keys.slice(0, maxKeys).map((key) => {
    const near = didYouMean(key, known);
    const fix =
      near === undefined ? `remove ${clip(JSON.stringify(key), 80)}, or check its spelling` : `did you mean ${near}?`;
    return { path: pathText([...path, key]), expected: "a known field", fix };
  });
};

/** The types whose names Zod alone uses, in words. */
const typeNames: Readonly<Record<string, string>> = {
  int: "a whole number",
  bigint: "a whole number",
  nan: "NaN",
  null: "null",
  record: "an object",
  nonoptional: "a value",
  never: "nothing",
  undefined: "nothing",
  void: "nothing",
};

/** The formats that have a name, in words. */
const formats: Readonly<Record<string, string>> = {
  url: "a URL, like https://example.com/page",
  email: "an e-mail address, like ada@example.com",
  uuid: "a UUID, like 123e4567-e89b-42d3-a456-426614174000",
  datetime: "a date and time, like 2026-01-31T12:00:00Z",
  date: "a date, like 2026-01-31",
  time: "a time of day, like 12:00:00",
  duration: "a duration, like PT1H30M",
  ipv4: "an IPv4 address, like 192.0.2.1",
  ipv6: "an IPv6 address, like 2001:db8::1",
  base64: "text in base64",
  base64url: "text in base64url",
};

type FormatIssue = Extract<$ZodRawIssue, { readonly code: "invalid_format" }>;

/** What the schema itself says of the text helps most: its examples, its description; a pattern alone is the last resort. */
const formatWords = ({ format, pattern, prefix, suffix, includes, schema }: FormatIssue): string => {
  const { description, examples } = { ...(schema !== undefined && z.globalRegistry.get(schema)) };
  const like = Array.isArray(examples) && examples.length > 0 ? `, like ${literal(examples[0])}` : "";
  const named = formats[format];
  if (named !== undefined) return like === "" ? named : `${named.split(", like ")[0]}${like}`;
  if (format === "starts_with") return `text that starts with ${literal(prefix)}`;
  if (format === "ends_with") return `text that ends with ${literal(suffix)}`;
  if (format === "includes") return `text that has ${literal(includes)} in it`;
  if (format !== "regex") return `text of the form ${format}${like}`;
  const about = typeof description === "string" ? ` (${description.replace(/\.$/, "")})` : "";
  return `text that matches ${pattern ?? "the contract's pattern"}${like}${about}`;
};

const oneOf = (values: readonly unknown[]): string =>
  values.length === 1 ? literal(values[0]) : `one of ${values.map(literal).join(", ")}`;

/** A literal as it must be sent: a number is not text. */
const literal = (value: unknown): string =>
  typeof value === "bigint" || typeof value === "symbol"
    ? JSON.stringify(String(value))
    : JSON.stringify(value ?? null);

/** One of the values that name a union's branches, in the same field of each: it was none of them. */
interface WrongTag {
  /** Below the union. */
  readonly path: IssuePath;
  readonly values: readonly unknown[];
}

/** The field that no branch of a union accepts, with what any of them would; none where a branch differs otherwise. */
const wrongTag = (issue: UnionIssue): WrongTag | undefined => {
  if ("options" in issue) return issue.options && { path: [], values: issue.options };
  const tags = issue.errors.map((branch) =>
    branch.find(({ code, path }) => code === "invalid_value" && path.length === 1),
  );
  const [name] = tags[0]?.path ?? [];
  if (name === undefined || !tags.every((tag) => tag?.path[0] === name)) return undefined;
  const values = tags.flatMap((tag) => (tag?.code === "invalid_value" ? tag.values : []));
  return { path: [name], values: [...new Set(values)] };
};

/** A branch that takes no value of that type, or none of that words: what else it says of it is of no use. */
const isUnlike = (branch: readonly $ZodIssue[]): boolean =>
  branch.some(
    (issue) =>
      issue.path.length === 0 &&
      (issue.code === "invalid_type" ||
        issue.code === "invalid_value" ||
        (issue.code === "invalid_union" && issue.errors.length > 0 && issue.errors.every(isUnlike))),
  );

/** What branches take, each once; single values of all of them are one list. */
const unlikeWords = (branches: readonly (readonly $ZodIssue[])[]): readonly string[] => {
  const issues = refusalsIn(branches);
  const values = issues.flatMap((issue) => (issue.code === "invalid_value" ? issue.values : []));
  const types = issues.flatMap((issue) => (issue.code === "invalid_type" ? [typeWords(issue.expected)] : []));
  return [...(values.length === 0 ? [] : [oneOf([...new Set(values)])]), ...new Set(types)];
};

const refusalsIn = (branches: readonly (readonly $ZodIssue[])[]): readonly $ZodIssue[] =>
  branches
    .flat()
    .filter(({ path }) => path.length === 0)
    .flatMap((issue) => (issue.code === "invalid_union" ? refusalsIn(issue.errors) : [issue]));

const anyOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? "another value") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

const nearestBranch = (branches: readonly (readonly $ZodIssue[])[]): readonly $ZodIssue[] | undefined =>
  branches
    .filter((branch) => branch.length > 0)
    .map((branch) => ({ branch, faults: branch.length - countMisspelt(branch), depth: deepest(branch) }))
    .toSorted((a, b) => a.faults - b.faults || b.depth - a.depth)[0]?.branch;

/** A misspelt field is two issues, one that is missing and one that is unknown, but one fault. */
const countMisspelt = (branch: readonly $ZodIssue[]): number =>
  branch.filter(
    (issue) =>
      issue.code === "unrecognized_keys" &&
      issue.keys.slice(0, maxKeysWeighed).some((key) => didYouMean(key, fieldsBeside(issue.keys)) !== undefined),
  ).length;

/** The fields that the schema knows where these unknown ones are. */
const fieldsBeside = (keys: readonly string[]): readonly string[] => {
  const { shape } = (objects.get(keys) ?? {}) as { readonly shape?: object };
  return Object.keys(shape ?? {});
};

const deepest = (issues: readonly $ZodIssue[]): number =>
  issues.reduce((depth, { path }) => Math.max(depth, path.length), 0);

const expectedIssue = ({ message }: $ZodIssue, path: IssuePath, expected: string): Issue => {
  const fix =
    message === missing ? `${pathName(path)} is missing: give it ${expected}` : `give ${pathName(path)} ${expected}`;
  return { path: pathText(path), expected: clip(expected, maxTextLength), fix: clip(fix, maxTextLength) };
};

const typeWords = (expected: string): string => typeNames[expected] ?? article(expected);

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);

/** A rule of the contract's own without a message has Zod's sentence, which says nothing. */
const expectation = (message: string): string =>
  clip(message === "Invalid input" ? "what the contract describes" : message, maxTextLength);

const pathName = (path: IssuePath): string => (path.length === 0 ? "the input" : `\`${pathText(path)}\``);

/** The names of all fields that an input may have, at any depth: what a refusal may repeat. */
export const fieldNames = (schema: Schema): ReadonlySet<string> => {
  const names = new Set<string>();
  someSchema(asZod4(schema), (inner) => {
    const def = schemaDef(inner);
    if (def.type === "object") for (const name of Object.keys(def.shape)) names.add(name);
    return false;
  });
  return names;
};
