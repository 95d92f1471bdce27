/**
 * Emits `openapi.json`: one OpenAPI 3.1 document of all services, as the HTTP transport serves them.
 *
 * A procedure is a POST under its own name; what only reads is a GET as well, called `<name>_get`, where a query string can have all that the input needs.
 * The words that all operations share are in `openapi-common`. Not here: what a query string can have (`queryParameters`, in contracts).
 */
import {
  type DownloadRule,
  deprecationText,
  placementText,
  policyDefaults,
  type QueryParameters,
  type UploadRule,
} from "@fairlead/contracts";
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { bannerText, jsonMembers, jsonObject } from "../print/text.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { bundle } from "./bundle.ts";
import { addDiscriminators } from "./discriminator.ts";
import { description, parameters, problem, securitySchemes, sharedResponses } from "./openapi-common.ts";
import { addErrors } from "./openapi-errors.ts";
import { unnamedTypes } from "./shared-types.ts";

const base = "#/components/schemas/";

type JsonObject = Readonly<Record<string, unknown>>;

export const emitOpenapi = ({ services, out }: GeneratorProject): readonly GeneratedFile[] => {
  const parts = services.map(buildPart);
  const document = {
    openapi: "3.1.1",
    "x-generated": bannerText(services),
    info: { title: "Fairlead", version: services.find(({ id }) => id === "kernel")?.version ?? "0.0.0", description },
    servers: [
      { url: "/", description: "The kernel that serves this document" },
      { url: "http://127.0.0.1:5099", description: "The default address of a kernel" },
    ],
    tags: services.map((service) => ({ name: service.id, description: service.description ?? service.summary })),
    security: [{}, { bearer: [] }],
  };
  const paths = parts.map((part) => printMembers(part.paths, 1));
  const schemas = [jsonMembers({ Problem: problem }, 2), ...printSchemas(parts)];
  const responses = [jsonMembers(sharedResponses, 2), ...parts.map((part) => printMembers(part.responses, 2))];
  const components = [
    `    "schemas": ${jsonObject(schemas, 2)}`,
    `    "responses": ${jsonObject(
      responses.filter((text) => text !== ""),
      2,
    )}`,
    jsonMembers({ parameters, securitySchemes }, 1),
  ];
  const members = [
    jsonMembers(document, 0),
    `  "paths": ${jsonObject(paths, 1)}`,
    `  "components": ${jsonObject(components, 1)}`,
  ];
  return [{ path: `${out.schemas}/openapi.json`, text: `${jsonObject(members, 0)}\n` }];
};

/** A type that several services have is printed with the first of them: it is the same in all. */
const printSchemas = (parts: readonly OpenapiPart[]): readonly string[] => {
  const seen = new Set<string>();
  return parts.map(({ schemas }) => {
    const names = Object.keys(schemas);
    const fresh = names.filter((name) => !seen.has(name));
    for (const name of fresh) seen.add(name);
    if (fresh.length === names.length) return printMembers(schemas, 2);
    return jsonMembers(Object.fromEntries(fresh.map((name) => [name, schemas[name]])), 2);
  });
};

const printed = new WeakMap<object, string>();

/** Members of a service's part: as text they are remembered as long as the part is. */
const printMembers = (members: object, depth: number): string => {
  const text = printed.get(members) ?? jsonMembers(members, depth);
  printed.set(members, text);
  return text;
};

/** What one service adds to the document. */
interface OpenapiPart {
  readonly paths: JsonObject;
  readonly schemas: Schemas;
  readonly responses: JsonObject;
}

const cache = new WeakMap<ServiceModel, OpenapiPart>();

