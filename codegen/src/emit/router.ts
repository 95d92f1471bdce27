/**
 * Emits `router.ts`: the tRPC router, for the kernel and for any app. Each procedure hands its raw input to dispatch, which decodes it
 * once; its `meta` is what the contract says of it. The code that all of them share is in the kernel's `transport/trpc/router`.
 */
import type { ProcedureModel, ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { block, importNames, importTypes, indent, propertyKey, quote, typescript } from "../print/text.ts";

export const emitRouter = ({ services, out, imports }: GeneratorProject): readonly GeneratedFile[] => {
  const kinds = new Set(services.flatMap(({ procedures }) => procedures.map(({ kind }) => kind)));
  const body = [
    "/** Makes the router, also inside of an app of your own: `createRouter({ t, dispatch, principal })`. */",
    `export const createRouter = defineRouter${imports.record === undefined ? "" : "<AppRecord>"}(({ ${[...kinds].toSorted().join(", ")} }) => ({`,
    indent(services.map(serviceRecord).join("\n")),
    "}));",
  ].join("\n");
  const reading = [
    importNames(imports.router, ["defineRouter"], "value"),
    ...(imports.record === undefined ? [] : importTypes({ AppRecord: imports.record })),
  ];
  return [{ path: `${out.kernel}/router.ts`, text: typescript(services, reading, [body]) }];
};

const serviceRecord = ({ id, procedures }: ServiceModel): string =>
  block(`${propertyKey(id)}: {`, procedures.map(procedureLine), "},");

const procedureLine = ({ name, fullName, kind, access, retry, tool }: ProcedureModel): string => {
  const meta = `{ access: ${quote(access)}, retry: ${quote(retry)}, tool: ${tool === false ? "false" : quote(tool)} }`;
  return `${propertyKey(name)}: ${kind}(${quote(fullName)}, ${meta}),`;
};
