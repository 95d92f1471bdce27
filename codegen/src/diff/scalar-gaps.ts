/** Gaps between two schemas of numbers, and of texts. Pure; a rule reports one gap too many rather than one too few. */
import type { JsonSchema } from "../schema/json-schema.ts";
import type { Gap, ValueSource } from "./gap.ts";

export const readNumber = (schema: JsonSchema, keyword: string): number | undefined => {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
};

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** The bounds; those of whole numbers that are excluded become included ones. */
const boundsIn = (
  schema: JsonSchema,
  isWhole: boolean,
): Bounds & { readonly openLeast: boolean; readonly openMost: boolean } => {
  const min = readNumber(schema, "minimum") ?? Number.NEGATIVE_INFINITY;
  const max = readNumber(schema, "maximum") ?? Number.POSITIVE_INFINITY;
  const above = readNumber(schema, "exclusiveMinimum") ?? Number.NEGATIVE_INFINITY;
  const below = readNumber(schema, "exclusiveMaximum") ?? Number.POSITIVE_INFINITY;
  if (isWhole) {
    const least = Math.max(Math.ceil(min), Math.floor(above) + 1);
    const most = Math.min(Math.floor(max), Math.ceil(below) - 1);
    return { least, most, openLeast: false, openMost: false };
  }
  return {
    least: Math.max(min, above),
    most: Math.min(max, below),
    openLeast: above >= min && Number.isFinite(above),
    openMost: below <= max && Number.isFinite(below),
  };
};

export const numberGaps = (wider: JsonSchema, narrower: JsonSchema, isWhole: boolean): readonly Gap[] => {
  const a = boundsIn(wider, isWhole);
  const b = boundsIn(narrower, isWhole);
  const step = readNumber(wider, "multipleOf") ?? (isWhole ? 1 : undefined);
  const candidates = (): readonly number[] => {
    const near = [a.least, a.most, b.least, b.most].filter(Number.isFinite);
    const spread = [
      ...near.flatMap((each) => [each, each - 1, each + 1, each - 0.5, each + 0.5]),
      0,
      0.5,
      1,
      2,
      3,
      5,
      7,
    ];
    const whole =
      step === undefined
        ? []
        : spread.flatMap((each) => [Math.floor(each / step) * step, Math.ceil(each / step) * step]);
    return [...new Set([...spread, ...whole])];
  };
  const gap = (keyword: string): Gap => ({
    path: "",
    keyword,
    wider: wider[keyword],
    narrower: narrower[keyword],
    candidates,
  });
  const found: Gap[] = [];
  if (a.least < b.least || (a.least === b.least && b.openLeast && !a.openLeast))
    found.push(gap(narrower.minimum === undefined ? "exclusiveMinimum" : "minimum"));
  if (a.most > b.most || (a.most === b.most && b.openMost && !a.openMost))
    found.push(gap(narrower.maximum === undefined ? "exclusiveMaximum" : "maximum"));
  const factor = readNumber(narrower, "multipleOf");
  if (factor !== undefined && (step === undefined || !Number.isInteger(step / factor))) found.push(gap("multipleOf"));
  return found;
};

const longestText = 100_000;

export const textGaps = (wider: JsonSchema, narrower: JsonSchema, values: ValueSource): readonly Gap[] => {
  const [leastA, mostA] = [
    readNumber(wider, "minLength") ?? 0,
    readNumber(wider, "maxLength") ?? Number.POSITIVE_INFINITY,
  ];
  const [leastB, mostB] = [
    readNumber(narrower, "minLength") ?? 0,
    readNumber(narrower, "maxLength") ?? Number.POSITIVE_INFINITY,
  ];
  const candidates = (): readonly string[] => {
    const lengths = [leastA, mostA, leastB - 1, mostB + 1, 1].filter(
      (n) => n >= leastA && n <= mostA && n <= longestText && n >= 0,
    );
    const plain = lengths.flatMap((n) => ["x".repeat(n), "0".repeat(n), " ".repeat(n)]);
    return [...plain, ...values.samples(wider).filter((each) => typeof each === "string")];
  };
  const gap = (keyword: string): Gap => ({
    path: "",
    keyword,
    wider: wider[keyword],
    narrower: narrower[keyword],
    candidates,
  });
  const found: Gap[] = [];
  if (leastB > leastA) found.push(gap("minLength"));
  if (mostB < mostA) found.push(gap("maxLength"));
  for (const keyword of ["pattern", "format", "contentEncoding", "contentMediaType"])
    if (
      narrower[keyword] !== undefined &&
      narrower[keyword] !== wider[keyword] &&
      !isSaidByPattern(keyword, wider, narrower)
    )
      found.push(gap(keyword));
  return found;
};

/** A format with a pattern is what the pattern says. */
const isSaidByPattern = (keyword: string, wider: JsonSchema, narrower: JsonSchema): boolean =>
  keyword === "format" && narrower.pattern !== undefined && narrower.pattern === wider.pattern;
