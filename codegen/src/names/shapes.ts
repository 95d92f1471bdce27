/**
 * Finds the parts of a schema that have a name when they are used twice: objects of several fields, unions of objects and lists of words to
 * choose from, where their author has named none of them.
 *
 * Not here: which of them are used twice (`share`), and their names (`anonymous-names`).
 */
import { children, defName, type JsonSchema, joinPath, rewrite } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";
import { definitionsIn, describeDefinition, extendPath, rootIn } from "./schema-parts.ts";

/** Where in a schema something is. */
interface ShapePlace {
  /** The definition in whose body it is; `undefined` in the schema's own. */
  readonly within: string | undefined;
  /** The id that it is below; `undefined` where it is below none. */
  readonly from: string | undefined;
  /** Field path from there. */
  readonly path: string;
  /** The shape around it; `undefined` where the body has none around it. */
  readonly around: SchemaShape | undefined;
}

/** A part of a schema that can have a name. */
export interface SchemaShape extends ShapePlace {
  readonly node: JsonSchema;
  /** A number for what it says, its place aside: two of the same number are the same shape, in whatever schemas. */
  readonly content: number;
  /** A list of words: the same type on both sides. */
  readonly isChoice: boolean;
  /** The schema as a whole, which has a name by its procedure. */
  readonly isRoot: boolean;
}

/** Keywords that say something of a place, and not of what is there. */
const placeWords: ReadonlySet<string> = new Set(
  "$defs description title default examples deprecated readOnly writeOnly".split(" "),
);

/** What a schema says by itself, and what it says of its place. */
export const splitWords = (schema: JsonSchema): { readonly body: JsonSchema; readonly words: JsonSchema } => {
  const pick = (isOfPlace: boolean): JsonSchema =>
    Object.fromEntries(Object.entries(schema).filter(([keyword]) => placeWords.has(keyword) === isOfPlace));
  return { body: pick(false), words: pick(true) };
};

const leastFields = 2;
const leastWords = 3;

const isChoice = ({ enum: words = [] }: JsonSchema): boolean => words.length >= leastWords;

const isObject = ({ type, properties = {} }: JsonSchema): boolean =>
  type === "object" && Object.keys(properties).length >= leastFields;

const objectsIn = ({ anyOf, oneOf }: JsonSchema): number =>
  (anyOf ?? oneOf ?? []).filter(({ type, $ref }) => type === "object" || $ref !== undefined).length;

const isShape = (node: JsonSchema): boolean =>
  node.$ref === undefined && (isChoice(node) || isObject(node) || objectsIn(node) > 1);

/** Keywords whose schemas are values; what others hold is read together with what is around it. */
const valueKeywords: ReadonlySet<string> = new Set(
  "properties items prefixItems additionalProperties patternProperties anyOf oneOf".split(" "),
);

const contents = new Map<string, number>();

const contentNumber = (text: string): number => {
  const number = contents.get(text) ?? contents.size;
  contents.set(text, number);
  return number;
};

const known = new WeakMap<LoweredSchema, readonly SchemaShape[]>();

/** All of them, each before those inside of it. */
export const findShapes = (schema: LoweredSchema): readonly SchemaShape[] => {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const definitions = definitionsIn(schema);
  const anonymous = new Set(schema.anonymous);
  const found: SchemaShape[] = [];
  const entered = new Set<string>();
  const visitChildren = (node: JsonSchema, place: ShapePlace): void => {
    for (const [at, child] of children(node)) {
      if (at.keyword !== "allOf" && !valueKeywords.has(at.keyword)) continue;
      const path = `${extendPath(place.path, joinPath("", at))}${objectsIn(node) > 1 ? branchName(at.key, child) : ""}`;
      visit(child, { ...place, path }, valueKeywords.has(at.keyword));
    }
  };
  const visit = (node: JsonSchema, place: ShapePlace, isValue: boolean, isRoot = false): void => {
    const shape =
      isValue && isShape(node)
        ? { ...place, node, content: contentNumber(describe(node)), isChoice: isChoice(node), isRoot }
        : undefined;
    if (shape !== undefined) found.push(shape);
    visitChildren(node, shape === undefined ? place : { ...place, around: shape });
    const name = node.$ref === undefined ? undefined : defName(node.$ref);
    const definition = name === undefined ? undefined : definitions[name];
    if (name === undefined || definition === undefined || entered.has(name)) return;
    entered.add(name);
    const inside = anonymous.has(name) ? { from: place.from, path: place.path } : { from: name, path: "" };
    visitChildren(definition, { ...inside, within: name, around: undefined });
  };
  const describe = (node: JsonSchema): string => {
    const { body } = splitWords(node);
    if (anonymous.size === 0) return JSON.stringify(body);
    const plain = rewrite(body, (inner) => {
      const name = inner.$ref === undefined ? undefined : defName(inner.$ref);
      if (name === undefined || !anonymous.has(name)) return inner;
      return { ...inner, $ref: describeDefinition(name, definitions, anonymous) };
    });
    return JSON.stringify(plain);
  };
  visit(rootIn(schema), { within: undefined, from: undefined, path: "", around: undefined }, true, true);
  known.set(schema, found);
  return found;
};

/** Branches of one union have one path; the text that distinguishes a branch, or else its number, is its name there. */
const branchName = (index: number | string | undefined, { properties = {} }: JsonSchema): string => {
  const tag = Object.values(properties).find((field) => typeof field.const === "string");
  if (index === undefined) return "";
  return `|${typeof tag?.const === "string" ? tag.const : Number(index) + 1}`;
};
