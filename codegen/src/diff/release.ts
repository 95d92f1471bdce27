/**
 * What a release offers, read from the documents that `gen` writes and a kernel serves: `openapi.json`, `verbs.json` and a JSON Schema document a
 * service. Pure; takes nothing for granted about what it reads.
 *
 * Not here: where the documents come from (the command line), and comparing two releases (`compare`).
 */
import { isSchema, type JsonSchema, reachable } from "../schema/json-schema.ts";

/** Documents by file name, like `openapi.json`. */
export type ReleaseDocuments = ReadonlyMap<string, unknown>;

interface ReleasedError {
  readonly code: string;
  readonly data?: JsonSchema;
}

interface ReleasedQuestion {
  /** `form` or `confirm`. */
  readonly kind: string;
  /** Of a form. */
  readonly answer?: JsonSchema;
}

/** The file that a procedure takes or gives. */
export interface ReleasedFile {
  /** Of one that is taken. */
  readonly maxBytes?: number;
  /** Media types, like `image/*`; any where it is absent. */
  readonly types?: readonly string[];
}

export interface ReleasedProcedure {
  /** `notes.add`. */
  readonly name: string;
  readonly kind: string;
  readonly retry: string;
  readonly access: string;
  readonly tool?: string;
  /** The words, where it is deprecated. */
  readonly deprecated?: string;
  /** As stated; absent for the default. */
  readonly deadlineMs?: number;
  readonly hints: Readonly<Record<string, unknown>>;
  /** It can be started as a run. */
  readonly isRun: boolean;
  /** Its output is a page of a list. */
  readonly isPaginated: boolean;
  readonly upload?: ReleasedFile;
  readonly download?: ReleasedFile;
  readonly questions: ReadonlyMap<string, ReleasedQuestion>;
  /** `POST /api/notes/add`. */
  readonly routes: readonly string[];
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly errors: ReadonlyMap<string, ReleasedError>;
}

export interface ReleasedVerb {
  /** `session start`. */
  readonly name: string;
  readonly service: string;
  readonly arguments: readonly { readonly name: string; readonly optional: boolean }[];
  /** As written: `-a, --all <n>`. */
  readonly flags: readonly string[];
  /** Fields of the document that `--json` prints. */
  readonly document: readonly string[];
}

export interface ReleasedService {
  readonly id: string;
  readonly version: string;
  readonly procedures: ReadonlyMap<string, ReleasedProcedure>;
}

/** The contracts of one release, as its generated documents describe them. */
export interface Release {
  readonly services: ReadonlyMap<string, ReleasedService>;
  readonly verbs: ReadonlyMap<string, ReleasedVerb>;
}

const openapiFile = "openapi.json";
/** The generated document of all verbs. */
export const verbsFile = "verbs.json";
const schemaSuffix = ".schema.json";

/** The name of a service's JSON Schema document. */
export const schemaFile = (service: string): string => `${service}${schemaSuffix}`;

/** True for a file that belongs to a release. */
export const isReleaseFile = (name: string): boolean =>
  name === openapiFile || name === verbsFile || name.endsWith(schemaSuffix);

/** Ids of the services in an OpenAPI document. */
export const servicesIn = (openapi: unknown): readonly string[] => {
  const tags = field(openapi, "tags");
  return Array.isArray(tags) ? tags.flatMap((tag) => textAt(tag, "name") ?? []) : [];
};

/** Why documents are no release, or the release. */
export const readRelease = (documents: ReleaseDocuments): Release | { readonly problem: string } => {
  const openapi = documents.get(openapiFile);
  if (!isSchema(field(openapi, "paths"))) return { problem: `there is no ${openapiFile} that can be read` };
  const operations = readOperations(openapi);
  const services = new Map<string, ReleasedService>();
  for (const id of servicesIn(openapi)) {
    const schemas = documents.get(schemaFile(id));
    const defs = field(schemas, "$defs");
    if (!isSchema(defs)) return { problem: `there is no ${schemaFile(id)} that can be read` };
    const procedures = operations
      .filter(({ name }) => name.startsWith(`${id}.`))
      .map((operation) =>
        readProcedure(operation, {
          id,
          defs: schemasIn(defs),
          problems: field(field(openapi, "components"), "schemas"),
        }),
      );
    services.set(id, {
      id,
      version: versionIn(schemas, id),
      procedures: new Map(procedures.map((each) => [each.name, each])),
    });
  }
  const verbs = field(documents.get(verbsFile), "verbs");
  return {
    services,
    verbs: new Map((Array.isArray(verbs) ? verbs : []).map(readVerb).map((verb) => [verb.name, verb])),
  };
};

interface Operation {
  readonly name: string;
  readonly routes: readonly string[];
  readonly extension: unknown;
  /** Names of the schemas of its declared errors. */
  readonly errors: readonly string[];
}

const readOperations = (openapi: unknown): readonly Operation[] => {
  const found = new Map<string, Operation>();
  const shared = field(field(openapi, "components"), "responses");
  for (const [path, item] of Object.entries(Object(field(openapi, "paths"))))
    for (const [method, operation] of Object.entries(Object(item))) {
      const extension = field(operation, "x-fairlead");
      const other = textAt(extension, "procedure");
      const name = other ?? textAt(operation, "operationId");
      if (name === undefined || extension === undefined) continue;
      const before = found.get(name);
      found.set(name, {
        name,
        routes: [...(before?.routes ?? []), `${method.toUpperCase()} ${path}`],
        extension: other === undefined ? extension : before?.extension,
        errors: other === undefined ? listErrors(operation, shared) : (before?.errors ?? []),
      });
    }
  return [...found.values()];
};

