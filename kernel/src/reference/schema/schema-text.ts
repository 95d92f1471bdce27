/** A JSON Schema as lines for people: one a field, with path, type and description. Pure; knows the keywords codegen writes. */
import { isRecord } from "../../call/record.ts";

/** An object of a JSON document. */
export type SchemaNode = Readonly<Record<string, unknown>>;

interface FieldLine {
  /** From the root, like `game.npcs[].ac`; a question mark after it when it may be left out. */
  readonly path: string;
  /** Empty in a line that says which shape of a union the lines after it are about. */
  readonly type: string;
  readonly description: string;
}

const deepest = 6;

/** The name of what is behind a reference, where that is explained elsewhere; `undefined` where it is explained in its place. */
type NameType = (reference: string) => string | undefined;

const unnamed: NameType = () => undefined;

/** References lead into `root`: the schema itself, or the document that it is part of. */
export const fieldLines = (
  schema: SchemaNode,
  root: SchemaNode = schema,
  nameType: NameType = unnamed,
): readonly FieldLine[] => schemaLines(schema, { root, nameType, path: "", depth: 0, opened: new Set() });

/** What is said of a schema that has no field to be listed: what it takes, or `(nothing)` for an object without members. */
export const bareText = (schema: SchemaNode, root: SchemaNode = schema): string => {
  const full = resolveRef(schema, root);
  const { type, properties, additionalProperties: more } = full;
  if (type === "object")
    return more === false || (more === undefined && isRecord(properties)) ? "(nothing)" : "anything, by name";
  const text = typeText(full, { root, nameType: unnamed });
  const takes = new Set(text.split(" | "));
  return text === "any" || ["string", "number", "boolean", "null", "object"].every((one) => takes.has(one))
    ? "anything"
    : text;
};

/** Where references lead, and which of them are names. */
interface Names {
  readonly root: SchemaNode;
  readonly nameType: NameType;
}

interface Place extends Names {
  readonly path: string;
  readonly depth: number;
  /** Definitions that were taken apart already, each with its path: another shape of a union does not do it again. */
  readonly opened: Set<string>;
}

const schemaLines = (given: unknown, place: Place): readonly FieldLine[] => {
  const { path, depth } = place;
  if (depth > deepest || (depth > 0 && typeName(given, place) !== undefined) || wasOpened(given, place)) return [];
  const schema = resolveRef(given, place.root);
  const below = { ...place, depth: depth + 1 };
  if (isRecord(schema.items)) return schemaLines(schema.items, { ...below, path: `${path}[]` });
  return [
    ...schemaFields(schema, place).flatMap(({ line, nested }) => [line, ...nested]),
    ...asList(schema.allOf).flatMap((part) => schemaLines(part, below)),
    ...shapeLines(
      asList(schema.anyOf ?? schema.oneOf).map((variant) => parseShape(variant, below)),
      path,
    ),
  ];
};

/** A field with what is below it. */
interface Field {
  readonly name: string;
  readonly line: FieldLine;
  readonly nested: readonly FieldLine[];
  /** The only value it may have, as JSON. */
  readonly fixed: string | undefined;
}

const schemaFields = (schema: SchemaNode, place: Place): readonly Field[] => {
  const { root, path, depth } = place;
  const required = asList(schema.required);
  return (isRecord(schema.properties) ? Object.entries(schema.properties) : []).map(([name, property]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const full = resolveRef(property, root);
    return {
      name,
      line: {
        path: required.includes(name) ? at : `${at}?`,
        type: typeText(property, place),
        description: words(property, full),
      },
      nested: schemaLines(property, { ...place, path: at, depth: depth + 1 }),
      fixed: "const" in full ? JSON.stringify(full.const) : undefined,
    };
  });
};

/** One of the things that a union may be. */
interface Shape {
  readonly fields: readonly Field[];
  readonly others: readonly FieldLine[];
  readonly description: string;
}

const parseShape = (given: unknown, place: Place): Shape => {
  const schema = resolveRef(given, place.root);
  const description = words(given, schema);
  if (place.depth > deepest || wasOpened(given, place)) return { fields: [], others: [], description };
  const { properties: _, ...others } = schema;
  return { fields: schemaFields(schema, place), others: schemaLines(others, place), description };
};

