/** Gaps between two schemas of objects. Pure; what it cannot compare is a gap without a value that shows it. */
import { isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { embedGaps, type Gap, type PartComparison } from "./gap.ts";
import { isSame } from "./same.ts";
import { readNumber } from "./scalar-gaps.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

/** What fields beside the named ones hold: `undefined` where there can be none. */
const extraFields = ({ additionalProperties: extra }: JsonSchema): JsonSchema | undefined =>
  extra === false ? undefined : isSchema(extra) ? extra : {};

export const objectGaps = (wider: JsonSchema, narrower: JsonSchema, parts: PartComparison): readonly Gap[] => {
  const { compare, values } = parts;
  const bases = (): readonly JsonRecord[] => values.samples(wider).filter(isSchema);
  const withField =
    (key: string) =>
    (value: unknown): readonly unknown[] =>
      bases()
        .slice(0, 4)
        .map((base) => ({ ...base, [key]: value }));
  const gap = (path: string, keyword: string, candidates: Gap["candidates"]): Gap => ({
    path,
    keyword,
    wider: wider[keyword],
    narrower: narrower[keyword],
    candidates,
  });
  const found: Gap[] = [];

  const [fieldsA, fieldsB] = [wider.properties ?? {}, narrower.properties ?? {}];
  const [extraA, extraB] = [extraFields(wider), extraFields(narrower)];
  for (const key of new Set([...Object.keys(fieldsA), ...Object.keys(fieldsB)])) {
    const a = own(fieldsA, key) ?? extraA;
    const b = own(fieldsB, key) ?? extraB;
    if (a === undefined) continue;
    // A field that an open object does not name is not sent by callers, and not given by the kernel.
    if (!Object.hasOwn(fieldsA, key) && wider.additionalProperties === undefined) continue;
    if (b === undefined)
      found.push({
        path: key,
        keyword: "unknown field",
        wider: a,
        narrower: undefined,
        candidates: () => values.samples(a).flatMap(withField(key)),
      });
    else found.push(...embedGaps(compare(a, b), key, withField(key)));
  }
  if (extraA !== undefined) {
    const key = freeKey(wider, [...Object.keys(fieldsA), ...Object.keys(fieldsB)]);
    if (extraB === undefined)
      found.push(gap("", "additionalProperties", () => values.samples(extraA).flatMap(withField(key))));
    else found.push(...embedGaps(compare(extraA, extraB), "{}", withField(key)));
  }

  const requiredA = new Set(wider.required ?? []);
  for (const key of narrower.required ?? [])
    if (!requiredA.has(key))
      found.push({
        path: key,
        keyword: "required",
        wider: undefined,
        narrower: true,
        candidates: () => bases().map(({ [key]: _, ...rest }) => rest),
      });
  found.push(...nameGaps(wider, narrower, { parts, bases, extra: extraA }));

  const most =
    extraA === undefined && wider.patternProperties === undefined
      ? Object.keys(fieldsA).length
      : Number.POSITIVE_INFINITY;
  if ((readNumber(narrower, "minProperties") ?? 0) > Math.max(readNumber(wider, "minProperties") ?? 0, requiredA.size))
    found.push(gap("", "minProperties", () => [...bases(), pick(bases()[0] ?? {}, requiredA)]));
  if (
    (readNumber(narrower, "maxProperties") ?? Number.POSITIVE_INFINITY) <
    Math.min(readNumber(wider, "maxProperties") ?? Number.POSITIVE_INFINITY, most)
  )
    found.push(gap("", "maxProperties", () => [...bases(), ...largeObject(wider, extraA, parts)]));
  if (!isSame(wider.patternProperties, narrower.patternProperties)) found.push(gap("", "patternProperties", bases));
  return found;
};

const mostKeys = 200;

/** An object with as many fields as it may have, as far as that helps. */
const largeObject = (
  schema: JsonSchema,
  extra: JsonSchema | undefined,
  { values }: PartComparison,
): readonly JsonRecord[] => {
  const base = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, field]) => [key, values.samples(field)[0] ?? null]),
  );
  if (extra === undefined) return [base];
  const value = values.samples(extra)[0] ?? null;
  const most = Math.min(readNumber(schema, "maxProperties") ?? mostKeys, mostKeys) - Object.keys(base).length;
  return [{ ...base, ...Object.fromEntries(Array.from({ length: Math.max(0, most) }, (_, at) => [`x${at}`, value])) }];
};

interface NameContext {
  readonly parts: PartComparison;
  readonly bases: () => readonly JsonRecord[];
  readonly extra: JsonSchema | undefined;
}

const nameGaps = (wider: JsonSchema, narrower: JsonSchema, { parts, bases, extra }: NameContext): readonly Gap[] => {
  const { propertyNames: a } = wider;
  const { propertyNames: b } = narrower;
  if (!isSchema(b)) return [];
  const embed = (name: unknown): readonly unknown[] => {
    const value = parts.values.samples(own(wider.properties ?? {}, String(name)) ?? extra ?? {})[0] ?? null;
    return [...bases(), {}].slice(0, 4).map((base) => ({ ...base, [String(name)]: value }));
  };
  const named = Object.keys(wider.properties ?? {}).filter((key) => !parts.values.accepts(b, key));
  const wrong: readonly Gap[] =
    named.length === 0
      ? []
      : [{ path: "", keyword: "propertyNames", wider: a, narrower: b, candidates: () => named.flatMap(embed) }];
  if (extra === undefined) return wrong;
  const text: JsonSchema = { type: "string", ...(isSchema(a) && a) };
  return [...wrong, ...embedGaps(parts.compare(text, { type: "string", ...b }), "{}", embed)];
};

const own = (fields: Readonly<Record<string, JsonSchema>>, key: string): JsonSchema | undefined =>
  Object.hasOwn(fields, key) ? fields[key] : undefined;

const pick = (value: JsonRecord, keys: ReadonlySet<string>): JsonRecord =>
  Object.fromEntries(Object.entries(value).filter(([key]) => keys.has(key)));

/** A name that neither schema has a field of, among those that the wider one allows. */
const freeKey = ({ propertyNames }: JsonSchema, taken: readonly string[]): string => {
  const choices = isSchema(propertyNames) ? (propertyNames.enum ?? []).map(String) : [];
  return [...choices, "x", "other", "x1"].find((each) => !taken.includes(each)) ?? "x";
};