/** A response is with its operation, or among those that several share. */
const listErrors = (operation: unknown, shared: unknown): readonly string[] =>
  Object.values(Object(field(operation, "responses"))).flatMap((response) => {
    const name = textAt(response, "$ref")?.slice(responseBase.length);
    const content = field(
      field(name === undefined ? response : field(shared, name), "content"),
      "application/problem+json",
    );
    const branches = field(field(content, "schema"), "anyOf");
    return (Array.isArray(branches) ? branches : []).flatMap((branch) => {
      const schema = textAt(branch, "$ref")?.slice(schemaBase.length);
      return schema?.includes(errorMark) === true ? [schema] : [];
    });
  });

const responseBase = "#/components/responses/";
const schemaBase = "#/components/schemas/";
/** Between what an error's schema is named after and its reason. */
const errorMark = ".problem.";

interface ServiceDocuments {
  readonly id: string;
  readonly defs: Readonly<Record<string, JsonSchema>>;
  readonly problems: unknown;
}

const readProcedure = (
  { name, routes, extension, errors: errorSchemas }: Operation,
  { id, defs, problems }: ServiceDocuments,
): ReleasedProcedure => {
  const local = name.slice(id.length + 1);
  const tool = textAt(extension, "tool");
  const deadlineMs = field(extension, "deadlineMs");
  const deprecated = textAt(extension, "deprecated");
  const hints = field(extension, "hints");
  const errors = errorSchemas.map((key): [string, ReleasedError] => {
    const reason = key.slice(key.lastIndexOf(errorMark) + errorMark.length);
    const data = completeSchema(defs, `${local}.error.${reason}`);
    return [reason, { code: problemCode(field(problems, key)), ...(data !== undefined && { data }) }];
  });
  return {
    name,
    routes,
    kind: textAt(extension, "kind") ?? "",
    retry: textAt(extension, "retry") ?? "",
    access: textAt(extension, "access") ?? "",
    ...(tool !== undefined && { tool }),
    ...(deprecated !== undefined && { deprecated }),
    ...(typeof deadlineMs === "number" && { deadlineMs }),
    hints: isSchema(hints) ? hints : {},
    isRun: field(extension, "run") === true,
    isPaginated: field(extension, "paginated") === true,
    ...readFile("upload", extension),
    ...readFile("download", extension),
    questions: new Map(
      Object.entries(Object(field(extension, "questions"))).map(([question, declared]): [string, ReleasedQuestion] => {
        const answer = completeSchema(defs, `${local}.question.${question}`);
        return [question, { kind: textAt(declared, "kind") ?? "", ...(answer !== undefined && { answer }) }];
      }),
    ),
    input: completeSchema(defs, `${local}.input`) ?? {},
    output: completeSchema(defs, `${local}.output`) ?? {},
    errors: new Map(errors),
  };
};

const readFile = <K extends "upload" | "download">(
  key: K,
  extension: unknown,
): { readonly [key in K]?: ReleasedFile } => {
  const rule = field(extension, key);
  if (typeof rule !== "object" || rule === null) return {};
  const [maxBytes, types] = [field(rule, "maxBytes"), field(rule, "types")];
  const file: ReleasedFile = {
    ...(typeof maxBytes === "number" && { maxBytes }),
    ...(Array.isArray(types) && { types: types.map(String) }),
  };
  // One key of a mapped type, which the compiler cannot see in a computed one.
  return { [key]: file } as { readonly [key in K]: ReleasedFile };
};

/** The problem schema of a declared error has its code as a literal. */
const problemCode = (problem: unknown): string => {
  const [, own] = [field(problem, "allOf")].flat();
  return textAt(field(field(own, "properties"), "code"), "const") ?? "";
};

/** A definition with those that it needs. */
const completeSchema = (defs: Readonly<Record<string, JsonSchema>>, name: string): JsonSchema | undefined => {
  const schema = defs[name];
  if (schema === undefined) return undefined;
  const needed = reachable(schema, defs);
  return needed.size === 0 ? schema : { ...schema, $defs: Object.fromEntries(needed) };
};

const schemasIn = (defs: JsonSchema): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(defs).flatMap(([name, each]) => (isSchema(each) ? [[name, each]] : [])));

/** The title of the document is `notes 1.2.0`. */
const versionIn = (schemas: unknown, id: string): string =>
  (textAt(schemas, "title") ?? "").slice(id.length + 1) || "0.0.0";

const readVerb = (verb: unknown): ReleasedVerb => {
  const list = (key: string): readonly unknown[] => {
    const value = field(verb, key);
    return Array.isArray(value) ? value : [];
  };
  return {
    name: textAt(verb, "name") ?? "",
    service: textAt(verb, "service") ?? "",
    arguments: list("arguments").map((each) => ({
      name: textAt(each, "name") ?? "",
      optional: field(each, "optional") === true,
    })),
    flags: list("flags").flatMap((each) => textAt(each, "flags") ?? []),
    document: Object.keys(Object(field(verb, "document"))),
  };
};

const field = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

const textAt = (value: unknown, key: string): string | undefined => {
  const found = field(value, key);
  return typeof found === "string" ? found : undefined;
};
