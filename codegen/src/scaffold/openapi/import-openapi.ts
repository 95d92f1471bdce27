/**
 * Writes a contract of an HTTP API's operations with the service behind it. Written over are only files that an import has written; the service is
 * the user's once it is there.
 *
 * Not here: reading files and addresses (the command line), what is in the files (`contract-text`), generating from them (`generate`).
 */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { planLayout, refusedId, type ScaffoldOptions, type ScaffoldResult } from "../scaffold.ts";
import { type ApiTexts, apiContract, apiImportMark, apiOperations, apiService } from "./contract-text.ts";
import { type OpenApiDocument, readDocument } from "./document.ts";
import { type Loss, type PlannedProcedure, planOperation } from "./operation.ts";

export interface OpenApiImport extends ScaffoldOptions {
  /** The document, parsed. */
  readonly document: unknown;
  /** Where it is from: a path or an address. */
  readonly source: string;
  /** Only operations whose path begins with one of these; all when left out. */
  readonly paths?: readonly string[];
}

/** The files that were written, or why none was. */
export type OpenApiImportResult =
  | Extract<ScaffoldResult, { ok: false }>
  | {
      readonly ok: true;
      /** Paths from the root. */
      readonly written: readonly string[];
      readonly next: readonly string[];
      /** Count of procedures. */
      readonly procedures: number;
      /** Operations that no contract can hold, and why. */
      readonly left: readonly Loss[];
      /** What the contract does not say of the others. */
      readonly losses: readonly Loss[];
    };

/** Writes a contract of an API's operations and a service that forwards to it. Rejects only where a file cannot be written. */
export const importOpenApi = async (options: OpenApiImport): Promise<OpenApiImportResult> => {
  const { root, id, source } = options;
  const refused = refusedId(options);
  if (refused !== undefined) return { ...refused, fix: `${refused.fix} with --as` };
  const read = readDocument(options.document);
  if (!read.ok) return read;
  const { document } = read;
  const { procedures, left, losses } = planAll(document, options.paths);
  if (procedures.length === 0) {
    const why = left[0] === undefined ? "it has none" : `${left[0].operation}: ${left[0].what}`;
    return { ok: false, message: `${source} has no operation to import: ${why}`, fix: "see its `paths`" };
  }
  const url = absoluteAddress(document.server, source);
  const { title, version, schemas } = document;
  const texts: ApiTexts = { id, title, version, source, url, procedures, schemas };
  const layout = planLayout(options);
  const mine = {
    [layout.contract]: apiContract(texts, layout.core),
    [`${dirname(layout.service)}/operations.ts`]: apiOperations(texts),
  };
  const foreign = Object.keys(mine).find((path) => !mayWrite(resolve(root, path)));
  if (foreign !== undefined)
    return { ok: false, message: `${foreign} exists already`, fix: "choose another id with --as, or remove the file" };
  const yours = { ...layout.rest, [layout.service]: apiService(texts, layout.contractModule) };
  const fresh = Object.entries(yours).filter(([path]) => !existsSync(resolve(root, path)));
  const written = [...Object.entries(mine), ...fresh];
  for (const [path, text] of written) {
    const file = resolve(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  return {
    ok: true,
    written: written.map(([path]) => path),
    procedures: procedures.length,
    left,
    losses,
    next: [
      ...(layout.inWorkspace ? ["run `npm install`"] : []),
      "run `fairlead gen`",
      ...(url === undefined ? [`set services.${id}.url in the configuration: the document names no address`] : []),
      ...(document.security.length > 0
        ? [`put its credentials (${document.security.join(", ")}) under services.${id}.headers in the configuration`]
        : []),
    ],
  };
};

interface PlannedOperations {
  readonly procedures: readonly PlannedProcedure[];
  readonly left: readonly Loss[];
  readonly losses: readonly Loss[];
}

const planAll = ({ operations }: OpenApiDocument, paths: readonly string[] | undefined): PlannedOperations => {
  const used = new Set<string>();
  const procedures: PlannedProcedure[] = [];
  const left: Loss[] = [];
  const losses: Loss[] = [];
  for (const operation of operations) {
    if (paths !== undefined && !paths.some((path) => operation.path.startsWith(path))) continue;
    const name = `${operation.method} ${operation.path}`;
    const planned = planOperation(operation, used);
    losses.push(...planned.losses.map((what) => ({ operation: name, what })));
    if (planned.procedure !== undefined) procedures.push(planned.procedure);
    else left.push({ operation: name, what: planned.left ?? "" });
  }
  return { procedures, left, losses };
};

/** A relative address begins at the document's own. */
const absoluteAddress = (server: string | undefined, source: string): string | undefined => {
  const base = /^https?:/.test(source) ? source : undefined;
  const url = server === undefined ? undefined : URL.parse(server, base);
  return url !== undefined && url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

const mayWrite = (file: string): boolean =>
  !existsSync(file) || readFileSync(file, "utf8").slice(0, 900).includes(apiImportMark);
