/**
 * Reads an OpenAPI document, 3.0 to 3.2: its operations with local references resolved, and its schemas in the words of JSON Schema 2020-12.
 *
 * Not here: what becomes of an operation (`operation`).
 */
import { isSchema, type JsonSchema, rewrite } from "../../schema/json-schema.ts";

/** An object of the document, of which nothing is known yet. */
export type OpenApiNode = Readonly<Record<string, unknown>>;

/** An operation with its place. */
export interface OpenApiOperation {
  readonly method: string;
  readonly path: string;
  /** Of the operation, then of its path; references are resolved. */
  readonly parameters: readonly OpenApiNode[];
  readonly body: OpenApiNode | undefined;
  readonly responses: Readonly<Record<string, OpenApiNode>>;
  readonly node: OpenApiNode;
}

export interface OpenApiDocument {
  readonly title: string;
  readonly version: string;
  /** The first server's address with its variables' defaults; it may be relative. */
  readonly server: string | undefined;
  readonly operations: readonly OpenApiOperation[];
  /** By name. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** Names of schemes that it asks for. */
  readonly security: readonly string[];
}

/** The document, or why it cannot be read. */
type ReadDocument =
  | { readonly ok: true; readonly document: OpenApiDocument }
  | { readonly ok: false; readonly message: string; readonly fix: string };

/** Reads what was parsed from JSON or YAML. */
export const readDocument = (value: unknown): ReadDocument => {
  if (!isSchema(value)) return refused("it is not an object", "give an OpenAPI document");
  if (typeof value.swagger === "string")
    return refused(`it is Swagger ${value.swagger}`, "convert it to OpenAPI 3 first; `npx swagger2openapi` does");
  const { openapi } = value;
  if (typeof openapi !== "string" || !/^3\.[0-2]\./.test(openapi))
    return refused(`it says \`openapi: ${JSON.stringify(openapi)}\``, "give an OpenAPI document of version 3.0 to 3.2");
  const reader = new DocumentReader(value);
  return { ok: true, document: reader.read() };
};

const refused = (what: string, fix: string): ReadDocument => ({
  ok: false,
  message: `the document cannot be imported: ${what}`,
  fix,
});

const methods = ["get", "put", "post", "delete", "options", "head", "patch"] as const;
const mostSteps = 20;

class DocumentReader {
  readonly #root: OpenApiNode;

  constructor(root: OpenApiNode) {
    this.#root = root;
  }

  read(): OpenApiDocument {
    const { info, paths, servers } = this.#root;
    const about = this.#node(info);
    const operations = Object.entries(this.#node(paths)).flatMap(([path, item]) => this.#operations(path, item));
    const { schemas, securitySchemes } = this.#node(this.#root.components);
    return {
      title: textIn(about, "title") ?? "",
      version: textIn(about, "version") ?? "",
      server: serverAddress(this.#node(list(servers)[0])),
      operations,
      schemas: Object.fromEntries(
        Object.entries(this.#node(schemas)).flatMap(([name, schema]) =>
          isSchema(schema) ? [[name, plainSchema(schema)]] : [],
        ),
      ),
      security: Object.keys(this.#node(securitySchemes)),
    };
  }

  #operations(path: string, given: unknown): readonly OpenApiOperation[] {
    const item = this.#node(given);
    return methods.flatMap((method) => {
      if (!isSchema(item[method])) return [];
      const node = this.#node(item[method]);
      const parameters = new Map<string, OpenApiNode>();
      for (const each of [...list(item.parameters), ...list(node.parameters)]) {
        const parameter = this.#node(each);
        parameters.set(`${String(parameter.in)} ${String(parameter.name)}`, parameter);
      }
      return [
        {
          method: method.toUpperCase(),
          path,
          parameters: [...parameters.values()],
          body: node.requestBody === undefined ? undefined : this.#node(node.requestBody),
          responses: Object.fromEntries(
            Object.entries(this.#node(node.responses)).map(([status, response]) => [status, this.#node(response)]),
          ),
          node,
        },
      ];
    });
  }

  /** The object at a place, through references within the document; an empty one where there is none. */
  #node(given: unknown): OpenApiNode {
    let node = given;
    for (let steps = 0; steps < mostSteps; steps += 1) {
      if (!isSchema(node)) return {};
      if (typeof node.$ref !== "string") return node;
      node = this.#at(node.$ref);
    }
    return {};
  }

  #at(ref: string): unknown {
    const [hash, ...steps] = ref.split("/");
    if (hash !== "#") return undefined;
    let found: unknown = this.#root;
    for (const step of steps) {
      const key = decode(step).replaceAll("~1", "/").replaceAll("~0", "~");
      if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
      found = Reflect.get(found, key);
    }
    return found;
  }
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textIn = (node: OpenApiNode, name: string): string | undefined => {
  const value = node[name];
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
};

const serverAddress = (server: OpenApiNode): string | undefined => {
  const url = textIn(server, "url");
  const variables: OpenApiNode = isSchema(server.variables) ? server.variables : {};
  return url?.replace(/\{([^{}]{1,200})\}/g, (whole, name: string) => {
    const variable = variables[name];
    return isSchema(variable) ? String(variable.default) : whole;
  });
};

/** A schema of OpenAPI 3.0 or later in the words of JSON Schema 2020-12. What only one side sends is required of neither. */
export const plainSchema = (schema: JsonSchema): JsonSchema => rewrite(schema, plainNode);

const plainNode = ({
  nullable,
  discriminator: _,
  xml: __,
  example: ___,
  externalDocs: ____,
  ...given
}: JsonSchema): JsonSchema => {
  const schema = withoutOneSided(withBounds(given));
  if (nullable !== true) return schema;
  const { type, enum: choices } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [type, "null"],
    ...(choices !== undefined && { enum: [...choices.filter((one) => one !== null), null] }),
  };
};

/** In 3.0 an exclusive bound is a boolean beside the bound. */
const withBounds = (schema: JsonSchema): JsonSchema => {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = schema;
  return {
    ...rest,
    ...(exclusiveMinimum === true
      ? { exclusiveMinimum: minimum }
      : {
          ...(minimum !== undefined && { minimum }),
          ...(typeof exclusiveMinimum === "number" && { exclusiveMinimum }),
        }),
    ...(exclusiveMaximum === true
      ? { exclusiveMaximum: maximum }
      : {
          ...(maximum !== undefined && { maximum }),
          ...(typeof exclusiveMaximum === "number" && { exclusiveMaximum }),
        }),
  };
};

const withoutOneSided = (schema: JsonSchema): JsonSchema => {
  const { required, properties } = schema;
  if (!Array.isArray(required) || !isSchema(properties)) return schema;
  const isKept = (name: unknown): boolean => {
    const property = properties[String(name)];
    return !(isSchema(property) && (property.readOnly === true || property.writeOnly === true));
  };
  return { ...schema, required: required.filter(isKept) };
};
