/**
 * Writes a contract of an upstream's tools with the service behind it. Written over are only files that an import has written; the
 * service is the user's once it is there.
 *
 * Not here: what is in the files (`imported-text`), and generating from them (`generate`).
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { ImportRelay } from "@fairlead/contracts";
import { inheritedNames, memberRefusal } from "../names/reserved.ts";
import { walk } from "../schema/json-schema.ts";
import {
  type ImportedTexts,
  importedContract,
  importedService,
  importedTools,
  importMark,
  type NamedTool,
  type UpstreamTool,
} from "./imported-text.ts";
import { camelCase } from "./procedure-name.ts";
import { planLayout, refusedId, type ScaffoldOptions, type ScaffoldResult, type ServiceLayout } from "./scaffold.ts";

/** The tools to make a contract of, and the connection that they are called through. */
export interface ImportOptions extends ScaffoldOptions {
  readonly through: ImportRelay;
  readonly connection: string;
  readonly tools: readonly UpstreamTool[];
}

/** The files that were written, or why none was. */
export type ImportResult =
  | Extract<ScaffoldResult, { ok: false }>
  | {
      readonly ok: true;
      /** Paths from the root. */
      readonly written: readonly string[];
      readonly next: readonly string[];
      /** Tools that no contract can hold. */
      readonly left: readonly { readonly tool: string; readonly why: string }[];
    };

/** Writes a contract of an upstream's tools and a service that relays them. Rejects only where a file cannot be written. */
export const importTools = async (options: ImportOptions): Promise<ImportResult> => {
  const { root, id, connection, through } = options;
  const refused = refusedId(options, through.service);
  if (refused !== undefined) return { ...refused, fix: `${refused.fix} with --as` };
  const { tools, left } = named(options.tools);
  if (tools.length === 0) {
    return {
      ok: false,
      message: `${connection} has no tool to import`,
      fix: `see \`fairlead ${through.verbs.status} ${connection}\``,
    };
  }
  const layout = planLayout({ ...options, dependencies: [through.package] });
  const files = planImport({ id, connection, through, tools, left: left.map(({ tool }) => tool) }, layout);
  const foreign = Object.keys(files.mine).find((path) => !mayWrite(resolve(root, path), through));
  if (foreign !== undefined) {
    return { ok: false, message: `${foreign} exists already`, fix: "choose another id with --as, or remove the file" };
  }
  const fresh = Object.entries(files.yours).filter(([path]) => !existsSync(resolve(root, path)));
  const written = [...Object.entries(files.mine), ...fresh];
  for (const [path, text] of written) {
    const file = resolve(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return {
    ok: true,
    written: written.map(([path]) => path),
    next: [
      ...(layout.inWorkspace ? ["run `npm install`"] : []),
      ...(layout.inWorkspace || options.config.include.includes(through.package)
        ? []
        : [`name "${through.package}" under \`gen.include\` in the configuration`]),
      "run `fairlead gen`",
    ],
    left: left.map(({ tool, why }) => ({ tool: tool.upstreamName, why })),
  };
};

/** `mine`: written again by every import. `yours`: written once. */
const planImport = (texts: ImportedTexts, layout: ServiceLayout) => ({
  mine: {
    [layout.contract]: importedContract(texts, layout.core),
    [`${dirname(layout.service)}/tools.ts`]: importedTools(texts),
  },
  yours: {
    ...layout.rest,
    [layout.service]: importedService(texts, layout.contractModule),
  },
});

const mayWrite = (file: string, through: ImportRelay): boolean =>
  !existsSync(file) || readFileSync(file, "utf8").slice(0, 600).includes(importMark(through));

/** A procedure's name for each tool, and those that can have none. */
const named = (
  all: readonly UpstreamTool[],
): {
  readonly tools: readonly NamedTool[];
  readonly left: readonly { readonly tool: UpstreamTool; readonly why: string }[];
} => {
  const used = new Set<string>();
  const tools: NamedTool[] = [];
  const left: { readonly tool: UpstreamTool; readonly why: string }[] = [];
  for (const tool of all) {
    const odd = oddField(tool);
    if (odd !== undefined) {
      left.push({ tool, why: `every JavaScript object has a \`${odd}\` of its own` });
      continue;
    }
    const plain = camelCase(tool.upstreamName, "tool");
    const name = memberRefusal(plain) !== undefined ? `${plain}Tool` : plain;
    let procedure = name;
    for (let again = 2; used.has(procedure); again += 1) procedure = `${name}${again}`;
    used.add(procedure);
    tools.push({ procedure, tool });
  }
  return { tools, left };
};

/** A field with the name of one that every object inherits. */
const oddField = ({ inputSchema, outputSchema }: UpstreamTool): string | undefined => {
  for (const schema of [inputSchema, outputSchema ?? {}]) {
    for (const { at } of walk(schema)) {
      if (at?.keyword === "properties" && inheritedNames.has(String(at.key))) return String(at.key);
    }
  }
  return undefined;
};
