/**
 * Whether all values of one JSON Schema are values of another: its gaps, none where it is certain. What it does not understand is a gap that
 * no value may show, so that "no gap" can be trusted. Recursive schemas are taken to fit until a gap is found.
 *
 * Not here: whether a gap is real (`witness`).
 */
import { defName, isSchema, type JsonSchema } from "../schema/json-schema.ts";
import type { Gap, PartComparison, ValueSource } from "./gap.ts";
import { listGaps } from "./list-gaps.ts";
import { objectGaps } from "./object-gaps.ts";
import { isSame } from "./same.ts";
import { numberGaps, textGaps } from "./scalar-gaps.ts";

/** Keywords that restrict values in a manner that is compared here only for being the same. */
const opaque = ["not", "if", "then", "else", "contains", "minContains", "maxContains"].concat([
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
]);

/** Of two parts; beyond them nothing is decided. */
const mostComparisons = 20_000;

const withoutDefs = ({ $defs: _, ...schema }: JsonSchema): JsonSchema => schema;

const jsonTypes = ["null", "boolean", "number", "string", "array", "object"];

/** The gaps between a schema and one that should take all its values; each is complete, with its own `$defs`. */
export const findGaps = (wider: JsonSchema, narrower: JsonSchema, values: ValueSource): readonly Gap[] => {
  /** Pairs of schemas that are taken to fit, as text, in the order in which that was assumed. */
  const assumed: string[] = [];
  let left = mostComparisons;

  const compare = (a: JsonSchema, b: JsonSchema): readonly Gap[] => {
    if (isAnything(b)) return [];
    left -= 1;
    if (left < 0) return [undecided(a, b, "$ref", () => [])];
    if (![a, b].some(({ $ref, allOf }) => $ref !== undefined || allOf !== undefined)) return compareNodes(a, b);
    // Whatever is met again within itself has a reference on the round.
    const pair = JSON.stringify([withoutDefs(a), withoutDefs(b)]);
    if (assumed.includes(pair)) return [];
    const depth = assumed.push(pair) - 1;
    const gaps = compareResolved(a, b);
    // What was found to fit since may have relied on this.
    if (gaps.length > 0) assumed.length = depth;
    return gaps;
  };
  const compareResolved = (a: JsonSchema, b: JsonSchema): readonly Gap[] => {
    if (a.$ref === undefined && b.$ref === undefined) return compareNodes(a, b);
    const [x, y] = [resolveRef(a, wider), resolveRef(b, narrower)];
    if (x === undefined || y === undefined) return [undecided(a, b, "$ref", () => values.samples(a))];
    return compare(x, y);
  };
  const parts: PartComparison = { compare, values };

  const compareNodes = (a: JsonSchema, b: JsonSchema): readonly Gap[] => {
    const choices = finiteValues(a);
    if (choices !== undefined) return finiteGaps(a, b, choices, values);
    const union = a.anyOf ?? a.oneOf;
    if (union !== undefined) {
      const { anyOf: _, oneOf: __, ...rest } = a;
      return union.flatMap((branch) => compare(intersect(branch, rest), b));
    }
    if (a.allOf !== undefined) return compareIntersection(a, b);
    if (b.allOf !== undefined) {
      const { allOf, ...rest } = b;
      return [rest, ...allOf].flatMap((part) => compare(a, part));
    }
    const types = typesIn(a);
    if (types.length > 1) return types.flatMap((type) => compareNodes({ ...a, type }, b));
    if (b.anyOf !== undefined || b.oneOf !== undefined) return compareToUnion(a, b);
    return compareSimple({ ...a, type: types[0] ?? "null" }, b, types[0] ?? "null");
  };

  /** All parts of an intersection in one schema where that is exact; else one part that fits alone is enough. */
  const compareIntersection = (a: JsonSchema, b: JsonSchema): readonly Gap[] => {
    const { allOf = [], ...rest } = a;
    const all = [rest, ...allOf].map((part) => resolveRef(part, wider) ?? part);
    const merged = all.reduce<JsonSchema | undefined>(
      (sum, part) => (sum === undefined ? undefined : merge(sum, part)),
      {},
    );
    if (merged !== undefined) return compare(merged, b);
    const each = all.map((part) => compare(part, b));
    const [fewest = []] = each.toSorted((x, y) => x.length - y.length);
    return fewest;
  };

  const compareToUnion = (a: JsonSchema, b: JsonSchema): readonly Gap[] => {
    const { anyOf, oneOf, ...rest } = b;
    const branches = anyOf ?? oneOf ?? [];
    const outer = compare(a, rest);
    const each = branches.map((branch) => compare(a, branch));
    const fitting = each.findIndex((gaps) => gaps.length === 0);
    if (fitting >= 0) {
      const alone =
        anyOf !== undefined ||
        branches.every((other, at) => at === fitting || isDisjoint(a, resolveRef(other, narrower) ?? other));
      return alone ? outer : [...outer, undecided(a, b, "oneOf", () => values.samples(a))];
    }
    const candidates = (): readonly unknown[] => [
      ...each.flatMap((gaps) => gaps.flatMap((gap) => gap.candidates())),
      ...values.samples(a),
    ];
    const nearest = each
      .filter((gaps) => gaps.every(({ keyword }) => keyword !== "type"))
      .toSorted((x, y) => x.length - y.length)[0];
    // The words of the nearest branch, and the values of all.
    if (nearest?.length === 1 && nearest[0] !== undefined) return [...outer, { ...nearest[0], candidates }];
    return [...outer, { path: "", keyword: "union", wider: summary(a), narrower: undefined, candidates }];
  };

  const compareSimple = (a: JsonSchema, b: JsonSchema, type: string): readonly Gap[] => {
    const samples = (): readonly unknown[] => values.samples(a);
    const allowed = b.type === undefined ? undefined : [b.type].flat();
    if (allowed !== undefined && !allowed.includes(type) && !(type === "integer" && allowed.includes("number"))) {
      const between = type === "number" ? [0.5, 1.5, -0.5, 0.25, ...samples()] : undefined;
      return [{ path: "", keyword: "type", wider: type, narrower: b.type, candidates: () => between ?? samples() }];
    }
    const found: Gap[] = [];
    if (b.const !== undefined || b.enum !== undefined)
      found.push({
        path: "",
        keyword: "enum",
        wider: undefined,
        narrower: b.enum ?? [b.const],
        candidates: () => [...spread(type), ...samples()],
      });
    for (const keyword of opaque)
      if (b[keyword] !== undefined && !isSame(a[keyword], b[keyword])) found.push(undecided(a, b, keyword, samples));
    switch (type) {
      case "integer":
      case "number":
        return [...found, ...numberGaps(a, b, type === "integer")];
      case "string":
        return [...found, ...textGaps(a, b, values)];
      case "array":
        return [...found, ...listGaps(a, b, parts)];
      case "object":
        return [...found, ...objectGaps(a, b, parts)];
      default:
        return found;
    }
  };

  return joinGaps(compare(wider, narrower));
};

