/** A JSON Schema as lines for people: one a field, with path, type and description. Pure; knows the keywords codegen writes. */

type Json = Readonly<Record<string, unknown>>;

export interface FieldLine {
  /** From the root, like `game.npcs[].ac`; a question mark after it when it may be left out. */
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

const deepest = 6;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const fieldLines = (schema: Json): readonly FieldLine[] =>
  linesOf(schema, { root: schema, path: "", depth: 0, opened: new Set() });

interface Place {
  readonly root: Json;
  readonly path: string;
  readonly depth: number;
  /** Definitions that were taken apart already, each with its path: another shape of a union does not do it again. */
  readonly opened: Set<string>;
}

const linesOf = (given: unknown, place: Place): readonly FieldLine[] => {
  const { root, path, depth, opened } = place;
  const schema = resolved(given, root);
  if (depth > deepest || openedBefore(given, place)) return [];
  if (isRecord(schema.items)) return linesOf(schema.items, { root, path: `${path}[]`, depth: depth + 1, opened });
  const variants = listOf(schema.anyOf ?? schema.oneOf ?? schema.allOf);
  const properties = isRecord(schema.properties) ? Object.entries(schema.properties) : [];
  const required = listOf(schema.required);
  return [
    ...properties.flatMap(([name, property]) => {
      const at = path === "" ? name : `${path}.${name}`;
      const full = resolved(property, root);
      const line = {
        path: required.includes(name) ? at : `${at}?`,
        type: typeText(full, root),
        description: words(property, full),
      };
      return [line, ...linesOf(property, { root, path: at, depth: depth + 1, opened })];
    }),
    ...variants.flatMap((variant) => linesOf(variant, { root, path, depth: depth + 1, opened })),
  ];
};

const openedBefore = (given: unknown, { path, opened }: Place): boolean => {
  if (!isRecord(given) || typeof given.$ref !== "string") return false;
  const here = `${path} ${given.$ref}`;
  if (opened.has(here)) return true;
  opened.add(here);
  return false;
};

const words = (given: unknown, schema: Json): string => {
  const own = isRecord(given) ? given.description : undefined;
  return [own, schema.description].find((text) => typeof text === "string") ?? "";
};

/** Follows references into the document's own definitions; a cycle ends at the depth limit. */
const resolved = (schema: unknown, root: Json): Json => {
  if (!isRecord(schema)) return {};
  const { $ref: ref } = schema;
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  const target = ref
    .slice(2)
    .split("/")
    .reduce<unknown>(
      (at, part) => (isRecord(at) ? at[part.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
      root,
    );
  return isRecord(target) ? target : {};
};

const typeText = (schema: Json, root: Json, depth = 0): string => {
  if ("const" in schema) return JSON.stringify(schema.const);
  const choices = listOf(schema.enum);
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const variants = listOf(schema.anyOf ?? schema.oneOf);
  if (variants.length > 0 && depth < 3) {
    return [...new Set(variants.map((variant) => typeText(resolved(variant, root), root, depth + 1)))].join(" | ");
  }
  const { type, items, minimum, maximum } = schema;
  if (type === "array" && depth < 3) return `${typeText(resolved(items, root), root, depth + 1)}[]`;
  const name = Array.isArray(type) ? type.join(" | ") : typeof type === "string" ? type : "any";
  const range = `${bound(minimum)}..${bound(maximum)}`;
  return range === ".." ? name : `${name} ${range}`;
};

const bound = (value: unknown): string =>
  typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER ? String(value) : "";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
