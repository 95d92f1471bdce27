/** Which schemas are objects that a Python class can be. Pure. Not here: the classes (`typed-dict`), and all other types (`types`). */
import { pascalCase } from "../../model/letter-case.ts";
import { defName, isSchema, type JsonSchema } from "../../schema/json-schema.ts";

/** What a name in a reference stands for. */
export type FindDefinition = (name: string) => JsonSchema | undefined;

/** An object with fields and nothing else; of an intersection, that of all its parts. */
export const mergeObject = (schema: JsonSchema, definition: FindDefinition, depth = 0): JsonSchema | undefined => {
  const parts = [
    ...(schema.allOf ?? []),
    ...(schema.$ref === undefined ? [] : [definition(defName(schema.$ref) ?? "") ?? {}]),
  ];
  if (depth > 20 || schema.anyOf !== undefined || schema.oneOf !== undefined) return undefined;
  if (parts.length === 0) return isPlainObject(schema) ? schema : undefined;
  const { allOf: _, $ref: __, ...own } = schema;
  const objects = [
    ...parts.map((part) => mergeObject(part, definition, depth + 1)),
    ...(own.properties === undefined ? [] : [own]),
  ];
  if (objects.some((each) => each === undefined)) return undefined;
  const known = objects.filter((each) => each !== undefined);
  const properties: Record<string, JsonSchema> = {};
  for (const { properties: more = {} } of known)
    for (const [name, field] of Object.entries(more))
      properties[name] = properties[name] === undefined ? field : { allOf: [properties[name], field] };
  return { ...own, type: "object", properties, required: known.flatMap(({ required = [] }) => required) };
};

/** The text that distinguishes an object of a union from the others. */
export const findTag = ({ properties = {} }: JsonSchema): string | undefined => {
  const tag = Object.values(properties).find(
    (field) => typeof field.const === "string" && pascalCase(field.const) !== "",
  );
  return typeof tag?.const === "string" ? tag.const : undefined;
};

/** True for fields that are all named. */
export const isPlainObject = ({
  type,
  properties,
  additionalProperties,
  patternProperties,
  allOf,
}: JsonSchema): boolean =>
  type === "object" &&
  properties !== undefined &&
  allOf === undefined &&
  patternProperties === undefined &&
  additionalProperties !== true &&
  !isSchema(additionalProperties);

/** True for several named fields beside which anything else may be: of an input, a caller wants to see the names. */
const isOpenSheet = ({ additionalProperties: extra, properties = {} }: JsonSchema): boolean =>
  isSchema(extra) && Object.keys(extra).length === 0 && Object.keys(properties).length > 1;

/** The fields of such a sheet; any other schema is itself. */
export const asSheet = (schema: JsonSchema, isInput: boolean): JsonSchema =>
  isInput && isOpenSheet(schema) ? withoutExtra(schema) : schema;

const withoutExtra = ({ additionalProperties: _, ...fields }: JsonSchema): JsonSchema => fields;
