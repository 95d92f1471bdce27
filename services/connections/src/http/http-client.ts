/**
 * HTTP requests, with what `fetch` does not report: whether anything was sent, where the name really leads, and bounds on the
 * response. As a `fetch`, too, for the SDK.
 *
 * Redirects are returned as they are (`redirects.ts` follows them). Not here: MCP.
 */
import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { type AddressScope, addressRefusal, urlRefusal } from "./address.ts";
import { toResponse } from "./fetch-response.ts";
import { codedError, errorCode, RequestError } from "./request-error.ts";
import { SocketPool } from "./socket-pool.ts";

interface HttpClientOptions {
  readonly scope: AddressScope;
  /** Milliseconds until a socket must be open. */
  readonly connectMs: number;
  /** Looks names up; the system's way when left out. */
  readonly resolve?: Resolve;
}

/** All addresses of a host, as `dns.lookup` gives them. */
export type Resolve = (
  host: string,
  options: { readonly all: true; readonly family?: number | "IPv4" | "IPv6" | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface HttpClient {
  /** Opens a socket to there, for the first request to use. Rejects with a `RequestError`. */
  connect(url: URL): Promise<void>;
  /** False where its host does not answer at all, within the time to connect; true also where nothing listens, for that is an answer. */
  isHostThere(url: URL): Promise<boolean>;
  /** Throws a `RequestError` for an address that must not be used. */
  send(url: URL, parts: RequestParts): PendingRequest;
  /** Rejects with a `RequestError`, or with the signal's reason. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Drops the sockets that are kept. */
  close(): void;
}

interface RequestParts {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A request under way. */
interface PendingRequest {
  /** Once its head is there. Rejects with a `RequestError`. */
  readonly response: Promise<IncomingMessage>;
  /** Aborts it, its response included. */
  abort(): void;
}

export const createHttpClient = ({ scope, connectMs, resolve: lookup = dnsLookup }: HttpClientOptions): HttpClient => {
  const sockets = new Map<string, SocketPool>();
  const guard = scope === "anywhere" ? undefined : guardedLookup(lookup, scope);

  const socketsFor = ({ protocol }: URL): SocketPool => {
    const known = sockets.get(protocol) ?? new SocketPool(protocol === "https:");
    sockets.set(protocol, known);
    return known;
  };

  const refuse = (url: URL): void => {
    const refused = urlRefusal(url.href, scope);
    if (refused !== undefined) throw new RequestError("EADDRESS", refused, false);
  };

  const open = (url: URL, { method, headers }: RequestParts): ClientRequest => {
    const options = {
      method,
      headers,
      agent: socketsFor(url).agent,
      ...(guard !== undefined && { lookup: guard }),
    };
    return url.protocol === "https:" ? httpsRequest(url, options) : httpRequest(url, options);
  };

  const send = (url: URL, parts: RequestParts): PendingRequest => {
    refuse(url);
    return sendRequest(open(url, parts), parts.body, connectMs);
  };

  return {
    connect: async (url) => {
      refuse(url);
      try {
        await socketsFor(url).connect(url, guard);
      } catch (cause) {
        if (!(cause instanceof Error)) throw cause;
        throw new RequestError(errorCode(cause), cause.message, false);
      }
    },
    isHostThere: async (url) => {
      try {
        await socketsFor(url).reach(url, guard, AbortSignal.timeout(connectMs));
        return true;
      } catch (cause) {
        return !(cause instanceof Error && (cause.name === "TimeoutError" || noHost.has(errorCode(cause))));
      }
    },
    send,
    fetch: async (to, init = {}) => {
      const { signal } = init;
      signal?.throwIfAborted();
      const { response, abort } = send(new URL(to), toRequestParts(init));
      signal?.addEventListener("abort", abort, { once: true });
      const done = (): void => signal?.removeEventListener("abort", abort);
      try {
        const message = await response;
        message.once("close", done);
        return toResponse(message);
      } catch (error) {
        done();
        throw signal?.aborted === true ? signal.reason : error;
      }
    },
    close: () => {
      for (const each of sockets.values()) each.close();
    },
  };
};

/** The system's words for a host that does not answer. */
const noHost = new Set(["ETIMEDOUT", "EHOSTUNREACH", "EHOSTDOWN", "ENETUNREACH", "ENETDOWN"]);

/** Sends it, unless its socket is not open in time; notes whether anything may have reached the other side. */
const sendRequest = (request: ClientRequest, body: string | undefined, connectMs: number): PendingRequest => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let sent = false;
  const connectTimer = setTimeout(() => request.destroy(codedError("ETIMEDOUT", "no connection in time")), connectMs);
  const ready = (): void => {
    sent = true;
    clearTimeout(connectTimer);
  };
  request.once("socket", (socket) => {
    if (socket.destroyed) return;
    if (!socket.connecting) ready();
    else socket.once(request.protocol === "https:" ? "secureConnect" : "connect", ready);
  });
  request.once("response", (response) => {
    clearTimeout(connectTimer);
    resolve(response);
  });
  request.once("error", (error) => {
    clearTimeout(connectTimer);
    reject(new RequestError(errorCode(error), error.message, sent));
  });
  request.end(body);
  return { response: promise, abort: () => void request.destroy() };
};

/** The requests that MCP and OAuth have. */
const toRequestParts = ({ method = "GET", headers: initial, body }: RequestInit): RequestParts => {
  const headers = new Headers(initial);
  if (body instanceof URLSearchParams && !headers.has("content-type")) {
    headers.set("content-type", "application/x-www-form-urlencoded");
  }
  const own = { method, headers: Object.fromEntries(headers) };
  if (body === undefined || body === null) return own;
  if (typeof body === "string" || body instanceof URLSearchParams) return { ...own, body: String(body) };
  throw new TypeError("only texts and forms are sent");
};

/**
 * Looks a name up and refuses it when any of its addresses is one that must not be connected to. The socket gets the very addresses
 * that were judged, so that a name cannot lead elsewhere a moment later.
 */
export const guardedLookup =
  (lookup: Resolve, connect: AddressScope = "loopback"): LookupFunction =>
  (host, { family, all }, callback) => {
    lookup(host, { family, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? codedError("ENOTFOUND", "no address"), "", 0);
      for (const { address } of addresses) {
        const refused = addressRefusal(host, address, connect);
        if (refused !== undefined) return callback(codedError("EADDRESS", refused), "", 0);
      }
      if (all === true) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
