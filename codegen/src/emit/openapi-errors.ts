/**
 * Declared errors in the OpenAPI document of a service: what several operations declare alike is there once, as a schema and as a response. Pure.
 *
 * Not here: errors that are not declared, which all operations share (`openapi-common`).
 */
import { codeNames, codes } from "@fairlead/contracts";
import type { ErrorModel, ProcedureModel } from "../model/model.ts";
import { rootIn } from "../names/schema-parts.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import type { bundle } from "./bundle.ts";
import { sharedResponse } from "./openapi-common.ts";

type DocumentPart = Readonly<Record<string, unknown>>;

const schemaBase = "#/components/schemas/";
const responseBase = "#/components/responses/";

/** What a procedure's operations answer in place of an output. */
interface ErrorResponses {
  /** By status. */
  readonly of: (procedure: ProcedureModel) => DocumentPart;
  /** Responses that several operations refer to, by name. */
  readonly shared: DocumentPart;
}

/** Adds a schema for each declared error of these procedures, which are of one service. */
export const addErrors = (
  procedures: readonly ProcedureModel[],
  { add, addPlain }: Pick<ReturnType<typeof bundle>, "add" | "addPlain">,
): ErrorResponses => {
  const names = nameAlike(
    procedures.flatMap((procedure) =>
      procedure.errors.map((error) => ({ procedure, label: `problem.${error.reason}`, content: describe(error) })),
    ),
  );
  const nameError = (procedure: ProcedureModel, error: ErrorModel): string =>
    names(procedure, `problem.${error.reason}`, describe(error));
  const added = new Set<string>();
  for (const procedure of procedures)
    for (const error of procedure.errors) {
      const name = nameError(procedure, error);
      if (added.has(name)) continue;
      added.add(name);
      if (error.data === undefined) addPlain(name, problemSchema(error));
      else add(name, error.data, (data) => problemSchema(error, data));
    }
  const declaredBy = (procedure: ProcedureModel): readonly (readonly [status: number, response: DocumentPart])[] =>
    statuses.flatMap((status) => {
      const errors = procedure.errors.filter(({ code }) => codes[code].http === status);
      return errors.length === 0 ? [] : [[status, declaredResponse(errors, (error) => nameError(procedure, error))]];
    });
  const all = procedures.flatMap((procedure) =>
    declaredBy(procedure).map(([status, response]) => ({
      procedure,
      label: String(status),
      content: JSON.stringify(response),
      response,
    })),
  );
  const nameResponse = nameAlike(all);
  const shared = Object.fromEntries(
    all.map(({ procedure, label, content, response }) => [nameResponse(procedure, label, content), response]),
  );
  return {
    shared,
    of: (procedure) => {
      const declared = new Map(declaredBy(procedure));
      return {
        ...Object.fromEntries(
          statuses.map((status) => {
            const response = declared.get(status);
            if (response === undefined) return [status, sharedResponse(status)];
            return [
              status,
              { $ref: `${responseBase}${nameResponse(procedure, String(status), JSON.stringify(response))}` },
            ];
          }),
        ),
        default: { $ref: `${responseBase}Problem` },
      };
    },
  };
};

const statuses = [...new Set(codeNames.map((code) => codes[code].http))].toSorted((one, other) => one - other);

interface ErrorPart {
  readonly procedure: ProcedureModel;
  /** What it is of its procedure: `problem.not_found`, `404`. */
  readonly label: string;
  /** The same for parts that are alike. */
  readonly content: string;
}

/**
 * Names of parts: one that several procedures have is named after the service, and after the first procedure that has it where that name is taken by
 * another of its label; one that a single procedure has is named after that.
 */
const nameAlike = (
  parts: readonly ErrorPart[],
): ((procedure: ProcedureModel, label: string, content: string) => string) => {
  const users = new Map<string, Set<ProcedureModel>>();
  for (const { procedure, label, content } of parts) {
    const key = JSON.stringify([label, content]);
    users.set(key, (users.get(key) ?? new Set()).add(procedure));
  }
  const taken = new Set<string>();
  // `service.problem.input` would be the input of a procedure of this name.
  const isClear = parts.every(({ procedure }) => procedure.name !== "problem");
  const names = new Map<string, string>();
  for (const { procedure, label, content } of parts) {
    const key = JSON.stringify([label, content]);
    if (names.has(key)) continue;
    const isShared = isClear && (users.get(key)?.size ?? 0) > 1 && !taken.has(label);
    if (isShared) taken.add(label);
    names.set(key, `${isShared ? procedure.service : procedure.fullName}.${label}`);
  }
  return (procedure, label, content) => names.get(JSON.stringify([label, content])) ?? `${procedure.fullName}.${label}`;
};

const describe = ({ data, ...words }: ErrorModel): string =>
  JSON.stringify([words, data === undefined ? undefined : rootIn(data)]);

const declaredResponse = (declared: readonly ErrorModel[], name: (error: ErrorModel) => string): DocumentPart => ({
  description: declared.map(({ reason, when }) => `\`${reason}\`: ${when}.`).join(" "),
  content: {
    "application/problem+json": {
      schema: {
        anyOf: [
          ...declared.map((error) => ({ $ref: `${schemaBase}${name(error)}` })),
          { $ref: `${schemaBase}Problem` },
        ],
      },
    },
  },
});

const problemSchema = ({ reason, code, when, hint }: ErrorModel, data?: JsonSchema): JsonSchema => ({
  allOf: [
    { $ref: `${schemaBase}Problem` },
    {
      type: "object",
      properties: {
        code: { type: "string", const: code },
        reason: { type: "string", const: reason },
        ...(data !== undefined && { data }),
      },
      required: ["code", "reason", ...(data === undefined ? [] : ["data"])],
    },
  ],
  description: hint === undefined ? `When ${when}.` : `When ${when}. What to do: ${hint}.`,
});
