/**
 * What becomes of an operation: a procedure with its input, output and errors, how it is asked of the API, and what is lost on the way.
 *
 * Not here: reading the document (`document`), the text of the contract (`contract-text`).
 */
import type { Code } from "@fairlead/contracts";
import { memberRefusal } from "../../names/reserved.ts";
import { isSchema, type JsonSchema } from "../../schema/json-schema.ts";
import { camelCase } from "../procedure-name.ts";
import { type OpenApiNode, type OpenApiOperation, plainSchema, textIn } from "./document.ts";

/** How the runtime asks for it; the shape of `ForwardedOperation` in `@fairlead/kernel/forward`. */
interface PlannedRequest {
  readonly method: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, { readonly name: string; readonly in: string; readonly style?: string }>>;
  readonly body?: "json" | "form" | "text";
  readonly answer: "json" | "text" | "nothing";
  readonly errors: Readonly<Record<string, string>>;
}

export interface PlannedError {
  readonly reason: string;
  readonly code: Code;
  readonly when: string;
  /** What the API says in the body; nothing where the document does not say. */
  readonly body: JsonSchema | undefined;
}

export interface PlannedProcedure {
  readonly name: string;
  readonly kind: "query" | "mutation";
  readonly retry: "idempotent" | "unsafe";
  readonly isDestructive: boolean;
  readonly summary: string;
  readonly description: string;
  readonly input: JsonSchema;
  readonly output: JsonSchema;
  readonly errors: readonly PlannedError[];
  readonly request: PlannedRequest;
}

/** Something that the contract does not say. */
export interface Loss {
  /** `GET /pets`. */
  readonly operation: string;
  readonly what: string;
}

/** The procedure, or why there is none; with what is lost in either case. */
interface PlannedOperation {
  readonly procedure?: PlannedProcedure;
  readonly left?: string;
  readonly losses: readonly string[];
}

export const planOperation = (operation: OpenApiOperation, used: Set<string>): PlannedOperation => {
  const { method, path, node, parameters } = operation;
  const losses: string[] = [];
  const isQuery = method === "GET" || method === "HEAD" || method === "OPTIONS";
  const body = isQuery ? undefined : planBody(operation.body);
  if (isQuery && operation.body !== undefined) losses.push(`the body of a ${method}`);
  if (body !== undefined && "left" in body) return { left: body.left, losses };
  const answer = planAnswer(operation.responses, losses);
  if (answer === undefined) return { left: "its answer is neither JSON nor text", losses };
  const { fields, properties, required, refused } = planFields(parameters, losses);
  if (refused !== undefined) return { left: refused, losses };
  const missing = [...path.matchAll(/\{([^{}]{1,200})\}/g)]
    .map(([, name]) => name)
    .filter((name) => !Object.values(fields).some((field) => field.in === "path" && field.name === name));
  if (missing.length > 0) return { left: `its path has ${missing.join(", ")}, which it does not describe`, losses };
  if (isSchema(node.callbacks)) losses.push("callbacks");
  const errors = planErrors(operation.responses);
  const summary = textIn(node, "summary") ?? firstSentence(textIn(node, "description")) ?? `${method} ${path}`;
  const said = textIn(node, "description");
  const deprecated = node.deprecated === true ? "The API calls it deprecated." : "";
  return {
    losses,
    procedure: {
      name: uniqueName(textIn(node, "operationId") ?? `${method.toLowerCase()} ${path}`, used),
      kind: isQuery ? "query" : "mutation",
      retry: method === "PUT" || method === "DELETE" ? "idempotent" : "unsafe",
      isDestructive: method === "DELETE",
      summary,
      description: [said === summary ? "" : (said ?? ""), deprecated].filter((text) => text !== "").join("\n\n"),
      input: {
        type: "object",
        properties: { ...properties, ...(body !== undefined && { body: body.schema }) },
        required: [...required, ...(body?.isRequired === true ? ["body"] : [])],
        additionalProperties: false,
      },
      output: answer.schema,
      // 500 and 5XX have one reason: the first says what its data is.
      errors: [
        ...new Map(
          Object.values(errors)
            .toReversed()
            .map((one) => [one.reason, one]),
        ).values(),
      ].toReversed(),
      request: {
        method,
        path,
        fields,
        ...(body !== undefined && { body: body.as }),
        answer: answer.as,
        errors: Object.fromEntries(Object.entries(errors).map(([status, { reason }]) => [status, reason])),
      },
    },
  };
};

