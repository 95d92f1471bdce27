/** Writes the shared names into the schemas of services. What keeps its names stays the same object, so that nothing is emitted again. */
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import { defName, defRef, type JsonSchema, rewrite } from "../schema/json-schema.ts";
import type { LoweredSchema } from "../schema/lower.ts";

type LocalNames = ReadonlyMap<LoweredSchema, ReadonlyMap<string, string>>;

export const renameDefinitions = (services: readonly ServiceModel[], names: LocalNames): readonly ServiceModel[] =>
  services.map((service) => renameInService(service, names));

const cache = new WeakMap<ServiceModel, { readonly key: string; readonly renamed: ServiceModel }>();

const renameInService = (service: ServiceModel, names: LocalNames): ServiceModel => {
  const key = JSON.stringify(schemasIn(service).map((schema) => [...(names.get(schema) ?? [])]));
  const before = cache.get(service);
  if (before?.key === key) return before.renamed;
  const renamed = mapSchemas(service, (schema) => renameInSchema(schema, names.get(schema)));
  cache.set(service, { key, renamed });
  return renamed;
};

const schemasIn = ({ procedures }: ServiceModel): readonly LoweredSchema[] =>
  procedures.flatMap(({ input, output, errors, questions }) => [
    input,
    output,
    ...errors.flatMap(({ data }) => data ?? []),
    ...questions.flatMap(({ answer }) => answer ?? []),
  ]);

/** A service with other schemas; what several procedures have in common stays common to them. */
export const mapSchemas = (service: ServiceModel, change: (schema: LoweredSchema) => LoweredSchema): ServiceModel => {
  const done = new Map<LoweredSchema, LoweredSchema>();
  const changed = (schema: LoweredSchema): LoweredSchema => {
    const after = done.get(schema) ?? change(schema);
    done.set(schema, after);
    return after;
  };
  const mapProcedure = (procedure: ProcedureModel): ProcedureModel => ({
    ...procedure,
    input: changed(procedure.input),
    output: changed(procedure.output),
    errors: procedure.errors.map((error) =>
      error.data === undefined ? error : { ...error, data: changed(error.data) },
    ),
    questions: procedure.questions.map((question) =>
      question.answer === undefined ? question : { ...question, answer: changed(question.answer) },
    ),
  });
  return { ...service, procedures: service.procedures.map(mapProcedure) };
};

const renameInSchema = (schema: LoweredSchema, names: ReadonlyMap<string, string> | undefined): LoweredSchema => {
  if (names === undefined || [...names].every(([local, name]) => local === name)) return schema;
  const json = rewrite(schema.json, (node) => {
    const name = node.$ref === undefined ? undefined : names.get(defName(node.$ref) ?? "");
    return name === undefined ? node : { ...node, $ref: defRef(name) };
  });
  const $defs: Record<string, JsonSchema> = {};
  for (const [local, definition] of Object.entries(json.$defs ?? {})) $defs[names.get(local) ?? local] = definition;
  return {
    ...schema,
    json: { ...json, ...(json.$defs !== undefined && { $defs }) },
    ...(schema.name !== undefined && { name: names.get(schema.name) ?? schema.name }),
    anonymous: schema.anonymous.map((local) => names.get(local) ?? local),
    ...(schema.sharing !== undefined && {
      sharing: {
        inline: renameInSchema(schema.sharing.inline, names),
        shapes: new Map([...schema.sharing.shapes].map(([local, shape]) => [names.get(local) ?? local, shape])),
      },
    }),
  };
};
