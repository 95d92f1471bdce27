/** Changes of one schema of a procedure: an input must not take less than before, an output must not give more. Pure. */
import { defName, isSchema, type JsonSchema } from "../schema/json-schema.ts";
import { type ChangeKind, type ChangePlace, change, type ReleaseChange } from "./change.ts";
import { isSame } from "./same.ts";
import { differences, type SchemaDifference } from "./witness.ts";

type SchemaPosition = "input" | "output";

/** `before` and `after` are complete, with their own `$defs`. */
export const schemaChanges = (
  position: SchemaPosition,
  [before, after]: readonly [JsonSchema, JsonSchema],
  place: ChangePlace,
): readonly ReleaseChange[] => {
  if (isSame(before, after)) return [];
  const isInput = position === "input";
  const lost = isInput ? differences(before, after) : differences(after, before);
  const won = isInput ? differences(after, before) : differences(before, after);
  const at = ({ path }: SchemaDifference): ChangePlace => ({
    ...place,
    where: path === "" ? place.where : `${place.where} ${path}`,
  });
  const breaking = lost.map((each) => {
    const message = `${isInput ? "takes less" : "gives more"}: ${differenceText(each, isInput)}`;
    const { witness } = each;
    if (witness === undefined)
      return change(`${position}_undecided`, at(each), { message: `${message}; not decided, no value shows it` });
    return change(isInput ? "input_narrowed" : "output_widened", at(each), {
      message,
      witness: valueText(witness.value),
    });
  });
  const kind: ChangeKind = isInput ? "input_widened" : "output_narrowed";
  // What no value shows is no reason to say that more is taken; where it is a warning already, that is the one verdict.
  const compatible = won
    .filter((each) => each.witness !== undefined || !lost.some((other) => isSamePlace(each, other)))
    .map((each) => {
      const words = isInput ? ["takes more", "takes no less"] : ["gives less", "gives no more"];
      const message = `${words[each.witness === undefined ? 1 : 0]}: ${differenceText(each, !isInput)}`;
      return change(kind, at(each), { message });
    });
  return [...breaking, ...fieldChanges(position, [fieldsIn(before), fieldsIn(after)], place), ...compatible];
};

const isSamePlace = (a: SchemaDifference, b: SchemaDifference): boolean => a.path === b.path && a.keyword === b.keyword;

/** From before to after, whichever of them is the wider. */
const differenceText = ({ keyword, wider, narrower }: SchemaDifference, widerIsBefore: boolean): string => {
  const [from, to] = widerIsBefore ? [wider, narrower] : [narrower, wider];
  return `${keyword} ${shown(from)} -> ${shown(to)}`;
};

const shown = (value: unknown): string =>
  value === undefined ? "none" : typeof value === "object" ? valueText(value) : String(value);

const longestValue = 160;

const valueText = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 3)}...`;
};

/** Changes that no value shows: a field that is ignored from now on, and one that has another default. */
const fieldChanges = (
  position: SchemaPosition,
  [before, after]: readonly [ReadonlyMap<string, JsonSchema>, ReadonlyMap<string, JsonSchema>],
  place: ChangePlace,
): readonly ReleaseChange[] =>
  [...before].flatMap(([path, field]): readonly ReleaseChange[] => {
    const now = after.get(path);
    const at = { ...place, where: `${place.where} ${path}` };
    if (now === undefined) {
      const parent = path.slice(0, Math.max(0, path.lastIndexOf(".")));
      if (parent !== "" && !after.has(parent)) return [];
      return [
        change(`${position}_field_removed`, at, {
          message: position === "input" ? "the field is gone" : "the field is gone, and code that names it",
        }),
      ];
    }
    if (position === "output" || isSame(field.default, now.default)) return [];
    return [
      change("default_changed", at, {
        message: `the default was ${shown(field.default)}, and is ${shown(now.default)}`,
      }),
    ];
  });

const deepest = 12;

/** Named fields by path, through lists and definitions. */
const fieldsIn = (root: JsonSchema): ReadonlyMap<string, JsonSchema> => {
  const found = new Map<string, JsonSchema>();
  const visit = (schema: JsonSchema, path: string, inside: readonly string[]): void => {
    const name = schema.$ref === undefined ? undefined : defName(schema.$ref);
    if (name !== undefined) {
      const target = root.$defs?.[name];
      if (target !== undefined && !inside.includes(name) && inside.length < deepest)
        visit(target, path, [...inside, name]);
      return;
    }
    for (const [key, field] of Object.entries(schema.properties ?? {})) {
      const at = path === "" ? key : `${path}.${key}`;
      if (!found.has(at)) found.set(at, field);
      visit(field, at, inside);
    }
    if (isSchema(schema.items)) visit(schema.items, `${path}[]`, inside);
    for (const part of [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])])
      visit(part, path, inside);
  };
  visit(root, "", []);
  return found;
};
