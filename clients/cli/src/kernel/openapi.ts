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
    for (const method of ["get", "post"] as const) {
      const operation = item[method];
      if (!isRecord(operation)) continue;
      const { operationId: name, "x-fairlead": more } = operation;
      if (typeof name !== "string" || !isRecord(more)) continue;
      routes.set(name, { name, path, ...parseCall(method, more) });
      if (typeof more.tool === "string") tools.set(more.tool, name);
    }
  }
  return { routes, tools };
};

const parseCall = (method: "get" | "post", { kind, retry }: JsonRecord): Omit<ProcedureDescriptor, "name" | "path"> => {
  const get = method === "get";
  return {
    kind: kinds.find((known) => known === kind) ?? (get ? "query" : "mutation"),
    method: get ? "GET" : "POST",
    encoding: get ? "query" : "json",
    retry: safeties.find((known) => known === retry) ?? "unsafe",
  };
};

const kinds: readonly Kind[] = ["query", "mutation", "subscription"];
const safeties: readonly RetrySafety[] = ["safe", "idempotent", "keyed", "unsafe"];
