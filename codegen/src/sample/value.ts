/**
 * One value for a JSON Schema, made from a seed: readable, small, and right as far as one look at each keyword goes. For answers that stand for a
 * service's own; the search for faults has its own values (`proof/values`).
 *
 * Not here: whether the schema takes it (whoever asks decodes it), and texts (`text`).
 */
import { isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { SeededRandom } from "./random.ts";
import { sampleText } from "./text.ts";

/** A value for a schema with its own `$defs`. The same seed gives the same value. */
export const sampleValue = (schema: JsonSchema, seed: number): unknown =>
  new Sampler(schema, new SeededRandom(seed)).value(schema, { name: "", depth: 0 });

interface SamplePlace {
  /** Of the field that it is in. */
  readonly name: string;
  readonly depth: number;
}

/** From here on there is nothing that may be left out, and no variant that goes deeper. */
const shallowFrom = 4;
const deepest = 40;

class Sampler {
  readonly #root: JsonSchema;
  readonly #random: SeededRandom;

  constructor(root: JsonSchema, random: SeededRandom) {
    this.#root = root;
    this.#random = random;
  }

  value(given: unknown, place: SamplePlace): unknown {
    if (!isSchema(given)) return this.#anything();
    const schema = this.#resolve(given, 0);
    if (place.depth > deepest) return null;
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return this.#one(schema.enum) ?? null;
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return this.#branch(schema, branches, place);
    const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? []);
    return this.#typed(this.#one(types), schema, place);
  }

  /** Without references on top, and the parts of an `allOf` as one. */
  #resolve(schema: JsonSchema, steps: number): JsonSchema {
    if (steps > 20) return {};
    const { $ref, allOf, ...own } = schema;
    if ($ref === undefined && allOf === undefined) return schema;
    const target = $ref === undefined ? [] : [this.#root.$defs?.[$ref.replace("#/$defs/", "")] ?? {}];
    const parts = [...target, ...(allOf ?? [])].map((part) => this.#resolve(part, steps + 1));
    return joinSchemas([...parts, own]);
  }

  #branch(schema: JsonSchema, branches: readonly JsonSchema[], place: SamplePlace): unknown {
    const { anyOf: _, oneOf: __, ...shared } = schema;
    const flat = place.depth < shallowFrom ? [] : branches.filter((branch) => isFlat(this.#resolve(branch, 0)));
    const chosen = this.#one(flat.length > 0 ? flat : branches) ?? {};
    return this.value(joinSchemas([shared, this.#resolve(chosen, 0)]), { ...place, depth: place.depth + 1 });
  }

  #typed(type: string | undefined, schema: JsonSchema, place: SamplePlace): unknown {
    switch (type) {
      case "null":
        return null;
      case "boolean":
        return this.#random.next() < 0.5;
      case "integer":
      case "number":
        return this.#number(type, schema);
      case "string":
        return sampleText(schema, place.name, this.#random);
      case "array":
        return this.#list(schema, place);
      case "object":
        return this.#object(schema, place);
      default:
        return schema.properties === undefined ? this.#anything() : this.#object(schema, place);
    }
  }

  #number(type: "integer" | "number", schema: JsonSchema): number {
    const read = (keyword: string): number | undefined => {
      const value = schema[keyword];
      return typeof value === "number" ? value : undefined;
    };
    const step = read("multipleOf") ?? (type === "integer" ? 1 : 0.01);
    const above = read("exclusiveMinimum");
    const below = read("exclusiveMaximum");
    const least = Math.max(read("minimum") ?? -Infinity, above === undefined ? -Infinity : above + step);
    const most = Math.min(read("maximum") ?? Infinity, below === undefined ? Infinity : below - step);
    // Where the schema says little, a number that a person would expect.
    const from = Math.max(least, Math.min(1, most));
    const to = Math.min(most, Math.max(from, 100));
    const [first, last] = [Math.ceil(from / step), Math.floor(to / step)];
    if (last < first) return from + (to - from) * this.#random.next();
    return Number((this.#random.between(first, last) * step).toPrecision(15));
  }

  #list(schema: JsonSchema, { name, depth }: SamplePlace): readonly unknown[] {
    const { items, prefixItems = [], minItems, maxItems } = schema;
    const least = typeof minItems === "number" ? minItems : 0;
    const most = typeof maxItems === "number" ? maxItems : Infinity;
    const inner = { name: name.replace(/s$/, ""), depth: depth + 1 };
    const first = prefixItems.map((item) => this.value(item, inner));
    if (items === false || (items === undefined && prefixItems.length > 0)) return first;
    const wanted = depth >= shallowFrom ? least : this.#random.between(Math.max(1, least), Math.max(3, least));
    const count = Math.max(0, Math.min(wanted, most) - first.length);
    const rest = Array.from({ length: count }, () => this.value(items, inner));
    const all = [...first, ...rest];
    if (schema.uniqueItems !== true) return all;
    return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
  }

  #object(schema: JsonSchema, { depth }: SamplePlace): Readonly<Record<string, unknown>> {
    const { properties = {}, required = [], additionalProperties: more, patternProperties = {} } = schema;
    const entries: (readonly [string, unknown])[] = [];
    for (const [name, field] of Object.entries(properties)) {
      const isKept = required.includes(name) || (depth < shallowFrom && this.#random.next() < 0.7);
      if (isKept) entries.push([name, this.value(field, { name, depth: depth + 1 })]);
    }
    for (const name of required)
      if (!Object.hasOwn(properties, name)) entries.push([name, this.value(more, { name, depth: depth + 1 })]);
    if (depth >= shallowFrom) return Object.fromEntries(entries);
    for (const [pattern, value] of Object.entries(patternProperties))
      entries.push([sampleText({ pattern }, "", this.#random), this.value(value, { name: "", depth: depth + 1 })]);
    if (isSchema(more) && entries.length === 0)
      for (let left = this.#random.between(1, 2); left > 0; left -= 1) entries.push(this.#member(schema, more, depth));
    return Object.fromEntries(entries);
  }

  #member({ propertyNames }: JsonSchema, value: JsonSchema, depth: number): readonly [string, unknown] {
    const names = isSchema(propertyNames) ? this.#resolve(propertyNames, 0) : {};
    const name = String(this.value({ type: "string", ...names }, { name: "key", depth: depth + 1 }));
    return [name, this.value(value, { name, depth: depth + 1 })];
  }

  #anything(): unknown {
    return this.#random.pick<unknown>([true, 7, "plain text", null]);
  }

  #one<T>(from: readonly T[]): T | undefined {
    return from[Math.floor(this.#random.next() * from.length)];
  }
}

const isFlat = ({ type, anyOf, oneOf, properties }: JsonSchema): boolean =>
  type !== "object" && type !== "array" && anyOf === undefined && oneOf === undefined && properties === undefined;

/** What all of them say; where two say the same keyword, the later one, but for fields, which are all there. */
const joinSchemas = (parts: readonly JsonSchema[]): JsonSchema => {
  const joined: JsonSchema = Object.assign({}, ...parts);
  const properties: Record<string, JsonSchema> = Object.assign({}, ...parts.map((part) => part.properties ?? {}));
  return {
    ...joined,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(parts.some(({ required }) => required !== undefined) && {
      required: [...new Set(parts.flatMap(({ required = [] }) => required))],
    }),
  };
};