const uniqueName = (id: string, used: Set<string>): string => {
  const plain = camelCase(id, "operation");
  const name = memberRefusal(plain) === undefined ? plain : `${plain}Operation`;
  let unique = name;
  for (let again = 2; used.has(unique); again += 1) unique = `${name.slice(0, 36)}${again}`;
  used.add(unique);
  return unique;
};

const firstSentence = (text: string | undefined): string | undefined => text?.split(/\n|(?<=\.)\s/)[0];

interface PlannedBody {
  readonly as: "json" | "form" | "text";
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

const planBody = (body: OpenApiNode | undefined): PlannedBody | { readonly left: string } | undefined => {
  if (body === undefined) return undefined;
  const isRequired = body.required === true;
  const described = textIn(body, "description");
  for (const [as, type] of Object.entries(bodyTypes)) {
    const found = findMedia(body, type);
    if (found === undefined) continue;
    const schema = plainSchema(found);
    return {
      as: as as PlannedBody["as"],
      isRequired,
      schema: described === undefined ? schema : { description: described, ...schema },
    };
  }
  const types = Object.keys(isSchema(body.content) ? body.content : {}).join(", ");
  return isRequired ? { left: `its body is ${types}` } : undefined;
};

const bodyTypes = {
  json: /^application\/(?:[\w.+-]*\+)?json\b|^\*\/\*/,
  form: /^application\/x-www-form-urlencoded\b/,
  text: /^text\//,
} as const;

/** The schema of the first media type that fits; any JSON where it has none. */
const findMedia = ({ content }: OpenApiNode, type: RegExp): JsonSchema | undefined => {
  if (!isSchema(content)) return undefined;
  const [, found] = Object.entries(content).find(([name]) => type.test(name)) ?? [];
  if (!isSchema(found)) return undefined;
  return isSchema(found.schema) ? found.schema : {};
};

interface PlannedAnswer {
  readonly as: PlannedRequest["answer"];
  readonly schema: JsonSchema;
}

const planAnswer = (responses: OpenApiOperation["responses"], losses: string[]): PlannedAnswer | undefined => {
  const good = Object.entries(responses).filter(([status]) => /^2/.test(status));
  const candidates = good.length > 0 ? good : Object.entries(responses).filter(([status]) => status === "default");
  const json = candidates.flatMap(([, response]) => {
    const schema = findMedia(response, bodyTypes.json);
    return schema === undefined ? [] : [schema];
  });
  if (
    candidates.some(
      ([, { content }]) => isSchema(content) && Object.keys(content).some((type) => /event-stream/.test(type)),
    )
  )
    losses.push("its answer as a stream");
  const [first] = json;
  const isEmpty = candidates.some(([, { content }]) => !isSchema(content) || Object.keys(content).length === 0);
  if (first !== undefined) {
    const schemas = [...new Map(json.map((schema) => [JSON.stringify(schema), plainSchema(schema)])).values()];
    const all: readonly JsonSchema[] = isEmpty ? [...schemas, { type: "null" }] : schemas;
    return { as: "json", schema: all.length === 1 ? plainSchema(first) : { anyOf: all } };
  }
  if (candidates.some(([, response]) => findMedia(response, bodyTypes.text) !== undefined))
    return { as: "text", schema: { type: "string" } };
  return isEmpty || candidates.length === 0 ? { as: "nothing", schema: { type: "null" } } : undefined;
};

interface PlannedFields {
  readonly fields: PlannedRequest["fields"];
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
  readonly refused?: string;
}

/** Set by every request, whatever a caller sends. */
const ownHeaders = new Set(["accept", "authorization", "content-type", "traceparent"]);

const planFields = (parameters: readonly OpenApiNode[], losses: string[]): PlannedFields => {
  const fields: Record<string, { name: string; in: string; style?: string }> = {};
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const parameter of parameters) {
    const name = textIn(parameter, "name");
    const place = String(parameter.in);
    if (name === undefined) continue;
    if (place === "header" && ownHeaders.has(name.toLowerCase())) continue;
    if (place !== "path" && place !== "query" && place !== "header") {
      losses.push(`the ${place} ${name}`);
      if (parameter.required === true)
        return { fields, properties, required, refused: `it needs the ${place} ${name}` };
      continue;
    }
    const isTaken = (one: string): boolean =>
      one === "body" || one in fields || memberRefusal(one) !== undefined || one === "__proto__";
    const field = isTaken(name) ? `${name}_${place}` : name;
    const style = place === "query" ? queryStyle(parameter) : undefined;
    fields[field] = { name, in: place, ...(style !== undefined && { style }) };
    const schema = isSchema(parameter.schema) ? plainSchema(parameter.schema) : { type: "string" };
    const described = textIn(parameter, "description");
    properties[field] = described === undefined ? schema : { ...schema, description: described };
    if (parameter.required === true || place === "path") required.push(field);
  }
  return { fields, properties, required };
};

