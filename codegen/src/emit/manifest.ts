/** Emits `manifest.ts`: which modules a kernel loads, and where it finds what was generated. */

import type { GeneratedFile, GeneratorProject } from "../model/project.ts";
import { importTypes, indent, propertyKey, quote, typescript } from "../print/text.ts";

export const emitManifest = ({ services, modules, out, imports }: GeneratorProject): readonly GeneratedFile[] => {
  const { from, base } = imports.schemas;
  const locate =
    from === "package"
      ? 'const read = (name: string): Promise<string> => readFile(createRequire(import.meta.url).resolve(name), "utf8");'
      : 'const read = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), "utf8");';
  const document = (name: string): string => quote(`${base}/${name}`);
  const schemas = services.map(({ id }) => `${propertyKey(id)}: ${document(`${id}.schema.json`)},`);
  const entries = modules.map(({ id, module }) => `{ id: ${quote(id)}, module: ${quote(module)} },`);
  const body = [
    `const schemas: Readonly<Record<string, string>> = {\n${indent(schemas.join("\n"))}\n};`,
    locate,
    [
      "const manifest: Manifest = {",
      "  version: 1,",
      "  url: import.meta.url,",
      entries.length === 0 ? "  services: []," : `  services: [\n${indent(entries.join("\n"), "    ")}\n  ],`,
      '  tools: async () => (await import("./tools.ts")).tools,',
      `  openapi: () => read(${document("openapi.json")}),`,
      ...(services.some(({ verbs }) => verbs.length > 0) ? [`  verbs: () => read(${document("verbs.json")}),`] : []),
      "  schema: async (service) => {",
      "    const name = Object.hasOwn(schemas, service) ? schemas[service] : undefined;",
      "    return name === undefined ? undefined : read(name);",
      "  },",
      '  router: async () => (await import("./router.ts")).createRouter,',
      "};",
    ].join("\n"),
    "export default manifest;",
  ];
  const reading = [
    'import { readFile } from "node:fs/promises";',
    ...(from === "package" ? ['import { createRequire } from "node:module";'] : []),
    ...importTypes({ Manifest: imports.manifest }),
  ];
  return [{ path: `${out.kernel}/manifest.ts`, text: typescript(services, reading, body) }];
};
