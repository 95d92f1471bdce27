/**
 * The classes of a service for Python callers: a method a procedure, with a keyword argument for each field of its input. A field keeps the name
 * that it has on the wire; a keyword of Python gets an underscore behind.
 */
import { deprecationText, type QueryParameters } from "@fairlead/contracts";
import { pascalCase } from "../../model/letter-case.ts";
import type { ProcedureModel, ServiceModel } from "../../model/model.ts";
import { rootIn } from "../../names/schema-parts.ts";
import { defName } from "../../schema/json-schema.ts";
import { errorTable, type PythonError } from "./errors.ts";
import { pythonArguments, pythonClass, pythonMethod, snakeNames } from "./names.ts";
import { docString, indentPython, pythonString } from "./text.ts";
import type { PythonField } from "./typed-dict.ts";

interface ModuleNames {
  readonly errors: readonly PythonError[];
  /** Fields of a declared object. */
  readonly fields: (type: string) => readonly PythonField[] | undefined;
  readonly taken: ReadonlySet<string>;
}

/** The class that blocks and the one for `asyncio`. */
export const printServices = (service: ServiceModel, names: ModuleNames): readonly string[] => {
  const name = pythonClass(service.id, names.taken);
  const words = [service.summary, service.description].filter((part) => part !== undefined).join("\n\n");
  const methods = methodNames(service);
  const print = (isAsync: boolean): string => {
    const body = service.procedures.map((procedure) =>
      printMethod(procedure, methods.get(procedure.name) ?? procedure.name, { ...names, isAsync }),
    );
    const head = `class ${isAsync ? "Async" : ""}${name}(fairlead.${isAsync ? "Async" : ""}Service):`;
    return `${head}\n${indentPython([docString(words), ...body].join("\n\n"))}`;
  };
  return [print(false), print(true)];
};

/** Those that `client.call` can call. */
const withoutFiles = ({ procedures }: ServiceModel): readonly ProcedureModel[] =>
  procedures.filter(({ upload, download }) => upload === undefined && download === undefined);

const methodNames = ({ procedures }: ServiceModel): ReadonlyMap<string, string> =>
  snakeNames(procedures.map(({ name }) => name));

interface Parameters {
  readonly list: readonly string[];
  /** What is sent. */
  readonly content: string;
  readonly words: readonly string[];
}

const printMethod = (
  procedure: ProcedureModel,
  name: string,
  { errors, fields, isAsync }: ModuleNames & { readonly isAsync: boolean },
): string => {
  const base = pascalCase(procedure.name);
  const { list, content, words } = parameters(`${base}Input`, inputFields(procedure, fields));
  const isStream = procedure.kind === "subscription";
  const { word, output } = form(procedure, base, isAsync);
  const file = list.some((parameter) => parameter.startsWith("file:")) ? "file_" : "file";
  const raised = errors.filter(({ procedures }) => procedures.has(procedure));
  const text = [
    [
      procedure.summary,
      procedure.description,
      procedure.deprecated === undefined ? undefined : deprecationText(procedure.deprecated),
    ]
      .filter((part) => part !== undefined)
      .join("\n\n"),
    ...(words.length === 0 ? [] : [`Args:\n${indentPython(words.join("\n"))}`]),
    ...(raised.length === 0
      ? []
      : [
          `Raises:\n${indentPython(raised.map((error) => `${error.name}: When ${error.whens.join("; or when ")}.`).join("\n"))}`,
        ]),
  ].join("\n\n");
  const isUpload = procedure.upload !== undefined;
  const isRunnable = mayBeRun(procedure);
  const awaits = isAsync && !isStream && !isRunnable;
  const sent = [constantName(name), content, ...(isUpload ? [file] : [])].join(", ");
  const call = `self.${word}(${sent})`;
  const own = isUpload ? [`${file}: fairlead.File`, ...(list.includes("/") ? [] : ["/"])] : [];
  const decorator = isRunnable ? `@fairlead.${isAsync ? "async_" : ""}runnable(lambda: ${constantName(name)})\n` : "";
  const head = `${decorator}${awaits ? "async " : ""}def ${pythonMethod(name)}${parenthesized(["self", ...own, ...list])} -> ${output}:`;
  return `${head}\n${indentPython(`${docString(text)}\nreturn ${awaits ? "await " : ""}${call}`)}`;
};

