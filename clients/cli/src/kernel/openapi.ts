/** Reads what a kernel offers, and where, from its OpenAPI document. Pure; takes nothing for granted about what it reads. */

import type { Kind, ProcedureDescriptor, RetrySafety } from "@fairlead/client";
import { isRecord, type JsonRecord } from "../text/record.ts";
import type { ToolNames } from "./connection.ts";

export interface ApiRoutes {
  /** Procedures by full name. */
  readonly routes: ReadonlyMap<string, ProcedureDescriptor>;
  readonly tools: ToolNames;
}

/** `undefined` when the document is none. */
export const parseOpenapi = (document: unknown): ApiRoutes | undefined => {
  if (!isRecord(document) || !isRecord(document.paths)) return undefined;
  const routes = new Map<string, ProcedureDescriptor>();
  const tools = new Map<string, string>();
  for (const [path, item] of Object.entries(document.paths)) {
    if (!isRecord(item)) continue;
    const operation = item.post;
    if (!isRecord(operation)) continue;
    const { operationId: name, "x-fairlead": more } = operation;
    if (typeof name !== "string" || !isRecord(more)) continue;
    routes.set(name, { name, path, ...parseCall(more) });
    if (typeof more.tool === "string") tools.set(more.tool, name);
  }
  return { routes, tools };
};

/** Every procedure is a POST; what only reads is a GET as well, which this command has no use for. */
const parseCall = ({
  kind,
  retry,
  paginated,
  upload,
  download,
}: JsonRecord): Omit<ProcedureDescriptor, "name" | "path"> => ({
  kind: kinds.find((known) => known === kind) ?? "mutation",
  retry: safeties.find((known) => known === retry) ?? "unsafe",
  ...(paginated === true && { paginated }),
  ...(isRecord(upload) && { upload: true }),
  ...(isRecord(download) && { download: true }),
});

const kinds: readonly Kind[] = ["query", "mutation", "subscription"];
const safeties: readonly RetrySafety[] = ["safe", "idempotent", "keyed", "unsafe"];
