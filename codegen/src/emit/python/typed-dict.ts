/** A `TypedDict` as text: a class, or a call where a class body cannot have its names. Not here: the types of its fields (`types`). */
import { isPythonBuiltin } from "../../names/reserved.ts";
import { docString, indentPython, isPythonName, lateType, pythonString } from "./text.ts";

/** A field of an object, with its type as an expression. */
export interface PythonField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string | undefined;
}

/** The declaration of a `TypedDict`. */
export const printTypedDict = (
  name: string,
  description: string | undefined,
  fields: readonly PythonField[],
): string => {
  const words = docString(description);
  return fields.every(({ name: key }) => isPythonName(key) && !isTypeName(key))
    ? printClass(name, words, fields)
    : printCall(name, words, fields);
};

/** A field that is called like a type would be taken for it by the fields below it. */
const isTypeName = (name: string): boolean => isPythonBuiltin(name) || /^[A-Z]/.test(name);

const fieldType = ({ type, isRequired }: PythonField): string => (isRequired ? type : `NotRequired[${type}]`);

/** A field of a `TypedDict` has no decorator that says it, so that the words do. */
export const fieldWords = (field: {
  readonly description: string | undefined;
  readonly deprecated: boolean;
}): string | undefined => {
  const { description = "", deprecated } = field;
  if (!deprecated || /\bdeprecated\b/i.test(description)) return field.description;
  return description === "" ? "Deprecated." : `${description}\n\nDeprecated.`;
};

const printClass = (name: string, words: string, fields: readonly PythonField[]): string => {
  const lines = fields.flatMap((field) => [`${field.name}: ${fieldType(field)}`, docString(field.description)]);
  const body = [words, ...lines].filter((line) => line !== "");
  return `class ${name}(TypedDict):\n${indentPython(body.length === 0 ? "pass" : body.join("\n"))}`;
};

/** For fields whose names no class body can have. */
const printCall = (name: string, words: string, fields: readonly PythonField[]): string => {
  const lines = fields.flatMap((field) => [
    ...(field.description ?? "").split(/\r?\n/).flatMap((line) => (line === "" ? [] : [`# ${line}`])),
    `${pythonString(field.name)}: ${lateType(fieldType(field))},`,
  ]);
  const call = `${name} = TypedDict(\n    "${name}",\n    {\n${indentPython(indentPython(lines.join("\n")))}\n    },\n)`;
  return words === "" ? call : `${call}\n${words}`;
};
