/**
 * The routes of the HTTP API, read off the catalog by the rule that the OpenAPI document is written by.
 */
import { type HttpEndpoint, httpRoute } from "@fairlead/contracts";
import { didYouMean } from "../../did-you-mean.ts";
import type { Catalog, CatalogEntry } from "../transport.ts";

export interface Route {
  readonly entry: CatalogEntry;
  readonly endpoint: HttpEndpoint;
}

export interface Routes {
  /** The route at a path below `/api`. */
  find(path: string): Route | undefined;
  /** Where a procedure is served. */
  pathOf(procedure: string): string | undefined;
  /** The path nearest to one that does not exist. */
  near(path: string): string | undefined;
}

export const apiPrefix = "/api";

/** The table is kept as long as what it finds is still offered; procedures may be switched on and off at any time. */
export const makeRoutes = (catalog: Catalog): Routes => {
  let table = new Map<string, Route>();

  const renew = (): void => {
    table = new Map(
      catalog.list().map((entry) => {
        const local = entry.name.slice(entry.service.length + 1);
        const endpoint = httpRoute(entry.service, local, entry.procedure);
        return [endpoint.path.slice(apiPrefix.length), { entry, endpoint }];
      }),
    );
  };

  const known = (path: string): Route | undefined => {
    const route = table.get(path);
    return route !== undefined && catalog.find(route.entry.name) === route.entry ? route : undefined;
  };

  /** A tool that a service relays: its path is the rule's, and not in any document. */
  const relayed = (path: string): Route | undefined => {
    const [, service = "", local = ""] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const entry = catalog.find(`${service}.${local}`);
    if (entry === undefined || catalog.list().includes(entry)) return undefined;
    return { entry, endpoint: httpRoute(service, local, entry.procedure) };
  };

  return {
    find: (path) => {
      const route = known(path);
      if (route !== undefined) return route;
      renew();
      return known(path) ?? relayed(path);
    },
    pathOf: (procedure) => [...table.values()].find(({ entry }) => entry.name === procedure)?.endpoint.path,
    near: (path) => {
      const found = didYouMean(path, table.keys());
      return found === undefined ? undefined : apiPrefix + found;
    },
  };
};
