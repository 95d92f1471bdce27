/**
 * Python text: the banner, quoting, names and doc strings.
 *
 * Not here: what the files say (`python`), and types (`types`).
 */
import type { ServiceModel } from "../../model/model.ts";
import { isPythonKeyword } from "../../names/reserved.ts";
import { bannerText, indent } from "../../print/text.ts";

/** Python modules indent by four. */
export const indentPython = (text: string): string => indent(text, "    ");

const typingNames = ["Literal", "Never", "NotRequired", "TypeAlias", "TypedDict", "cast"];
const collectionNames = ["Mapping", "Sequence"];

/** The comment that a generated file begins with. */
export const pythonBanner = (services: readonly ServiceModel[]): string =>
  bannerText(services)
    .split(/(?<=\.) (?=Do )/)
    .map((line) => `# ${line}`)
    .join("\n");

/** A Python module: banner, doc string, the imports of the standard library that its body uses, further imports, body. */
export const pythonModule = (
  services: readonly ServiceModel[],
  summary: string,
  { imports, body }: { readonly imports: readonly string[]; readonly body: readonly string[] },
): string => {
  const text = body.join("\n\n\n");
  const found = wordsIn(text);
  const used = (names: readonly string[]): string => names.filter((name) => found.has(name)).join(", ");
  const standard = [
    ["collections.abc", used(collectionNames)],
    ["typing", used(typingNames)],
  ].flatMap(([module, names]) => (names === "" ? [] : [`from ${module} import ${names}`]));
  const parts = [
    `${pythonBanner(services)}\n${docString(summary)}`,
    "from __future__ import annotations",
    standard.join("\n"),
    ...imports,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n\n${text.startsWith("class ") ? "\n" : ""}${text}\n`;
};

/** All names in a module's body, not those in its doc strings and comments. */
export const wordsIn = (body: string): ReadonlySet<string> => {
  const code = body.split('"""').filter((_, index) => index % 2 === 0);
  const lines = code.flatMap((part) => part.split("\n")).filter((line) => !line.trimStart().startsWith("#"));
  return new Set(lines.join("\n").match(/\w+/g));
};

/** A text in Python's quotes. JSON's escapes are Python's, but for characters beyond the first plane, which JSON leaves as they are. */
export const pythonString = (text: string): string => JSON.stringify(text);

/** A type outside of an annotation: in quotes where it names what is further down. */
export const lateType = (type: string): string => {
  // Reads an unfinished text to its end, so that no text is read twice.
  const names = type.replaceAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)/gs, "").match(/\b[A-Z]\w*/g) ?? [];
  if (names.every((name) => runtimeNames.has(name))) return type;
  return type.includes('"') ? `'${type}'` : `"${type}"`;
};

const runtimeNames: ReadonlySet<string> = new Set([...typingNames, ...collectionNames, "None", "True", "False"]);

/** A doc string, or nothing. */
export const docString = (text: string | undefined): string => {
  if (text === undefined || text.trim() === "") return "";
  const safe = text.trim().replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  const lines = safe.split(/\r?\n/).map((line) => line.trimEnd());
  return lines.length === 1 ? `"""${safe}"""` : `"""${lines.join("\n")}\n"""`;
};

/** A name that a class body may have as it is: two underscores in front would be renamed by Python. */
export const isPythonName = (name: string): boolean => /^(?!__)[A-Za-z_]\w*$/.test(name) && !isPythonKeyword(name);

/** A name that Python has for something else gets an underscore behind. */
export const escapeName = (name: string, isTaken: (name: string) => boolean): string =>
  isPythonKeyword(name) || isTaken(name) ? `${name}_` : name;
