/**
 * Texts for a JSON Schema that a person can read: of its format, of its pattern, or words that fit the field's name.
 *
 * Not here: every other type (`value`).
 */
import fc from "fast-check";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { SeededRandom } from "./random.ts";

/** A text for a schema of strings; `name` is the field's. It may break a rule that only the schema's author can check. */
export const sampleText = (schema: JsonSchema, name: string, random: SeededRandom): string => {
  const { format, pattern } = schema;
  const [least, most] = [readLength(schema.minLength, 0), readLength(schema.maxLength, 4_000)];
  const fits = (text: string): boolean => text.length >= least && text.length <= most && matches(text, pattern);
  const formatted = typeof format === "string" ? formats[format]?.(random) : undefined;
  if (formatted !== undefined && fits(formatted)) return formatted;
  const worded = clip(wordsFor(name, random), least, most);
  if (formatted === undefined && fits(worded)) return worded;
  if (pattern === undefined) return formatted ?? worded;
  const made = matchingText(pattern, random, { least, most });
  return (
    made ??
    Object.values(formats)
      .map((make) => make(random))
      .find(fits) ??
    worded
  );
};

const readLength = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);

const matches = (text: string, pattern: string | undefined): boolean =>
  pattern === undefined || readPattern(pattern)?.test(text) === true;

/** Nothing for what is no pattern here. */
const readPattern = (pattern: string): RegExp | undefined => {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
};

const clip = (text: string, least: number, most: number): string =>
  text.slice(0, most).trimEnd().padEnd(Math.min(least, most), "x");

const pad = (value: number): string => String(value).padStart(2, "0");

const day = (random: SeededRandom): string =>
  `${random.between(2020, 2029)}-${pad(random.between(1, 12))}-${pad(random.between(1, 28))}`;

const clock = (random: SeededRandom): string =>
  `${pad(random.between(0, 23))}:${pad(random.between(0, 59))}:${pad(random.between(0, 59))}`;

const hex = (random: SeededRandom, count: number): string =>
  Array.from({ length: count }, () => random.between(0, 15).toString(16)).join("");

type MakeText = (random: SeededRandom) => string;

/** Texts of JSON Schema's formats. Hosts and addresses are of the ranges that documents may use. */
const formats: Readonly<Record<string, MakeText>> = {
  "date-time": (random) => `${day(random)}T${clock(random)}Z`,
  date: day,
  time: clock,
  duration: (random) => `PT${random.between(1, 59)}M`,
  email: (random) => `${random.pick(people).toLowerCase()}@example.com`,
  uri: (random) => `https://example.com/${random.pick(nouns)}/${random.between(1, 999)}`,
  hostname: (random) => `${random.pick(nouns)}.example.com`,
  ipv4: (random) => `192.0.2.${random.between(1, 254)}`,
  ipv6: (random) => `2001:db8::${hex(random, 4)}`,
  uuid: (random) =>
    `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${random.pick(["8", "9", "a", "b"])}${hex(random, 3)}-${hex(random, 12)}`,
};

const people = ["Ada", "Grace", "Linus", "Mary", "Alan", "Edith", "Niklaus", "Barbara", "Dennis", "Radia"] as const;
const nouns = [
  "harbour",
  "lantern",
  "meadow",
  "anchor",
  "copper",
  "willow",
  "ember",
  "quarry",
  "rudder",
  "orchard",
] as const;
const adjectives = ["quiet", "bright", "early", "narrow", "steady", "plain", "brave", "late", "green", "tall"] as const;

const hints: readonly (readonly [name: RegExp, make: MakeText])[] = [
  [/e-?mail/i, (random) => formats.email?.(random) ?? ""],
  [/(?:url|uri|link|href)$/i, (random) => formats.uri?.(random) ?? ""],
  [/(?:At|_at|date|time)$/, (random) => formats["date-time"]?.(random) ?? ""],
  [/(?:^id|Id|_id|key|token|cursor)$/, (random) => `${random.pick(nouns)}-${hex(random, 6)}`],
  [/(?:user|author|owner|person|assignee|first_?name|last_?name)/i, (random) => random.pick(people)],
  [/version$/i, (random) => `${random.between(0, 9)}.${random.between(0, 20)}.${random.between(0, 9)}`],
  [/(?:description|summary|text|message|body|note|comment|detail)/i, (random) => sentence(random)],
];

const wordsFor = (name: string, random: SeededRandom): string => {
  const [, make] = hints.find(([pattern]) => pattern.test(name)) ?? [];
  return make === undefined ? `${random.pick(adjectives)} ${random.pick(nouns)}` : make(random);
};

const sentence = (random: SeededRandom): string =>
  `The ${random.pick(adjectives)} ${random.pick(nouns)} is by the ${random.pick(adjectives)} ${random.pick(nouns)}.`;

/** Making a generator of a pattern takes longer than making a text of it. */
const patterns = new Map<string, fc.Arbitrary<string> | undefined>();

interface TextBounds {
  readonly least: number;
  readonly most: number;
}

const matchingText = (pattern: string, random: SeededRandom, { least, most }: TextBounds): string | undefined => {
  if (!patterns.has(pattern)) patterns.set(pattern, textsMatching(pattern));
  const made = patterns.get(pattern);
  if (made === undefined) return undefined;
  const texts = fc.sample(made, { seed: random.seed(), numRuns: 20 });
  return texts.find((text) => text.length >= least && text.length <= most) ?? texts[0];
};

/** Nothing for a pattern that looks around. */
const textsMatching = (pattern: string): fc.Arbitrary<string> | undefined => {
  const read = readPattern(pattern);
  if (read === undefined) return undefined;
  try {
    const made = fc.stringMatching(read, { maxLength: 60, size: "xsmall" });
    fc.sample(made, 1);
    return made;
  } catch {
    return undefined;
  }
};
