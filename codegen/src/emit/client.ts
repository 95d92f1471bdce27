/**
 * Emits `<service>.ts` for clients: a descriptor, which is all that runs, and flat types of what each procedure takes, gives
 * and declares as errors.
 */

import { type ProcedureModel, pascalCase, type ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { block, docComment, importTypes, indent, propertyKey, quote, typescript } from "../print/text.ts";
import { printType } from "../print/types.ts";
import type { JsonSchema } from "../schema/json-schema.ts";
import { sharing } from "./sharing.ts";

export const emitClient = ({ services, out, imports }: GeneratorProject): readonly GeneratedFile[] =>
  services.map((service) => ({
    path: `${out.client}/${service.id}.ts`,
    text: printModule(service, imports.descriptor),
  }));

/** Name of a service's interface of types. */
export const typesName = (id: string): string => `${pascalCase(id)}Types`;

const cache = new WeakMap<ServiceModel, string>();

const printModule = (service: ServiceModel, descriptorModule: string): string => {
  const before = cache.get(service);
  if (before !== undefined) return before;
  const declared = declarations();
  const members = service.procedures.map((procedure) => printProcedureTypes(procedure, declared));
  const text = typescript([service], importTypes({ ServiceDescriptor: descriptorModule }), [
    descriptor(service),
    block(
      `/** What each procedure takes, gives and declares as errors. */\nexport interface ${typesName(service.id)} {`,
      members,
      "}",
    ),
    ...declared.list(),
  ]);
  cache.set(service, text);
  return text;
};

const descriptor = ({ id, version, summary, procedures }: ServiceModel): string => {
  const lines = procedures.map(({ name, fullName, kind, http, retry }) => {
    const fields = [
      `name: ${quote(fullName)}`,
      `kind: ${quote(kind)}`,
      `method: ${quote(http.method)}`,
      `path: ${quote(http.path)}`,
      `encoding: ${quote(http.encoding)}`,
      `retry: ${quote(retry)}`,
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

/** Collects named types. A body that was named before becomes an alias, so that a file has each shared shape once. */
const declarations = () => {
  const lines: string[] = [];
  const bodies = new Map<string, string>();
  const share = sharing();
  return {
    list: (): readonly string[] => lines,
    add: (name: string, schema: JsonSchema): string => {
      const { $defs = {}, ...root } = schema;
      const { names, fresh } = share($defs, (local) => `${name}_${local.replace(/[^A-Za-z0-9]/g, "_")}`);
      const typeName = (local: string): string => names.get(local) ?? "unknown";
      const body = printType(root, typeName);
      const first = bodies.get(body);
      lines.push(`${docComment(root.description)}export type ${name} = ${first ?? body};`);
      if (first === undefined && body.includes("\n")) bodies.set(body, name);
      for (const [inner, content] of fresh) {
        lines.push(`${docComment(content.description)}export type ${inner} = ${printType(content, typeName)};`);
      }
      return name;
    },
  };
};

const printProcedureTypes = (procedure: ProcedureModel, declared: ReturnType<typeof declarations>): string => {
  const base = pascalCase(procedure.name);
  const errors = procedure.errors.map(({ reason, when, data }) => {
    const type = data === undefined ? "undefined" : declared.add(`${base}_${reason}`, data.json);
    return `${docComment(`When ${when}.`)}${propertyKey(reason)}: ${type};`;
  });
  const members = [
    ...(procedure.kind === "subscription" ? ['kind: "subscription";'] : []),
    `input: ${declared.add(`${base}Input`, procedure.input.json)};`,
    `output: ${declared.add(`${base}Output`, procedure.output.json)};`,
    errors.length === 0 ? "errors: Record<never, never>;" : block("errors: {", errors, "};"),
  ];
  const words = [procedure.summary, procedure.description].filter((part) => part !== undefined).join("\n\n");
  return block(`${docComment(words)}${propertyKey(procedure.name)}: {`, members, "};");
};