/** What all shapes have comes first and once; then each with what is its own, under a line that says when it is that one. */
const shapeLines = (all: readonly Shape[], path: string): readonly FieldLine[] => {
  const shapes = all.filter(({ fields, others }) => fields.length > 0 || others.length > 0);
  const [first] = shapes;
  if (first === undefined) return [];
  if (shapes.length === 1) return [...first.fields.flatMap(({ line, nested }) => [line, ...nested]), ...first.others];
  const common = new Set(
    first.fields
      .map(lineKey)
      .filter((key) => shapes.every((shape) => shape.fields.some((field) => lineKey(field) === key))),
  );
  const tag = first.fields.map(({ name }) => name).find((name) => isTag(name, shapes));
  const shared = [...common].flatMap((key) => {
    const same = shapes.flatMap(({ fields }) => fields.filter((field) => lineKey(field) === key));
    return [...same.slice(0, 1).map(({ line }) => line), ...same.flatMap(({ nested }) => nested)];
  });
  const own = shapes.flatMap((shape, at) => {
    const tagged = shape.fields.find(({ name }) => name === tag);
    const when = tagged === undefined ? `shape ${at + 1} of ${shapes.length}` : `when ${tag} is ${tagged.fixed}`;
    const heading = {
      path: path === "" ? when : `${path}, ${when}`,
      type: "",
      description:
        [tagged?.line.description, shape.description].find((text) => text !== undefined && text !== "") ?? "",
    };
    const rest = shape.fields.filter((field) => field !== tagged && !common.has(lineKey(field)));
    return [heading, ...rest.flatMap(({ line, nested }) => [line, ...nested]), ...shape.others];
  });
  return [...shared, ...own];
};

const lineKey = ({ line }: Field): string => JSON.stringify(line);

/** True for a field by which the shapes differ: each has it with another value. */
const isTag = (name: string, shapes: readonly Shape[]): boolean => {
  const values = shapes.map(({ fields }) => fields.find((field) => field.name === name)?.fixed);
  return !values.includes(undefined) && new Set(values).size === shapes.length;
};

const wasOpened = (given: unknown, { path, opened }: Place): boolean => {
  if (!isRecord(given) || typeof given.$ref !== "string") return false;
  const here = `${path} ${given.$ref}`;
  if (opened.has(here)) return true;
  opened.add(here);
  return false;
};

const words = (given: unknown, schema: SchemaNode): string => {
  const own = isRecord(given) ? given.description : undefined;
  return [own, schema.description].find((text) => typeof text === "string") ?? "";
};

/** Follows references into the document's own definitions, also where one leads to the next; a cycle ends at the depth limit. */
export const resolveRef = (schema: unknown, root: SchemaNode, depth = 0): SchemaNode => {
  if (!isRecord(schema)) return {};
  const { $ref: ref, ...own } = schema;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  const target = at(ref, root);
  if (!isRecord(target)) return {};
  return typeof target.$ref === "string" && depth < deepest
    ? { ...resolveRef(target, root, depth + 1), ...own }
    : target;
};

/** What a reference leads to in the document. */
const at = (reference: string, root: SchemaNode): unknown =>
  reference
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (found, part) => (isRecord(found) ? found[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
      root,
    );

/** The name that stands for a schema which is a reference. */
const typeName = (given: unknown, { root, nameType }: Names, depth = 0): string | undefined => {
  if (!isRecord(given) || typeof given.$ref !== "string") return undefined;
  const name = nameType(given.$ref);
  if (name !== undefined || depth > deepest) return name;
  return typeName(at(given.$ref, root), { root, nameType }, depth + 1);
};

const typeText = (given: unknown, names: Names, depth = 0): string => {
  const name = typeName(given, names);
  if (name !== undefined) return name;
  const schema = resolveRef(given, names.root);
  if ("const" in schema) return JSON.stringify(schema.const);
  const choices = asList(schema.enum);
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const variants = asList(schema.anyOf ?? schema.oneOf);
  if (variants.length > 0 && depth < 3)
    return [...new Set(variants.map((variant) => typeText(variant, names, depth + 1)))].join(" | ");
  const { type, items, minimum, maximum } = schema;
  if (type === "array" && depth < 3) {
    const text = typeText(items, names, depth + 1);
    return text.includes(" ") && resolveRef(items, names.root).type !== "array" ? `(${text})[]` : `${text}[]`;
  }
  const kind = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
  const range = `${bound(minimum)}..${bound(maximum)}`;
  return range === ".." ? kind : `${kind} ${range}`;
};

const bound = (value: unknown): string =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? String(value) : "";

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
