/**
 * The procedures that an OpenAPI document of ours describes, each as a reader of a reference wants it. Pure.
 *
 * Not here: the document itself, which `fairlead gen` writes, and how a reference looks (`markdown.ts`, `code-samples.ts`).
 */
import { isRecord } from "../call/record.ts";
import { resolveRef, type SchemaNode } from "./schema/schema-text.ts";
import type { SnippetCall } from "./snippet/snippet-call.ts";

/** An OpenAPI document, parsed. */
export type OpenApiDocument = SchemaNode;

/** A failure that a procedure declares: an HTTP status, and what each of its reasons means. */
interface DeclaredProblem {
  readonly status: string;
  readonly description: string;
}

/** A call from a contract, with what it shows. */
interface InputExample {
  readonly summary: string;
  readonly input: unknown;
}

/** A procedure as its document describes it. */
export interface DescribedProcedure extends Pick<SnippetCall, "service" | "procedure" | "kind" | "retry" | "path"> {
  /** Full name, like `rules.resolveAttack`. */
  readonly name: string;
  readonly summary: string;
  /** More than the summary; empty where the contract says no more. */
  readonly description: string;
  readonly isDeprecated: boolean;
  readonly methods: readonly string[];
  readonly access: string;
  /** Milliseconds; left out where there is no deadline. */
  readonly deadlineMs?: number;
  readonly tool?: string;
  /** Takes or gives a file, so that its call is none of plain values. */
  readonly hasFile: boolean;
  /** Schemas, of which references lead into the document; left out for what is no JSON. */
  readonly input?: SchemaNode;
  readonly output?: SchemaNode;
  readonly examples: readonly InputExample[];
  readonly problems: readonly DeclaredProblem[];
}

/** In the order of the document. */
export const listOperations = (document: OpenApiDocument): readonly DescribedProcedure[] =>
  Object.entries(fields(document.paths)).flatMap(([path, item]) => {
    const post = fields(fields(item).post);
    return isFact(post["x-fairlead"]) ? [parseOperation(document, path, fields(item))] : [];
  });

/** What the document says beyond OpenAPI's own words. */
interface Facts extends Pick<SnippetCall, "kind" | "retry"> {
  readonly access: string;
}

const kinds: readonly unknown[] = ["query", "mutation", "subscription"] satisfies readonly SnippetCall["kind"][];
const repeats: readonly unknown[] = ["safe", "idempotent", "keyed", "unsafe"] satisfies readonly SnippetCall["retry"][];

const isFact = (value: unknown): value is Facts & SchemaNode =>
  isRecord(value) && kinds.includes(value.kind) && repeats.includes(value.retry);

const parseOperation = (document: OpenApiDocument, path: string, item: SchemaNode): DescribedProcedure => {
  const post = fields(item.post);
  const facts = post["x-fairlead"];
  if (!isFact(facts)) throw new TypeError(`${path} is not a procedure`);
  const name = String(post.operationId);
  const [service = ""] = name.split(".");
  const body = fields(fields(post.requestBody).content);
  const answer = fields(fields(fields(post.responses)["200"]).content);
  const input = jsonSchema(body["application/json"]);
  const output = jsonSchema(answer["application/json"]) ?? eventSchema(answer["text/event-stream"]);
  return {
    ...{ name, service, procedure: name.slice(service.length + 1), path },
    ...{ kind: facts.kind, retry: facts.retry, access: String(facts.access) },
    summary: text(post.summary),
    description: text(post.description),
    isDeprecated: post.deprecated === true,
    methods: facts.kind === "mutation" ? ["POST"] : ["POST", "QUERY", ...("get" in item ? ["GET"] : [])],
    ...(typeof facts.deadlineMs === "number" && { deadlineMs: facts.deadlineMs }),
    ...(typeof facts.tool === "string" && { tool: facts.tool }),
    hasFile: (Object.keys(body).length > 0 && input === undefined) || output === undefined,
    ...(input !== undefined && { input }),
    ...(output !== undefined && { output }),
    examples: parseExamples(fields(body["application/json"]).examples),
    problems: parseProblems(document, fields(post.responses)),
  };
};

const jsonSchema = (media: unknown): SchemaNode | undefined => {
  const { schema } = fields(media);
  return isRecord(schema) ? schema : undefined;
};

const eventSchema = (media: unknown): SchemaNode | undefined => jsonSchema(fields(media)["x-event"]);

const parseExamples = (examples: unknown): readonly InputExample[] =>
  Object.values(fields(examples)).map((example) => ({
    summary: text(fields(example).summary),
    input: fields(example).value,
  }));

/** The answers that every procedure can give are components of the document by the name of their status alone. */
const isCommon = (response: unknown): boolean =>
  /^#\/components\/responses\/Problem\d*$/.test(String(fields(response).$ref));

const parseProblems = (document: OpenApiDocument, responses: SchemaNode): readonly DeclaredProblem[] =>
  Object.entries(responses).flatMap(([status, response]) =>
    status === "200" || isCommon(response)
      ? []
      : [{ status, description: text(resolveRef(response, document).description) }],
  );

const fields = (value: unknown): SchemaNode => (isRecord(value) ? value : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