const buildPart = (service: ServiceModel): OpenapiPart => {
  const before = cache.get(service);
  if (before !== undefined) return before;
  const { add, addPlain, schemas } = bundle(base);
  const paths: Record<string, JsonObject> = {};
  for (const procedure of service.procedures) {
    const { fullName, input, output } = procedure;
    add(`${fullName}.input`, input);
    add(`${fullName}.output`, output);
  }
  const errors = addErrors(service.procedures, { add, addPlain });
  for (const procedure of service.procedures)
    paths[procedure.path] = {
      post: postOperation(procedure, errors.of(procedure)),
      ...(procedure.query !== undefined && {
        get: getOperation(procedure, errors.of(procedure), queryParameters(procedure, procedure.query, schemas)),
      }),
    };
  const part = {
    paths,
    schemas: addDiscriminators(schemas, { base, unnamed: unnamedTypes([service]) }),
    responses: errors.shared,
  };
  cache.set(service, part);
  return part;
};

const schemaRef = (procedure: ProcedureModel, name: string): JsonObject => ({
  $ref: `${base}${procedure.fullName}.${name}`,
});

/**
 * What OpenAPI has no words for: the tool that the same procedure is over MCP, too, whether it gives pages or can be started as a run, what it may ask a person, where it may run, how many streams may be open at once, and what the
 * contract states of its hints, its deadline and its end.
 */
const extension = ({
  kind,
  retry,
  access,
  tool,
  deprecated,
  hints,
  policy,
  paginated,
  upload,
  download,
  run,
  questions,
  placement,
}: ProcedureModel): JsonObject => ({
  kind,
  retry,
  access,
  ...(tool !== false && { tool }),
  ...(deprecated !== undefined && { deprecated: deprecationText(deprecated) }),
  ...(paginated === true && { paginated }),
  ...(upload !== undefined && { upload }),
  ...(download !== undefined && { download }),
  ...(run !== undefined && { run: true }),
  ...(questions.length > 0 && {
    questions: Object.fromEntries(questions.map(({ name, kind, when }) => [name, { kind, when }])),
  }),
  ...(placement !== undefined && { placement: placementText(placement) }),
  ...(Object.keys(hints).length > 0 && { hints }),
  ...(policy.deadlineMs !== undefined && { deadlineMs: policy.deadlineMs }),
  ...(kind === "subscription" && { streams: policy.streams ?? policyDefaults.streams }),
});

const postOperation = (procedure: ProcedureModel, failures: JsonObject): JsonObject => ({
  operationId: procedure.fullName,
  ...about(procedure),
  ...optionalList("parameters", [...headerParameters(procedure), ...(procedure.run !== undefined ? [prefer] : [])]),
  requestBody: requestBody(procedure),
  responses: { ...responses(procedure, failures), ...(procedure.run !== undefined && { "202": started }) },
  "x-fairlead": extension(procedure),
});

const prefer: JsonObject = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "`respond-async` starts it as a run, which goes on without this connection.",
  schema: { type: "string", enum: ["respond-async"] },
};

const started: JsonObject = {
  description: "With `Prefer: respond-async`: the run that was started, as `kernel.getRun` shows it.",
  headers: { Location: { description: "Where the run is shown.", schema: { type: "string" } } },
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { id: { type: "string" }, state: { type: "string" } },
        required: ["id", "state"],
      },
    },
  },
};

/** The same procedure, whose own name is in the extension: ids of operations are unique. */
const getOperation = (
  procedure: ProcedureModel,
  failures: JsonObject,
  parameters: readonly JsonObject[],
): JsonObject => ({
  operationId: `${procedure.fullName}_get`,
  ...about(procedure),
  ...optionalList("parameters", [...parameters, ...headerParameters(procedure)]),
  responses: responses(procedure, failures),
  "x-fairlead": { procedure: procedure.fullName },
});

const about = (procedure: ProcedureModel): JsonObject => ({
  tags: [procedure.service],
  summary: procedure.summary,
  ...describeOperation(procedure),
});

const responses = (procedure: ProcedureModel, failures: JsonObject): JsonObject => ({
  "200": success(procedure),
  ...(procedure.download !== undefined && {
    "206": { description: "The part of the file that `Range` asked for.", content: fileContent(procedure.download) },
    "304": { description: "The client has the file of that `ETag`." },
    "416": { description: "The file has no such part." },
  }),
  ...failures,
});