/** One gap a place and keyword: the branches of a union may have the same one. */
const joinGaps = (gaps: readonly Gap[]): readonly Gap[] => {
  const groups = Map.groupBy(gaps, ({ path, keyword }) => `${path} ${keyword}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [{ ...first, candidates: () => group.flatMap(({ candidates }) => candidates()) }];
  });
};

const undecided = (a: JsonSchema, b: JsonSchema, keyword: string, candidates: Gap["candidates"]): Gap => ({
  path: "",
  keyword,
  wider: a[keyword],
  narrower: b[keyword],
  candidates,
});

/** Values of a type that a list of choices is unlikely to have. */
const spread = (type: string): readonly unknown[] =>
  type === "string" ? ["", "x", "other"] : type === "object" ? [{}] : [0, 1, -1];

/** A schema without its reference: what it refers to, and what it says beside. `undefined` where there is no such definition. */
const resolveRef = (schema: JsonSchema, root: JsonSchema): JsonSchema | undefined => {
  const { $ref, $defs: _, ...rest } = schema;
  if ($ref === undefined) return schema;
  const target = root.$defs?.[defName($ref) ?? ""];
  if (target === undefined) return undefined;
  return Object.keys(rest).some(isAssertion) ? { allOf: [target, rest] } : target;
};

const annotations = new Set([
  "$schema",
  "$id",
  "$comment",
  "$defs",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "discriminator",
]);

const isAssertion = (keyword: string): boolean => !annotations.has(keyword) && !keyword.startsWith("x-");

const isAnything = (schema: JsonSchema): boolean => !Object.keys(schema).some(isAssertion);

/** All values of a schema, where there are few. */
const finiteValues = (schema: JsonSchema): readonly unknown[] | undefined => {
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  if (schema.type === "null") return [null];
  return schema.type === "boolean" ? [true, false] : undefined;
};

const finiteGaps = (
  a: JsonSchema,
  b: JsonSchema,
  choices: readonly unknown[],
  { accepts }: ValueSource,
): readonly Gap[] => {
  const refused = choices.filter((value) => !accepts(b, value));
  if (refused.length === 0) return [];
  const keyword = a.const === undefined && a.enum === undefined ? "type" : "enum";
  return [
    {
      path: "",
      keyword,
      wider: keyword === "type" ? a.type : refused,
      narrower: keyword === "type" ? b.type : undefined,
      candidates: () => refused,
    },
  ];
};

const typesIn = ({ type }: JsonSchema): readonly string[] =>
  type === undefined ? jsonTypes : typeof type === "string" ? [type] : type;

/** Both at once. */
const intersect = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  if (isAnything(b)) return a;
  if (a.$ref !== undefined) return { allOf: [a, b] };
  return merge(a, b) ?? { allOf: [a, b] };
};

/** Both in one schema; `undefined` where no one schema says the same. */
const merge = (a: JsonSchema, b: JsonSchema): JsonSchema | undefined => {
  if (isAnything(a) && a.$ref === undefined) return b;
  if (isAnything(b) && b.$ref === undefined) return a;
  if (a.$ref !== undefined || b.$ref !== undefined) return undefined;
  const merged: Record<string, unknown> = { ...a };
  for (const [keyword, value] of Object.entries(b)) {
    const before = merged[keyword];
    if (before === undefined || !isAssertion(keyword) || isSame(before, value)) merged[keyword] = value;
    else if (keyword === "required") merged.required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])];
    else if (keyword === "properties" && !shareKeys(a.properties ?? {}, b.properties ?? {}))
      merged.properties = { ...a.properties, ...b.properties };
    else return undefined;
  }
  const fields = Object.keys(Object(merged.properties)).length;
  // A field of one is an extra field of the other.
  const isExact = [a, b].every((each) => !isClosed(each) || Object.keys(each.properties ?? {}).length === fields);
  return isExact ? merged : undefined;
};

const shareKeys = (a: object, b: object): boolean => Object.keys(a).some((key) => Object.hasOwn(b, key));

const isClosed = ({ additionalProperties: extra, patternProperties, propertyNames }: JsonSchema): boolean =>
  (extra !== undefined && extra !== true && !(isSchema(extra) && isAnything(extra))) ||
  patternProperties !== undefined ||
  propertyNames !== undefined;

/** True where no value can be of both: other types, or a field that both must have with other values in each. */
const isDisjoint = (a: JsonSchema, b: JsonSchema): boolean => {
  const [typesA, typesB] = [typesIn(a), typesIn(b)];
  if (!typesA.some((each) => typesB.includes(each) || (each === "integer" && typesB.includes("number")))) return true;
  return (a.required ?? []).some((key) => {
    const [x, y] = [finiteValues(a.properties?.[key] ?? {}), finiteValues(b.properties?.[key] ?? {})];
    return (
      x !== undefined &&
      y !== undefined &&
      b.required?.includes(key) === true &&
      !x.some((value) => y.some((other) => isSame(value, other)))
    );
  });
};

const summary = ({ type, title }: JsonSchema): unknown => title ?? type;