/** A start takes no file, and gives none. */
const mayBeRun = ({ run, upload, download }: ProcedureModel): boolean =>
  run !== undefined && upload === undefined && download === undefined;

interface MethodForm {
  /** The method of the service's base that it calls. */
  readonly word: string;
  readonly output: string;
}

const form = (procedure: ProcedureModel, base: string, isAsync: boolean): MethodForm => {
  const { kind, upload, download } = procedure;
  const prefix = isAsync ? "Async" : "";
  if (mayBeRun(procedure)) return { word: "_work", output: `fairlead.${prefix}Work[${base}Output]` };
  if (kind === "subscription") return { word: "_subscribe", output: `fairlead.${prefix}Subscription[${base}Output]` };
  if (download !== undefined) return { word: "_download", output: `fairlead.${prefix}Download` };
  return { word: upload === undefined ? "_call" : "_upload", output: `${base}Output` };
};

const longestLine = 100;

/** In one line, or a line each. */
const parenthesized = (parts: readonly string[]): string => {
  const line = `(${parts.join(", ")})`;
  return line.length <= longestLine ? line : `(\n${indentPython(parts.map((part) => `${part},`).join("\n"))}\n)`;
};

const inputFields = (
  { name, input }: ProcedureModel,
  fields: ModuleNames["fields"],
): readonly PythonField[] | undefined => {
  const { $ref } = rootIn(input);
  return fields($ref === undefined ? `${pascalCase(name)}Input` : (defName($ref) ?? ""));
};

/** An input that is not an object, or has a field that no argument can be called by, is one argument. */
const parameters = (type: string, fields: readonly PythonField[] | undefined): Parameters => {
  const names = fields && pythonArguments(fields.map(({ name }) => name));
  if (fields === undefined || names === undefined)
    return { list: [`content: ${type}`, "/"], content: "content", words: [] };
  if (fields.length === 0) return { list: [], content: "{}", words: [] };
  const list = fields.map((field) =>
    field.isRequired
      ? `${names.get(field.name)}: ${field.type}`
      : `${names.get(field.name)}: ${field.type} | fairlead.Unset = fairlead.UNSET`,
  );
  return {
    list: ["*", ...list],
    content: `{${fields.map((field) => `${pythonString(field.name)}: ${names.get(field.name)}`).join(", ")}}`,
    words: fields.flatMap((field) =>
      field.description === undefined ? [] : [`${names.get(field.name)}: ${oneLine(field.description)}`],
    ),
  };
};

const oneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .join(" ");

/** What a procedure's description is called in the module. */
const constantName = (snake: string): string => `_${snake === snake.toLowerCase() ? snake.toUpperCase() : snake}`;

const printQuery = (query: QueryParameters | undefined): readonly string[] => {
  if (query === undefined) return [];
  const fields = [...query].map(([name, type]) => `${pythonString(name)}: ${pythonString(type)}`);
  return [`query={${fields.join(", ")}}`];
};

/** What the client needs to know of each procedure, and all of them by their names in the contract. */
export const printProcedureTable = (service: ServiceModel, errors: readonly PythonError[]): string => {
  const names = methodNames(service);
  const constant = ({ name }: ProcedureModel): string => constantName(names.get(name) ?? name);
  const constants = service.procedures.map((procedure) => {
    const { fullName, kind, path, retry, query, download } = procedure;
    const file = download === undefined ? [] : ["gives_file=True"];
    const parts = [...[fullName, kind, path, retry].map(pythonString), ...printQuery(query), ...file].join(", ");
    const output = `${pascalCase(procedure.name)}Output`;
    return `${constant(procedure)}: fairlead.Procedure[${output}] = fairlead.Procedure(${parts}${errorTable(procedure, errors)})`;
  });
  const table = withoutFiles(service).map((procedure) => `${pythonString(procedure.name)}: ${constant(procedure)},`);
  const words = docString(
    "Procedures by their names in the contract, for programs that choose one at run time: `client.call(procedures[name], {...})`.",
  );
  return `${constants.join("\n")}\n\nprocedures: Mapping[str, fairlead.Procedure[object]] = {\n${indentPython(table.join("\n"))}\n}\n${words}`;
};
