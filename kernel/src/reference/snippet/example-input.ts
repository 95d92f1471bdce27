/** An input made up from its JSON Schema, where a contract has no example: what is required, with a value of the right type. Pure. */
import { isRecord } from "../../call/record.ts";
import { resolveRef, type SchemaNode } from "../schema/schema-text.ts";

const deepest = 6;

/** Values may still break rules that no type says, like a pattern. References lead into `root`. */
export const exampleInput = (schema: SchemaNode, root: SchemaNode = schema): unknown =>
  exampleValue(schema, { root, name: "", depth: 0 });

interface FieldPlace {
  readonly root: SchemaNode;
  /** Of the field. */
  readonly name: string;
  readonly depth: number;
}

const exampleValue = (given: unknown, place: FieldPlace): unknown => {
  const schema = resolveRef(given, place.root);
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const variants = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(variants) && place.depth < deepest) return exampleValue(variants[0], below(place, place.name));
  const { type } = schema;
  switch (Array.isArray(type) ? type[0] : type) {
    case "object":
      return exampleObject(schema, place);
    case "array":
      return Number(schema.minItems ?? 0) > 0 && place.depth < deepest
        ? [exampleValue(schema.items, below(place, place.name))]
        : [];
    case "integer":
    case "number":
      return exampleNumber(schema);
    case "boolean":
      return false;
    case "string":
      return place.name === "" ? "text" : place.name;
    default:
      return null;
  }
};

const below = ({ root, depth }: FieldPlace, name: string): FieldPlace => ({ root, name, depth: depth + 1 });

const exampleObject = ({ properties, required }: SchemaNode, place: FieldPlace): SchemaNode => {
  if (!isRecord(properties) || !Array.isArray(required) || place.depth >= deepest) return {};
  return Object.fromEntries(required.map((name: string) => [name, exampleValue(properties[name], below(place, name))]));
};

const exampleNumber = ({ minimum, exclusiveMinimum, maximum }: SchemaNode): number => {
  if (typeof minimum === "number" && minimum > 0) return minimum;
  if (typeof exclusiveMinimum === "number" && exclusiveMinimum >= 0) return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === "number" && maximum < 0 ? maximum : 0;
};
