/** The text of a type to a type: `Int32?`, `List<Buff>`, `Byte[]`, `Dictionary<String, Component>`. */

const lists: ReadonlySet<string> = new Set(["List", "IList", "ICollection", "IEnumerable", "HashSet", "ISet"]);
const dictionaries: ReadonlySet<string> = new Set(["Dictionary", "IDictionary", "ConcurrentDictionary", "Map"]);

/** Throws when the text names an undeclared type. */
import {
  classType,
  dynamic,
  enumType,
  listType,
  predefinedType,
  type ScalarName,
  scalar,
  type Type,
  type TypeDefinition,
  toNullable,
} from "@fairlead/linq";
export const typeFromText = (text: string, declared: (name: string) => TypeDefinition | undefined): Type => {
  const trimmed = text.trim();
  if (trimmed.endsWith("?")) return toNullable(typeFromText(trimmed.slice(0, -1), declared));
  if (trimmed.endsWith("[]")) return listType(typeFromText(trimmed.slice(0, -2), declared));
  const open = trimmed.indexOf("<");
  if (open > 0 && trimmed.endsWith(">")) return generic(trimmed.slice(0, open), trimmed.slice(open + 1, -1), declared);
  if (trimmed === "object" || trimmed === "Object" || trimmed === "Type") return dynamic;
  const predefined = predefinedType(trimmed);
  if (predefined !== undefined && predefined !== "Math" && predefined !== "Convert")
    return scalar(predefined as ScalarName);
  const found = declared(trimmed);
  if (found === undefined) throw new Error(`Type '${trimmed}' is used in a declaration but not declared`);
  return found.kind === "enum" ? enumType(found) : classType(found);
};

const generic = (name: string, inside: string, declared: (name: string) => TypeDefinition | undefined): Type => {
  const parts = splitTop(inside).map((part) => typeFromText(part, declared));
  const [first, second] = parts;
  if (lists.has(name) && first !== undefined && second === undefined) return listType(first);
  if (dictionaries.has(name) && first !== undefined && second !== undefined)
    return { kind: "dictionary", key: first, value: second };
  throw new Error(`Type '${name}<${inside}>' is not a known collection`);
};

/** Splits at commas that are not inside brackets. */
const splitTop = (text: string): readonly string[] => {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index <= text.length; index++) {
    const unit = text[index];
    if (unit === "<") depth++;
    else if (unit === ">") depth--;
    else if (index === text.length || (unit === "," && depth === 0)) {
      parts.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return parts;
};
