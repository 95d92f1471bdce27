/** Reads where procedures live from a kernel's OpenAPI document. Pure; takes nothing for granted about what it reads. */
import type { Kind, ProcedureDescriptor, RetrySafety } from "@fairlead/client";

type Json = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Procedures by full name; `undefined` when the document is none. */
export const routesOf = (document: unknown): ReadonlyMap<string, ProcedureDescriptor> | undefined => {
  if (!isRecord(document) || !isRecord(document.paths)) return undefined;
  const routes = new Map<string, ProcedureDescriptor>();
  for (const [path, item] of Object.entries(document.paths)) {
    if (!isRecord(item)) continue;
    for (const method of ["get", "post"] as const) {
      const descriptor = routeOf(path, method, item[method]);
      if (descriptor !== undefined) routes.set(descriptor.name, descriptor);
    }
  }
  return routes;
};

const routeOf = (path: string, method: "get" | "post", operation: unknown): ProcedureDescriptor | undefined => {
  if (!isRecord(operation)) return undefined;
  const { operationId: name, "x-fairlead": more } = operation;
  if (typeof name !== "string" || !isRecord(more)) return undefined;
  const get = method === "get";
  return {
    name,
    kind: kinds.find((kind) => kind === more.kind) ?? (get ? "query" : "mutation"),
    method: get ? "GET" : "POST",
    path,
    encoding: get ? "query" : "json",
    retry: safeties.find((safety) => safety === more.retry) ?? "unsafe",
  };
};

const kinds: readonly Kind[] = ["query", "mutation", "subscription"];
const safeties: readonly RetrySafety[] = ["safe", "idempotent", "keyed", "unsafe"];
