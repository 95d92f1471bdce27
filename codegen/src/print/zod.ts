/**
 * JSON Schema to the source of a Zod schema, for contracts that are made of what others describe: the other way of `lower`.
 *
 * What it prints takes all that the schema takes and names; where Zod would say less or something else, it is any JSON. Patterns,
 * formats and greatest lengths of texts stay with whoever wrote them: a pattern from outside is code that we would run, and Zod counts
 * characters otherwise. Not here: what the contract says around it (`imported-text`).
 */
import { isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { block, indent, propertyKey, quote } from "./text.ts";

interface ZodText {
  /** Members without a name in the schema: refused, as arguments with a typing error are, or left out of what is given back. */
  readonly unnamed: "refuse" | "leave out";
  /** The expression of what a reference leads to, where it has one of its own. */
  readonly reference?: (ref: string) => string | undefined;
  /** Whether documents are to show the formats of texts; they are checked by neither side. */
  readonly formats?: true;
}

/** An expression of Zod, without a semicolon. */
export const printZod = (schema: JsonSchema, options: ZodText): string => new ZodPrinter(schema, options).text();

/** Nesting that is still followed, and schemas in all, so that references cannot multiply; what is beyond is any JSON. */
const deepest = 24;
const mostSchemas = 2_000;
const anything = "z.json()";
const longestWords = 900;

/** What a text with a schema that leads into itself calls: `recursive((self) => …)`. Source of a constant. */
export const recursive = `/** A schema that leads into itself. */
const recursive = (of: (self: z.ZodType) => z.ZodType): z.ZodType => {
  const self: z.ZodType = z.lazy(() => of(self));
  return self;
};
`;

class ZodPrinter {
  readonly #root: JsonSchema;
  readonly #options: ZodText;
  /** References under way: what each is called where it leads into itself, and how deep in fields and items it began. */
  readonly #within = new Map<string, { readonly self: string; readonly since: number }>();
  /** Those that do lead into themselves. */
  readonly #recursive = new Set<string>();
  #inside = 0;
  #schemas = 0;

  constructor(root: JsonSchema, options: ZodText) {
    this.#root = root;
    this.#options = options;
  }

  text(): string {
    return this.#root.type === "object" ? this.#top() : this.#schema(this.#root, 0);
  }

  /** What is called an object on top is printed as one, whatever else is said of it: a contract's input has fields. */
  #top(): string {
    const root = this.#plain(this.#root, 0) ?? {};
    const branches = readBranches(root);
    if (branches === undefined || isSchema(root.properties)) return this.#object(root, 0);
    const objects = branches.map((branch) => ({ ...(isSchema(branch) ? this.#plain(branch, 1) : { const: branch }) }));
    if (!objects.every(isObject)) return this.#object(root, 0);
    return this.#union(
      objects.map((each) => ({ ...each, type: "object" })),
      0,
    );
  }

  #schema(given: unknown, depth: number): string {
    this.#schemas += 1;
    if (!isSchema(given) || depth > deepest || this.#schemas > mostSchemas) return anything;
    if (typeof given.$ref === "string") return this.#reference(given.$ref, depth);
    const schema = this.#plain(given, depth);
    if (schema === undefined) return anything;
    const branches = readBranches(schema);
    if (branches !== undefined && !isSchema(schema.properties)) return this.#union(branches, depth);
    if ("const" in schema) return literal([schema.const]);
    if (schema.enum !== undefined) return literal(readList(schema.enum));
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
        return `z.string()${bound("min", schema.minLength)}${this.#format(schema)}`;
      case "integer":
        return `z.int()${range(schema)}`;
      case "number":
        return `z.number()${range(schema)}`;
      case "boolean":
        return "z.boolean()";
      case "null":
        return "z.null()";
      case "array": {
        const items = schema.prefixItems === undefined ? this.#part(schema.items, depth) : anything;
        return `z.array(${items})${bound("min", schema.minItems)}${bound("max", schema.maxItems)}`;
      }
      case "object":
        return this.#object(schema, depth);
      default:
        return schema.properties === undefined ? anything : this.#object(schema, depth);
    }
  }

  #format({ format }: JsonSchema): string {
    const isShown = this.#options.formats === true && typeof format === "string" && knownFormats.has(format);
    return isShown ? `.meta({ format: ${quote(format)} })` : "";
  }

  #object(schema: JsonSchema, depth: number): string {
    const { additionalProperties: more } = schema;
    const properties: Readonly<Record<string, unknown>> = isSchema(schema.properties) ? schema.properties : {};
    const required = readList(schema.required).filter((name) => typeof name === "string");
    // In source this one would be the object's prototype.
    const named = Object.keys(properties).filter((name) => name !== "__proto__");
    const names = [...named, ...required.filter((name) => !(name in properties))];
    const isOpen = more === undefined ? !isSchema(schema.properties) : more !== false;
    if (names.length === 0 && isOpen) return `z.record(z.string(), ${this.#part(more, depth)})`;
    const members = names.map((name) => {
      const property = properties[name];
      const optional = required.includes(name) ? "" : ".optional()";
      const part = this.#part(property, depth);
      const text = `${optional === "" ? describable(part) : part}${optional}.describe(${quote(describeField(name, property))})`;
      return `${propertyKey(name)}: ${text},`;
    });
    const body = block("{", members, "}");
    if (isSchema(more)) return `z.object(${body}).catchall(${this.#part(more, depth)})`;
    if (isOpen) return `z.looseObject(${body})`;
    return this.#options.unnamed === "refuse" ? `z.strictObject(${body})` : `z.object(${body})`;
  }

  /** What is inside a value, so that a schema may lead into itself there. */
  #part(schema: unknown, depth: number): string {
    this.#inside += 1;
    const text = this.#schema(schema, depth + 1);
    this.#inside -= 1;
    return text;
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
    const own = this.#options.reference?.($ref);
    if (own !== undefined) return own;
    const under = this.#within.get($ref);
    const target = at(this.#root, $ref);
    if (target === undefined || under?.since === this.#inside) return anything;
    if (under !== undefined) {
      this.#recursive.add($ref);
      return under.self;
    }
    const self = this.#within.size === 0 ? "self" : `self${this.#within.size + 1}`;
    this.#within.set($ref, { self, since: this.#inside });
    const text = this.#schema(target, depth + 1);
    this.#within.delete($ref);
    return this.#recursive.delete($ref) ? `recursive((${self}) => ${text})` : text;
  }

  /** Without a reference on top, and an `allOf` as one schema where it can be had; nothing where it cannot. */
  #plain(schema: JsonSchema, depth: number): JsonSchema | undefined {
    this.#schemas += 1;
    if (depth > deepest || this.#schemas > mostSchemas) return undefined;
    const { $ref, allOf, ...own } = schema;
    if ($ref === undefined && allOf === undefined) return schema;
    const named = typeof $ref === "string" ? [at(this.#root, $ref)] : [];
    const parts: JsonSchema[] = [];
    for (const given of [own, ...named, ...readList(allOf)]) {
      const part = isSchema(given) ? this.#plain(given, depth + 1) : undefined;
      if (part === undefined) return undefined;
      if (Object.keys(part).some((keyword) => !words.has(keyword))) parts.push(part);
    }
    const [only = {}, ...more] = parts;
    if (more.length === 0) return only;
    return parts.every(isObject) ? joinObjects(parts) : undefined;
  }
}

/** A constant's schema that can be described here: described itself, one that leads into itself would be another than it. */
export const describable = (text: string): string => (/^schema\w+$/.test(text) ? `z.lazy(() => ${text})` : text);

/** Formats of JSON Schema that say what a text is. */
const knownFormats = new Set([
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "uuid",
]);

/** Keywords that allow and forbid nothing. */
const words = new Set(["title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"]);
for (const keyword of ["$schema", "$id", "$comment", "$defs", "definitions"]) words.add(keyword);

const readBranches = ({ anyOf, oneOf }: JsonSchema): readonly unknown[] | undefined => {
  const branches = anyOf ?? oneOf;
  return branches === undefined ? undefined : readList(branches);
};

/** True when nothing but objects can be it. */
const isObject = (schema: JsonSchema): boolean => {
  const { type, properties, required } = schema;
  if ("const" in schema || schema.enum !== undefined) return false;
  return type === "object" || (type === undefined && (isSchema(properties) || Array.isArray(required)));
};

/** Objects that are all to be one. A field that several name is all that they say. */
const joinObjects = (parts: readonly JsonSchema[]): JsonSchema => {
  const properties = new Map<string, JsonSchema>();
  for (const part of parts) {
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const before = properties.get(name);
      const isSame = before === undefined || JSON.stringify(before) === JSON.stringify(property);
      properties.set(name, isSame ? property : { allOf: [before, property] });
    }
  }
  const isOpen = parts.some((part) => part.additionalProperties === true || isSchema(part.additionalProperties));
  return {
    type: "object",
    ...(parts.some((part) => part.properties !== undefined) && { properties: Object.fromEntries(properties) }),
    required: [...new Set(parts.flatMap((part) => readList(part.required).map(String)))],
    ...(isOpen && { additionalProperties: true }),
  };
};

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

const readList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

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
const describeField = (name: string, property: unknown): string => {
  const { description, title, default: otherwise }: JsonSchema = isSchema(property) ? property : {};
  const said = [description, title].find((text) => typeof text === "string" && text.trim() !== "");
  const words = said?.trim().slice(0, longestWords) ?? `The upstream's \`${name}\`; it says no more about it.`;
  return otherwise === undefined ? words : `${words} (${JSON.stringify(otherwise).slice(0, 80)} when left out)`;
};