const describeOperation = ({ description, deprecated }: ProcedureModel): JsonObject => {
  const words = [
    ...(deprecated === undefined ? [] : [deprecationText(deprecated)]),
    ...(description === undefined ? [] : [description]),
  ];
  return {
    ...(words.length > 0 && { description: words.join("\n\n") }),
    ...(deprecated !== undefined && { deprecated: true }),
  };
};

const optionalList = (name: string, list: readonly unknown[]): JsonObject =>
  list.length === 0 ? {} : { [name]: list };

type Schemas = Readonly<Record<string, JsonSchema>>;

/** The fields that a query string can have, as the published schema of the input describes them. */
const queryParameters = (
  { fullName, examples }: ProcedureModel,
  query: QueryParameters,
  schemas: Schemas,
): readonly JsonObject[] => {
  const { properties = {}, required = [] } = followRef(schemas, `${fullName}.input`);
  return [...query.keys()].map((name) => {
    const { description: words, ...schema } = properties[name] ?? {};
    const example = examples.map((each) => Reflect.get(Object(each.input), name)).find((value) => value !== undefined);
    return {
      name,
      in: "query",
      required: required.includes(name),
      ...(words !== undefined && { description: words }),
      ...(schema.deprecated === true && { deprecated: true }),
      schema,
      ...(example !== undefined && { example }),
    };
  });
};

const followRef = (schemas: Schemas, name: string): JsonSchema => {
  const schema = schemas[name] ?? {};
  return schema.$ref === undefined ? schema : followRef(schemas, schema.$ref.slice(base.length));
};

const headerParameters = ({ kind, retry }: ProcedureModel): readonly JsonObject[] => {
  const ref = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });
  if (kind === "subscription") return [ref("lastEventId")];
  const common = [ref("timeout"), ref("attempts")];
  return retry === "keyed" ? [...common, ref("idempotencyKey")] : common;
};

/** A file of one of these media types, as the body or a part of it; `format` is for generators that read OpenAPI 3.0. */
const fileContent = ({ types }: DownloadRule): JsonObject =>
  Object.fromEntries((types ?? [anyFile]).map((type) => [type, { schema: { type: "string", format: "binary" } }]));

const anyFile = "application/octet-stream";

/** The input, then the file. The kernel also takes the file alone, with the input in the query. */
const uploadBody = (procedure: ProcedureModel, { types = [anyFile] }: UploadRule): JsonObject => ({
  required: true,
  content: {
    "multipart/form-data": {
      schema: {
        type: "object",
        properties: {
          input: schemaRef(procedure, "input"),
          file: {
            type: "string",
            format: "binary",
            ...(types.length === 1 && { contentMediaType: types[0] }),
            description: "The file, after the input.",
          },
        },
        required: [...((procedure.input.json.required ?? []).length > 0 ? ["input"] : []), "file"],
      },
      encoding: { input: { contentType: "application/json" }, file: { contentType: types.join(", ") } },
    },
  },
});

const requestBody = (procedure: ProcedureModel): JsonObject =>
  procedure.upload === undefined ? jsonBody(procedure) : uploadBody(procedure, procedure.upload);

const jsonBody = (procedure: ProcedureModel): JsonObject => ({
  required: true,
  content: {
    "application/json": {
      schema: schemaRef(procedure, "input"),
      ...(procedure.examples.length > 0 && {
        examples: Object.fromEntries(
          procedure.examples.map(({ summary, input }, index) => [`example${index + 1}`, { summary, value: input }]),
        ),
      }),
    },
  },
});

const success = (procedure: ProcedureModel): JsonObject => {
  if (procedure.download !== undefined)
    return {
      description: "The file. Its `content-disposition` has its name.",
      headers: { ETag: { description: "Changes when the file does.", schema: { type: "string" } } },
      content: fileContent(procedure.download),
    };
  if (procedure.kind !== "subscription") {
    return { description: "The output.", content: { "application/json": { schema: schemaRef(procedure, "output") } } };
  }
  return {
    description: "A stream of server-sent events. The data of each `message` event is JSON of the schema in `x-event`.",
    content: {
      "text/event-stream": { schema: { type: "string" }, "x-event": { schema: schemaRef(procedure, "output") } },
    },
  };
};
