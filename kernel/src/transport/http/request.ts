/**
 * Reading a request of the HTTP API: which procedure a path names, and the call that headers and query describe.
 *
 * Not here: bodies (`server/body.ts`) and what the call means (dispatch).
 */
import { didYouMean, httpPath, queryParameters, queryToInput, servedMethods } from "@fairlead/contracts";
import type { CallRequest } from "../../call/call.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import type { Catalog, CatalogEntry } from "../transport.ts";

export interface Route {
  readonly entry: CatalogEntry;
  /** That it is served with. */
  readonly methods: readonly string[];
}

interface Routes {
  /** The route at a path below `/api`, offered or not. */
  find(path: string): Route | undefined;
  /** Where a procedure is served. */
  pathTo(procedure: string): string | undefined;
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
    const path = httpPath(entry.service, local, entry.procedure);
    byPath.set(path.slice(apiPrefix.length), { entry, methods: servedMethods(entry.procedure) });
    paths.set(entry.name, path);
  }
  /** A tool that a service relays: its path is the rule's, and not in any document. */
  const relayed = (path: string): Route | undefined => {
    const [, service = "", local = ""] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
    const entry = catalog.find(`${service}.${local}`);
    if (entry === undefined || paths.has(entry.name)) return undefined;
    return { entry, methods: servedMethods(entry.procedure) };
  };
  return {
    find: (path) => byPath.get(path) ?? relayed(path),
    pathTo: (procedure) => paths.get(procedure),
    near: (path) => {
      const found = didYouMean(path, byPath.keys());
      return found === undefined ? undefined : apiPrefix + found;
    },
  };
};

/** A call that is still being put together. */
export type HttpCall = { -readonly [K in keyof CallRequest]: CallRequest[K] };

/** The call that the headers describe, without its input. */
export const toCallRequest = (request: GuardedRequest, procedure: string): HttpCall => {
  const call: HttpCall = {
    procedure,
    input: undefined,
    principal: request.principal,
    transport: "http",
    signal: request.signal,
  };
  if (request.timeoutMs !== undefined) call.timeoutMs = request.timeoutMs;
  if (request.attempts !== undefined) call.attempts = request.attempts;
  if (request.idempotencyKey !== undefined) call.idempotencyKey = request.idempotencyKey;
  if (request.trace !== undefined) call.trace = request.trace;
  return call;
};

/** Input and resume point of a GET: `lastEventId` in the query resumes a subscription, unless its own input has a field of that name. */
export const fromQuery = ({ entry }: Route, { query }: GuardedRequest): Pick<CallRequest, "input" | "lastEventId"> => {
  const input = queryToInput(entry.procedure, query);
  const { lastEventId, ...rest } = input;
  const isOurs = entry.procedure.kind === "subscription" && !queryParameters(entry.procedure).has("lastEventId");
  if (!isOurs || lastEventId === undefined) return { input };
  return typeof lastEventId === "string" && lastEventId !== "" ? { input: rest, lastEventId } : { input: rest };
};

/** Browsers send the id as UTF-8, which Node reads as Latin-1. Who cannot set headers says it in the URL of a POST or QUERY, too. */
export const readLastEventId = ({ incoming, query }: GuardedRequest): string | undefined => {
  const sent = incoming.headers["last-event-id"];
  if (typeof sent === "string" && sent !== "") return Buffer.from(sent, "latin1").toString("utf8");
  return incoming.method !== "GET" ? new URLSearchParams(query).get("lastEventId") || undefined : undefined;
};

/** True for a client that wants a handle and no answer (RFC 7240). */
export const prefersAsync = ({ incoming }: GuardedRequest): boolean => {
  const { prefer } = incoming.headers;
  return prefer !== undefined && /(?:^|[,;])\s*respond-async\s*(?:$|[,;])/i.test(String(prefer));
};

/** True for a client that takes events and no JSON. */
export const wantsEvents = ({ incoming }: GuardedRequest): boolean => {
  const { accept } = incoming.headers;
  return accept?.includes("text/event-stream") === true && !accept.includes("application/json");
};