const queryStyle = ({ style = "form", explode }: OpenApiNode): string | undefined => {
  if (style === "deepObject") return "deep";
  if (style === "spaceDelimited") return "spaces";
  if (style === "pipeDelimited") return "pipes";
  return explode === false ? "list" : undefined;
};

const reasons: Readonly<Record<string, readonly [reason: string, code: Code]>> = {
  400: ["bad_request", "invalid_argument"],
  // The credentials are the service's own: its callers cannot change them.
  401: ["credentials_refused", "failed_precondition"],
  402: ["payment_required", "failed_precondition"],
  403: ["forbidden", "permission_denied"],
  404: ["resource_not_found", "not_found"],
  405: ["method_refused", "unimplemented"],
  409: ["conflict", "aborted"],
  410: ["gone", "not_found"],
  412: ["precondition_failed", "failed_precondition"],
  413: ["content_too_large", "resource_exhausted"],
  422: ["unprocessable_content", "invalid_argument"],
  429: ["too_many_requests", "resource_exhausted"],
  500: ["server_error", "unknown"],
  502: ["bad_gateway", "unavailable"],
  503: ["service_unavailable", "unavailable"],
  504: ["gateway_timeout", "unavailable"],
  "4XX": ["request_refused", "invalid_argument"],
  "5XX": ["server_error", "unknown"],
  default: ["other_failure", "unknown"],
};

const planErrors = (responses: OpenApiOperation["responses"]): Readonly<Record<string, PlannedError>> => {
  const hasGood = Object.keys(responses).some((status) => /^2/.test(status));
  const errors: Record<string, PlannedError> = {};
  for (const [given, response] of Object.entries(responses)) {
    const status = given.toUpperCase() === "DEFAULT" ? "default" : given.toUpperCase();
    if (/^[123]/.test(status) || (status === "default" && !hasGood)) continue;
    const [reason, code] = reasons[status] ?? [
      `status_${status.toLowerCase()}`,
      status.startsWith("5") ? "unknown" : "invalid_argument",
    ];
    const body = findMedia(response, bodyTypes.json);
    const said = firstSentence(textIn(response, "description"))?.slice(0, 200);
    const when = `the API answers ${status === "default" ? "with another status" : status}${said === undefined ? "" : `: ${said}`}`;
    errors[status] = { reason, code, when, body: body === undefined ? undefined : plainSchema(body) };
  }
  return errors;
};
