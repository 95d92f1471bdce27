/**
 * Emits `<service>.ts` for clients: a descriptor, which is all that runs, and flat types of what each procedure takes, gives
 * and declares as errors.
 */

import type { QueryParameters } from "@fairlead/contracts";
import { pascalCase } from "../model/letter-case.ts";
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { rootIn } from "../names/schema-parts.ts";
import {
  block,
  deprecationTag,
  docComment,
  importTypes,
  indent,
  propertyKey,
  quote,
  typescript,
} from "../print/text.ts";
import { printType } from "../print/types.ts";
import type { LoweredSchema } from "../schema/lower.ts";
import {
  definitionStyle,
  findSharedTypes,
  printDefinition,
  serviceDefinitions,
  sharedTypesFile,
} from "./shared-types.ts";

export const emitClient = ({ services, out, imports }: GeneratorProject): readonly GeneratedFile[] => {
  const elsewhere = findSharedTypes(services);
  return services.map((service) => ({
    path: `${out.client}/${service.id}.ts`,
    text: printModule(
      service,
      imports.descriptor,
      [...serviceDefinitions(service).keys()].filter((name) => elsewhere.has(name)).toSorted(),
    ),
  }));
};

/** Name of a service's interface of types. */
export const typesName = (id: string): string => `${pascalCase(id)}Types`;

const cache = new WeakMap<ServiceModel, { readonly key: string; readonly text: string }>();

/** `imported` are the types that other services have too, and that are in a file of their own. */
const printModule = (service: ServiceModel, descriptorModule: string, imported: readonly string[]): string => {
  const key = imported.join();
  const before = cache.get(service);
  if (before?.key === key) return before.text;
  const declared = declarations();
  const members = service.procedures.map((procedure) => printProcedureTypes(procedure, declared));
  const imports = importTypes({
    ServiceDescriptor: descriptorModule,
    ...Object.fromEntries(imported.map((name) => [name, `./${sharedTypesFile}`])),
  });
  const text = typescript([service], imports, [
    ...(imported.length === 0 ? [] : [`export type { ${imported.join(", ")} };`]),
    descriptor(service),
    block(
      `/** What each procedure takes, gives and declares as errors. */\nexport interface ${typesName(service.id)} {`,
      members,
      "}",
    ),
    ...declared.list(),
    ...[...serviceDefinitions(service)]
      .filter(([name]) => !imported.includes(name))
      .map(([name, definition]) => printDefinition(name, definition, definitionStyle([service], name))),
  ]);
  cache.set(service, { key, text });
  return text;
};

const descriptor = ({ id, version, summary, procedures }: ServiceModel): string => {
  const lines = procedures.map(({ name, fullName, kind, path, retry, query, paginated, upload, download, run }) => {
    const fields = [
      `name: ${quote(fullName)}`,
      `kind: ${quote(kind)}`,
      `path: ${quote(path)}`,
      `retry: ${quote(retry)}`,
      ...(query === undefined ? [] : [`query: ${printQuery(query)}`]),
      ...(paginated === true ? ["paginated: true"] : []),
      ...(upload === undefined ? [] : ["upload: true"]),
      ...(download === undefined ? [] : ["download: true"]),
      ...(run === undefined ? [] : ["run: true"]),
    ];
    return `${propertyKey(name)}: { ${fields.join(", ")} },`;
  });
  return [
    `${docComment(`${summary} (${id} ${version})`)}export const ${id} = {`,
    `  id: ${quote(id)},`,
    indent(block("procedures: {", lines, "},")),
    "} as const satisfies ServiceDescriptor;",
  ].join("\n");
};

const printQuery = (query: QueryParameters): string => {
  const fields = [...query].map(([name, type]) => `${propertyKey(name)}: ${quote(type)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
};

/** Collects the types of procedures. A body that was named before becomes an alias, so that a file has each shape once. */
const declarations = () => {
  const lines: string[] = [];
  const bodies = new Map<string, string>();
  return {
    list: (): readonly string[] => lines,
    add: (name: string, schema: LoweredSchema, isInput = false): string => {
      const body = printType(rootIn(schema), (definition) => definition, { templates: schema.templates, isInput });
      const first = bodies.get(body);
      const words = schema.name === undefined ? schema.json.description : undefined;
      lines.push(`${docComment(words)}export type ${name} = ${first ?? body};`);
      if (first === undefined && body.includes("\n")) bodies.set(body, name);
      return name;
    },
  };
};

/** What a person answers: yes or no, or a form. */
const questionTypes = (
  { name, questions }: ProcedureModel,
  declared: ReturnType<typeof declarations>,
): readonly string[] => {
  if (questions.length === 0) return [];
  const lines = questions.map(({ name: question, when, answer }) => {
    const type =
      answer === undefined ? "boolean" : declared.add(`${pascalCase(name)}_${question}_answer`, answer, true);
    return `${docComment(`Asked when ${when}.`)}${propertyKey(question)}: ${type};`;
  });
  return [block("questions: {", lines, "};")];
};

const printProcedureTypes = (procedure: ProcedureModel, declared: ReturnType<typeof declarations>): string => {
  const base = pascalCase(procedure.name);
  const errors = procedure.errors.map(({ reason, when, data }) => {
    const type = data === undefined ? "undefined" : declared.add(`${base}_${reason}`, data);
    return `${docComment(`When ${when}.`)}${propertyKey(reason)}: ${type};`;
  });
  const members = [
    ...(procedure.kind === "subscription" ? ['kind: "subscription";'] : []),
    ...(procedure.paginated === true ? ["paginated: true;"] : []),
    ...(procedure.upload === undefined ? [] : ["upload: true;"]),
    ...(procedure.download === undefined ? [] : ["download: true;"]),
    ...(procedure.run === undefined ? [] : ["run: true;", ...questionTypes(procedure, declared)]),
    `input: ${declared.add(`${base}Input`, procedure.input, true)};`,
    `output: ${declared.add(`${base}Output`, procedure.output)};`,
    errors.length === 0 ? "errors: Record<never, never>;" : block("errors: {", errors, "};"),
  ];
  const words = [procedure.summary, procedure.description, deprecationTag(procedure.deprecated)]
    .filter((part) => part !== undefined)
    .join("\n\n");
  return block(`${docComment(words)}${propertyKey(procedure.name)}: {`, members, "};");
};
