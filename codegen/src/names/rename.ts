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
  const done = new Map<LoweredSchema, LoweredSchema>();
  const rename = (schema: LoweredSchema): LoweredSchema => {
    const known = done.get(schema) ?? renameInSchema(schema, names.get(schema));
    done.set(schema, known);
    return known;
  };
  const renamed = { ...service, procedures: service.procedures.map((each) => renameInProcedure(each, rename)) };
  cache.set(service, { key, renamed });
  return renamed;
};

const schemasIn = ({ procedures }: ServiceModel): readonly LoweredSchema[] =>
  procedures.flatMap(({ input, output, errors }) => [input, output, ...errors.flatMap(({ data }) => data ?? [])]);

const renameInProcedure = (
  procedure: ProcedureModel,
  rename: (schema: LoweredSchema) => LoweredSchema,
): ProcedureModel => ({
  ...procedure,
  input: rename(procedure.input),
  output: rename(procedure.output),
  errors: procedure.errors.map((error) => (error.data === undefined ? error : { ...error, data: rename(error.data) })),
});

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
  };
};
