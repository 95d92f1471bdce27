/**
 * Emits `router.ts`: the tRPC router. Each procedure hands its raw input to dispatch, which decodes it once; what they share
 * is in the kernel's `transport/trpc/router`.
 */
import type { ServiceModel } from "../model/model.ts";
import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { block, importNames, indent, propertyKey, quote, typescript } from "../print/text.ts";

export const emitRouter = ({ services, out, imports }: GeneratorProject): readonly GeneratedFile[] => {
  const kinds = new Set(services.flatMap(({ procedures }) => procedures.map(({ kind }) => kind)));
  const body = [
    "/** Makes the router over one dispatch. */",
    "export const createRouter: CreateRouter = (dispatch) => {",
    `  const { ${["router", ...[...kinds].toSorted()].join(", ")} } = routerParts(dispatch);`,
    "  return router({",
    indent(services.map(serviceRouter).join("\n"), "    "),
    "  });",
    "};",
  ].join("\n");
  return [
    {
      path: `${out.kernel}/router.ts`,
      text: typescript(services, [importNames(imports.router, ["routerParts", "type CreateRouter"], "value")], [body]),
    },
  ];
};

const serviceRouter = ({ id, procedures }: ServiceModel): string => {
  const lines = procedures.map(({ name, fullName, kind }) => `${propertyKey(name)}: ${kind}(${quote(fullName)}),`);
  return block(`${propertyKey(id)}: router({`, lines, "}),");
};
