/**
 * Finds every definition in a service's schemas: what it is called there, what it says, and the places that refer to it.
 *
 * Not here: which name all documents give it (`assign`).
 */
import { pascalCase } from "../model/letter-case.ts";
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import { defName, type JsonSchema, walk } from "../schema/json-schema.ts";
import type { LoweredSchema, SchemaSide, Sharing } from "../schema/lower.ts";
import { definitionsIn, describeDefinition, extendPath, rootIn } from "./schema-parts.ts";

/** One schema of a procedure. */
export interface ProcedureSchema {
  readonly schema: LoweredSchema;
  readonly side: SchemaSide;
  /** As people read it: `rules.resolveAttack input`. */
  readonly where: string;
  /** As a type would be called after it: `RulesResolveAttackInput`. */
  readonly typeName: string;
}

/** A place that refers to a definition: the path of a field in a procedure's schema, or in the schema that has an id. */
export interface DefinitionPlace {
  readonly base:
    | { readonly where: string; readonly typeName: string }
    | { readonly id: string; readonly side: SchemaSide };
  readonly path: string;
}

/** A definition as one schema has it. */
export interface DefinitionUse {
  readonly service: ServiceModel;
  readonly schema: LoweredSchema;
  /** Its name in that schema. */
  readonly local: string;
  /** Its `.meta({ id })`, which is its name there as well. */
  readonly id: string | undefined;
  readonly side: SchemaSide;
  /** The same for two that say the same, with all they refer to. */
  readonly text: string;
  readonly places: readonly DefinitionPlace[];
}

const schemasOf = new WeakMap<ProcedureModel, readonly ProcedureSchema[]>();

export const listSchemas = (procedure: ProcedureModel): readonly ProcedureSchema[] => {
  const before = schemasOf.get(procedure);
  if (before !== undefined) return before;
  const schemas = readSchemas(procedure);
  schemasOf.set(procedure, schemas);
  return schemas;
};

const readSchemas = ({
  service,
  name,
  fullName,
  input,
  output,
  errors,
  questions,
}: ProcedureModel): readonly ProcedureSchema[] => {
  const base = `${pascalCase(service)}${pascalCase(name)}`;
  return [
    { schema: input, side: "input", where: `${fullName} input`, typeName: `${base}Input` },
    { schema: output, side: "output", where: `${fullName} output`, typeName: `${base}Output` },
    ...errors.flatMap(({ reason, data }): readonly ProcedureSchema[] =>
      data === undefined
        ? []
        : [
            {
              schema: data,
              side: "output",
              where: `${fullName} error ${reason}`,
              typeName: `${base}${pascalCase(reason)}`,
            },
          ],
    ),
    ...questions.flatMap(({ name: question, answer }): readonly ProcedureSchema[] =>
      answer === undefined
        ? []
        : [
            {
              schema: answer,
              side: "input",
              where: `${fullName} question ${question}`,
              typeName: `${base}${pascalCase(question)}Answer`,
            },
          ],
    ),
  ];
};

const cache = new WeakMap<ServiceModel, readonly DefinitionUse[]>();

/** All definitions of a service, in the order of the contract. */
export const findDefinitions = (service: ServiceModel): readonly DefinitionUse[] => {
  const before = cache.get(service);
  if (before !== undefined) return before;
  const uses = service.procedures.flatMap(listSchemas).flatMap((each) => findIn(service, each));
  cache.set(service, uses);
  return uses;
};

const findIn = (service: ServiceModel, { schema, side, where, typeName }: ProcedureSchema): readonly DefinitionUse[] =>
  readDefinitions(schema).map(({ local, id, text, references }) => ({
    service,
    schema,
    local,
    id,
    side,
    text,
    places: references.map((reference) => placeIn({ side, where, typeName }, reference)),
  }));

/** A place below an id is one of the id, since that may be in many schemas. */
export const placeIn = (
  { side, where, typeName }: Omit<ProcedureSchema, "schema">,
  { from, path }: Reference,
): DefinitionPlace => ({ base: from === undefined ? { where, typeName } : { id: from, side }, path });

interface Reference {
  readonly from: string | undefined;
  readonly path: string;
}

interface LocalDefinition {
  readonly local: string;
  readonly id: string | undefined;
  readonly text: string;
  readonly references: readonly Reference[];
}

const read = new WeakMap<LoweredSchema, readonly LocalDefinition[]>();

/** What they say and where they are is read where nothing is shared: what is shared changes with other schemas. */
const readDefinitions = (schema: LoweredSchema): readonly LocalDefinition[] => {
  const before = read.get(schema);
  if (before !== undefined) return before;
  const found = schema.sharing === undefined ? readWhole(schema) : readShared(schema.sharing);
  read.set(schema, found);
  return found;
};

const readShared = ({ inline, shapes }: Sharing): readonly LocalDefinition[] => [
  ...readDefinitions(inline),
  ...[...shapes].map(([local, { key, places }]) => ({ local, id: undefined, text: key, references: places })),
];

const readWhole = (schema: LoweredSchema): readonly LocalDefinition[] => {
  const definitions = definitionsIn(schema);
  const anonymous = new Set(schema.anonymous);
  const references = Object.keys(definitions).length === 0 ? new Map() : findReferences(schema, definitions, anonymous);
  return Object.keys(definitions).map((local) => ({
    local,
    id: anonymous.has(local) ? undefined : local,
    text: describeDefinition(local, definitions, anonymous),
    references: references.get(local) ?? [],
  }));
};

/** Follows references from the root. */
const findReferences = (
  schema: LoweredSchema,
  definitions: Readonly<Record<string, JsonSchema>>,
  anonymous: ReadonlySet<string>,
): ReadonlyMap<string, LocalDefinition["references"][number][]> => {
  const found = new Map<string, LocalDefinition["references"][number][]>();
  const visit = (body: JsonSchema, from: string | undefined, start: string): void => {
    for (const { path, schema: node } of walk(body)) {
      const local = node.$ref === undefined ? undefined : defName(node.$ref);
      const definition = local === undefined ? undefined : definitions[local];
      if (local === undefined || definition === undefined) continue;
      const known = found.get(local);
      const place = { from, path: extendPath(start, path) };
      if (known !== undefined) {
        if (!known.some((each) => each.from === place.from && each.path === place.path)) known.push(place);
        continue;
      }
      found.set(local, [place]);
      if (anonymous.has(local)) visit(definition, from, place.path);
      else visit(definition, local, "");
    }
  };
  visit(rootIn(schema), undefined, "");
  return found;
};
