/**
 * JSON Schema to the source of a Zod schema, for contracts that are made of what others describe: the other way of `lower`.
 *
 * What it prints takes all that the schema takes and names; where Zod would say less or something else, it is any JSON. Patterns,
 * formats and greatest lengths of texts stay with whoever wrote them: a pattern from outside is code that we would run, and Zod counts
 * characters otherwise. Not here: what the contract says around it (`imported-text`).
 */
import { isSchema, type JsonSchema } from "./json-schema.ts";
import { block, indent, propertyKey, quote } from "./printer.ts";

export interface ZodText {
  /** Members that nobody named: refused, as arguments with a typing error are, or left out of what is given back. */
  readonly unnamed: "refuse" | "leave out";
}

/** An expression of Zod, without a semicolon. */
export const printZod = (schema: JsonSchema, options: ZodText): string => new Print(schema, options).text();

/** Nesting that is still followed, and schemas in all, so that references cannot multiply; what is beyond is any JSON. */
const deepest = 24;
const mostSchemas = 2_000;
const anything = "z.json()";
const longestWords = 900;

class Print {
  readonly #root: JsonSchema;
  readonly #options: ZodText;
  /** References under way: one inside itself is any JSON. */
  readonly #within = new Set<string>();
  #schemas = 0;

  constructor(root: JsonSchema, options: ZodText) {
    this.#root = root;
    this.#options = options;
  }

  text(): string {
    return this.#schema(this.#root, 0);
  }

  #schema(schema: unknown, depth: number): string {
    this.#schemas += 1;
    if (!isSchema(schema) || depth > deepest || this.#schemas > mostSchemas) return anything;
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref, depth);
    if (schema.allOf !== undefined) return anything;
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches !== undefined) return this.#union(listOf(branches), depth);
    if ("const" in schema) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(listOf(schema.enum));
    const { type } = schema;
    if (Array.isArray(type))
      return this.#union(
        type.map((each) => ({ ...schema, type: each })),
        depth,
      );
    return this.#typed(schema, typeof type === "string" ? type : undefined, depth);
  }

  #typed(schema: JsonSchema, type: string | undefined, depth: number): string {
    switch (type) {
      case "string":
        return `z.string()${bound("min", schema.minLength)}`;
      case "integer":
        return `z.int()${range(schema)}`;
      case "number":
        return `z.number()${range(schema)}`;
      case "boolean":
        return "z.boolean()";
      case "null":
        return "z.null()";
      case "array": {
        const items = schema.prefixItems === undefined ? this.#schema(schema.items, depth + 1) : anything;
        return `z.array(${items})${bound("min", schema.minItems)}${bound("max", schema.maxItems)}`;
      }
      case "object":
        return this.#object(schema, depth);
      default:
        return schema.properties === undefined ? anything : this.#object(schema, depth);
    }
  }

  #object(schema: JsonSchema, depth: number): string {
    const { additionalProperties: more } = schema;
    const properties: Readonly<Record<string, unknown>> = isSchema(schema.properties) ? schema.properties : {};
    const required = listOf(schema.required);
    // In source this one would be the object's prototype.
    const names = Object.keys(properties).filter((name) => name !== "__proto__");
    const isOpen = more === undefined ? !isSchema(schema.properties) : more !== false;
    if (names.length === 0 && isOpen) return `z.record(z.string(), ${this.#schema(more, depth + 1)})`;
    const members = names.map((name) => {
      const property = properties[name];
      const optional = required.includes(name) ? "" : ".optional()";
      const text = `${this.#schema(property, depth + 1)}${optional}.describe(${quote(wordsOf(name, property))})`;
      return `${propertyKey(name)}: ${text},`;
    });
    const body = block("{", members, "}");
    if (more === true) return `z.looseObject(${body})`;
    if (isSchema(more)) return `z.object(${body}).catchall(${this.#schema(more, depth + 1)})`;
    return this.#options.unnamed === "refuse" ? `z.strictObject(${body})` : `z.object(${body})`;
  }

  #union(branches: readonly unknown[], depth: number): string {
    const texts = [...new Set(branches.map((branch) => this.#schema(branch, depth + 1)))];
    const rest = texts.filter((text) => text !== "z.null()");
    const [only, ...more] = rest;
    if (only === undefined) return texts[0] ?? anything;
    const text = more.length === 0 ? only : `z.union([\n${indent(rest.join(",\n"))},\n])`;
    return rest.length < texts.length ? `${text}.nullable()` : text;
  }

  #reference($ref: string, depth: number): string {
    const target = at(this.#root, $ref);
    if (target === undefined || this.#within.has($ref)) return anything;
    this.#within.add($ref);
    const text = this.#schema(target, depth + 1);
    this.#within.delete($ref);
    return text;
  }
}

/** What a local reference points at; nothing for one that leaves the schema. */
const at = (root: JsonSchema, $ref: string): unknown => {
  const [hash, ...steps] = $ref.split("/");
  if (hash !== "#") return undefined;
  let found: unknown = root;
  for (const step of steps) {
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found;
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const literal = (values: readonly unknown[]): string => {
  const isPlain = (value: unknown): boolean => value === null || ["string", "number", "boolean"].includes(typeof value);
  if (values.length === 0 || !values.every(isPlain)) return anything;
  const texts = [...new Set(values)].map((value) => JSON.stringify(value));
  return texts.length === 1 ? `z.literal(${texts[0]})` : `z.literal([${texts.join(", ")}])`;
};

const range = (schema: JsonSchema): string =>
  [
    bound("min", schema.minimum),
    bound("max", schema.maximum),
    bound("gt", schema.exclusiveMinimum),
    bound("lt", schema.exclusiveMaximum),
  ].join("");

const bound = (method: string, value: unknown): string =>
  typeof value === "number" && Number.isFinite(value) ? `.${method}(${value})` : "";

/** What is said of a field; every field of a contract says something. */
const wordsOf = (name: string, property: unknown): string => {
  const { description, title, default: otherwise }: JsonSchema = isSchema(property) ? property : {};
  const said = [description, title].find((text) => typeof text === "string" && text.trim() !== "");
  const words = said?.trim().slice(0, longestWords) ?? `The upstream's \`${name}\`; it says no more about it.`;
  return otherwise === undefined ? words : `${words} (${JSON.stringify(otherwise).slice(0, 80)} when left out)`;
};
