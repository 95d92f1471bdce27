/**
 * The routes of the HTTP API, read off the catalog by the rule that the OpenAPI document is written by.
 */
import { didYouMean, type HttpEndpoint, httpRoute } from "@fairlead/contracts";
import type { Catalog, CatalogEntry } from "../transport.ts";

export interface Route {
  readonly entry: CatalogEntry;
  readonly endpoint: HttpEndpoint;
}

export interface Routes {
  /** The route at a path below `/api`, offered or not. */
  find(path: string): Route | undefined;
  /** Where a procedure is served. */
  pathOf(procedure: string): string | undefined;
  /** The path nearest to one that does not exist. */
  near(path: string): string | undefined;
}

export const apiPrefix = "/api";

/** The table has the procedures that are switched off, too: it never changes, and dispatch says why one is not offered. */
export const makeRoutes = (catalog: Catalog): Routes => {
  const byPath = new Map<string, Route>();
  const paths = new Map<string, string>();
  for (const entry of catalog.all()) {
    const local = entry.name.slice(entry.service.length + 1);
    const endpoint = httpRoute(entry.service, local, entry.procedure);
    byPath.set(endpoint.path.slice(apiPrefix.length), { entry, endpoint });
    paths.set(entry.name, endpoint.path);
  }
  /** A tool that a service relays: its path is the rule's, and not in any document. */
  const relayed = (path: string): Route | undefined => {
    const [, service = "", local = ""] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const entry = catalog.find(`${service}.${local}`);
    if (entry === undefined || paths.has(entry.name)) return undefined;
    return { entry, endpoint: httpRoute(service, local, entry.procedure) };
  };
  return {
    find: (path) => byPath.get(path) ?? relayed(path),
    pathOf: (procedure) => paths.get(procedure),
    near: (path) => {
      const found = didYouMean(path, byPath.keys());
      return found === undefined ? undefined : apiPrefix + found;
    },
  };
};
