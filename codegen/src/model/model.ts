/**
 * The model: what the generator knows about a contract once Zod is out of the picture. Every check and every emitter reads this
 * and nothing else.
 *
 * Not here: how schemas are lowered (`lower`), and where contracts come from (`load`).
 */
import {
  type AccessLevel,
  type Code,
  type Contract,
  type Deprecation,
  type DownloadRule,
  decoder,
  type ErrorDeclaration,
  httpPath,
  type Issue,
  type NamedVerb,
  type Policy,
  type Procedure,
  type ProcedureHints,
  type ProcedureKind,
  type ProcedurePlacement,
  type QueryParameters,
  type QuestionDeclaration,
  queryParameters,
  type RetrySafety,
  type RunPolicy,
  type Schema,
  type ToolView,
  type UploadRule,
} from "@fairlead/contracts";
import { type LoweredSchema, lower } from "../schema/lower.ts";
import { snakeCase } from "./letter-case.ts";
import { verbsIn } from "./verb.ts";

export interface ErrorModel {
  readonly reason: string;
  readonly code: Code;
  readonly when: string;
  readonly hint?: string;
  readonly data?: LoweredSchema;
}

/** What a handler may ask a person. */
export interface QuestionModel {
  readonly name: string;
  readonly kind: "form" | "confirm";
  readonly when: string;
  /** Of a form: what the person fills in. */
  readonly answer?: LoweredSchema;
}

interface ExampleModel {
  readonly summary: string;
  readonly input: unknown;
  /** Why the example is not a valid input; empty when it is one. */
  readonly issues: readonly Issue[];
}

export interface ProcedureModel {
  readonly service: string;
  /** Its key in the contract, like `resolveAttack`. */
  readonly name: string;
  /** `rules.resolveAttack`. */
  readonly fullName: string;
  readonly kind: ProcedureKind;
  readonly summary: string;
  readonly description?: string;
  readonly input: LoweredSchema;
  readonly output: LoweredSchema;
  readonly errors: readonly ErrorModel[];
  readonly questions: readonly QuestionModel[];
  readonly examples: readonly ExampleModel[];
  readonly retry: RetrySafety;
  readonly access: AccessLevel;
  readonly deprecated?: Deprecation;
  /** Of an old name: the procedure that it is called now, which has all of this as well. */
  readonly renamedTo?: string;
  /** Its output is a page of a list. */
  readonly paginated?: true;
  /** It takes a file beside its input. */
  readonly upload?: UploadRule;
  /** It gives a file, which its output describes. */
  readonly download?: DownloadRule;
  /** It can be started as a run. */
  readonly run?: RunPolicy;
  /** Where its calls may run; `here` where it is left out. */
  readonly placement?: ProcedurePlacement;
  readonly hints: ProcedureHints;
  readonly policy: Policy;
  /** MCP tool name, or `false` when it is kept off MCP. */
  readonly tool: string | false;
  /** How tool lists show it. */
  readonly toolView: ToolView;
  /** Path of the HTTP API from the server's root: `/api/rules/resolveAttack`. */
  readonly path: string;
  /** What the query string of a GET can have; absent for a mutation, and where a required field cannot be written there. */
  readonly query?: QueryParameters;
}

export interface ServiceModel {
  readonly id: string;
  readonly version: string;
  readonly summary: string;
  readonly description?: string;
  /** Where the contract is, for messages: a path from the root, or a module specifier. */
  readonly source: string;
  readonly procedures: readonly ProcedureModel[];
  readonly verbs: readonly NamedVerb[];
  readonly prompts: NonNullable<Contract["prompts"]>;
  readonly resources: NonNullable<Contract["resources"]>;
}

/** Lowers a contract. Never throws on a well-typed contract; what is wrong with it is for `check` to say. */
export const buildServiceModel = (contract: Contract, source: string): ServiceModel => {
  const { id, version, summary, description } = contract;
  const procedures = Object.entries(contract.procedures).map(([name, procedure]) =>
    buildProcedure(id, name, procedure),
  );
  return {
    id,
    version,
    summary,
    ...(description !== undefined && { description }),
    source,
    procedures,
    verbs: verbsIn(contract, procedures),
    prompts: contract.prompts ?? {},
    resources: contract.resources ?? {},
  };
};

const buildProcedure = (service: string, name: string, procedure: Procedure): ProcedureModel => {
  const input = lower(procedure.input, "input");
  const query = procedure.kind === "mutation" ? undefined : getParameters(procedure, input);
  return {
    service,
    name,
    fullName: `${service}.${name}`,
    kind: procedure.kind,
    summary: procedure.summary,
    ...(procedure.description !== undefined && { description: procedure.description }),
    input,
    output: lower(procedure.output, "output"),
    errors: Object.entries(procedure.errors ?? {}).map(buildError),
    questions: Object.entries(procedure.questions ?? {}).map(buildQuestion),
    examples: (procedure.examples ?? []).map((example) => ({
      ...example,
      issues: findExampleIssues(procedure.input, example),
    })),
    retry: procedure.retry,
    access: procedure.access ?? (procedure.kind === "mutation" ? "call" : "read"),
    ...(procedure.deprecated !== undefined && { deprecated: procedure.deprecated }),
    ...(procedure.renamedTo !== undefined && { renamedTo: procedure.renamedTo }),
    ...(procedure.kind === "query" && procedure.paginated === true && { paginated: true }),
    ...(procedure.kind === "mutation" && procedure.upload !== undefined && { upload: procedure.upload }),
    ...(procedure.kind === "query" && procedure.download !== undefined && { download: procedure.download }),
    ...(procedure.run !== undefined && { run: procedure.run }),
    ...(procedure.placement !== undefined && { placement: procedure.placement }),
    hints: procedure.hints ?? {},
    policy: procedure.policy ?? {},
    ...readToolView(procedure, toolName(service, name)),
    path: httpPath(service, name, procedure),
    ...(query !== undefined && { query }),
  };
};

const readToolView = ({ kind, tool }: Procedure, defaultName: string): Pick<ProcedureModel, "tool" | "toolView"> => {
  if (typeof tool === "object") return { tool: tool.name ?? defaultName, toolView: tool };
  return { tool: tool ?? (kind === "subscription" ? false : defaultName), toolView: {} };
};

/** The parameters of a GET, where all that an input needs can be written in a query string. */
const getParameters = (procedure: Procedure, { json }: LoweredSchema): QueryParameters | undefined => {
  const parameters = queryParameters(procedure);
  const isWritable = json.type === "object" && (json.required ?? []).every((name) => parameters.has(name));
  return isWritable ? parameters : undefined;
};

const buildError = ([reason, declaration]: [string, ErrorDeclaration]): ErrorModel => ({
  reason,
  code: declaration.code,
  when: declaration.when,
  ...(declaration.hint !== undefined && { hint: declaration.hint }),
  ...(declaration.data !== undefined && { data: lower(declaration.data, "output") }),
});

const buildQuestion = ([name, question]: [string, QuestionDeclaration]): QuestionModel => ({
  name,
  kind: question.kind,
  when: question.when,
  ...(question.kind === "form" && { answer: lower(question.answer, "input") }),
});

const findExampleIssues = (schema: Schema, { input }: { readonly input: unknown }): readonly Issue[] => {
  const decoded = decoder<unknown>(schema)(input);
  return decoded.ok ? [] : decoded.issues;
};

/** `add` of `notes` is `notes_add`: the list of all services' tools may have several that add. */
const toolName = (service: string, name: string): string =>
  `${service.toLowerCase().replace(/[^a-z0-9]/g, "_")}_${snakeCase(name)}`;
