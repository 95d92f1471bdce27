/**
 * One HTTP request as the SDK's transport wants it (a `fetch`), with what `fetch` cannot tell: whether anything was sent, where the
 * name really leads, and bounds on what comes back.
 *
 * Redirects are given back as they are (`redirects.ts` follows them). Not here: MCP.
 */
import { lookup as dnsLookup, type LookupAddress } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { addressRefusal, type Reach, urlRefusal } from "./address.ts";
import { Sockets } from "./sockets.ts";

/** A request that got no answer. `code` is the system's, or `EADDRESS` for an address that is not connected to. */
export class WebError extends Error {
  override readonly name = "WebError";
  readonly code: string;
  /** The request, or a part of it, may have reached the other side. */
  readonly sent: boolean;

  constructor(code: string, message: string, sent: boolean) {
    super(message);
    this.code = code;
    this.sent = sent;
  }
}

export interface WebOptions {
  readonly reach: Reach;
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

export interface Web {
  /** Opens a socket to there, for the first `fetch` to use. Rejects with a `WebError`. */
  reach(url: URL): Promise<void>;
  /** Rejects with a `WebError`, or with the signal's reason. */
  fetch(url: string | URL, init?: RequestInit): Promise<Response>;
  /** Drops the sockets that are kept. */
  close(): void;
}

/** Bytes that may come without a line break, or in a body that is no stream of events. */
const longestPiece = 32 * 1024 * 1024;

export const makeWeb = ({ reach: far, connectMs, resolve: lookup = dnsLookup }: WebOptions): Web => {
  const sockets = new Map<string, Sockets>();
  const guard = far === "anywhere" ? undefined : guardedLookup(lookup, far);

  const socketsFor = ({ protocol }: URL): Sockets => {
    const known = sockets.get(protocol) ?? new Sockets(protocol === "https:");
    sockets.set(protocol, known);
    return known;
  };

  const refuse = (url: URL): void => {
    const refused = urlRefusal(url.href, far);
    if (refused !== undefined) throw new WebError("EADDRESS", refused, false);
  };

  const open = (url: URL, init: RequestInit): ClientRequest => {
    const headers = new Headers(init.headers);
    if (init.body instanceof URLSearchParams && !headers.has("content-type")) {
      headers.set("content-type", "application/x-www-form-urlencoded");
    }
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    return send(url, {
      method: init.method ?? "GET",
      headers: Object.fromEntries(headers),
      agent: socketsFor(url).agent,
      ...(guard !== undefined && { lookup: guard }),
    });
  };

  return {
    reach: async (url) => {
      refuse(url);
      try {
        await socketsFor(url).reach(url, guard);
      } catch (cause) {
        const { message } = asError(cause);
        throw new WebError(codeOf(asError(cause)), message, false);
      }
    },
    fetch: async (to, init = {}) => {
      const url = new URL(to);
      refuse(url);
      init.signal?.throwIfAborted();
      const body = bodyOf(init);
      const request = open(url, init);
      const { promise, resolve, reject } = Promise.withResolvers<Response>();
      let sent = false;
      const patience = setTimeout(() => request.destroy(coded("ETIMEDOUT", "no connection in time")), connectMs);
      const abort = (): void => void request.destroy(asError(init.signal?.reason));
      init.signal?.addEventListener("abort", abort, { once: true });
      request.once("socket", (socket) => {
        const ready = (): void => {
          sent = true;
          clearTimeout(patience);
        };
        if (socket.destroyed) return;
        if (!socket.connecting) ready();
        else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", ready);
      });
      request.once("response", (answer) => {
        clearTimeout(patience);
        resolve(responseOf(answer, () => init.signal?.removeEventListener("abort", abort)));
      });
      request.once("error", (error) => {
        clearTimeout(patience);
        init.signal?.removeEventListener("abort", abort);
        reject(init.signal?.aborted === true ? init.signal.reason : new WebError(codeOf(error), error.message, sent));
      });
      request.end(body);
      return promise;
    },
    close: () => {
      for (const each of sockets.values()) each.close();
    },
  };
};

/** The bodies that MCP and OAuth have. */
const bodyOf = ({ body }: RequestInit): string | undefined => {
  if (body === undefined || body === null) return undefined;
  if (typeof body === "string" || body instanceof URLSearchParams) return String(body);
  throw new TypeError("only texts and forms are sent");
};

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "");

/** Statuses whose answer has no body, which `Response` insists on. */
const bodiless = new Set([204, 205, 304]);

const responseOf = (answer: IncomingMessage, done: () => void): Response => {
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  const status = answer.statusCode ?? 502;
  answer.once("close", done);
  if (bodiless.has(status)) answer.resume();
  return new Response(bodiless.has(status) ? null : streamOf(answer), {
    status: status < 200 ? 502 : status,
    statusText: answer.statusMessage ?? "",
    headers,
  });
};

/** The body as it comes, no faster than it is read. */
const streamOf = (answer: IncomingMessage): ReadableStream<Uint8Array> => {
  const lines = answer.headers["content-type"]?.startsWith("text/event-stream") === true;
  let piece = 0;
  let over = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      const fail = (code: string, message: string): void => {
        if (over) return;
        over = true;
        controller.error(new WebError(code, message, true));
      };
      answer.on("data", (chunk: Buffer) => {
        if (over) return;
        const lineEnd = lines ? chunk.lastIndexOf(0x0a) : -1;
        piece = lineEnd === -1 ? piece + chunk.length : chunk.length - lineEnd - 1;
        if (piece > longestPiece) {
          fail("ETOOLONG", `an answer of more than ${longestPiece} bytes`);
          answer.destroy();
          return;
        }
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) answer.pause();
      });
      answer.once("end", () => {
        if (over) return;
        over = true;
        controller.close();
      });
      answer.once("error", (error) => fail(codeOf(error), error.message));
      answer.once("close", () => fail("ECONNRESET", "the answer broke off"));
    },
    pull: () => void answer.resume(),
    cancel: () => {
      over = true;
      answer.destroy();
    },
  });
};

/**
 * Looks a name up and refuses it when any of its addresses is one that must not be connected to. The socket is given the very addresses
 * that were judged, so that a name cannot lead elsewhere a moment later.
 */
export const guardedLookup =
  (lookup: Resolve, reach: Reach = "loopback"): LookupFunction =>
  (host, { family, all }, callback) => {
    lookup(host, { family, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined) return callback(error ?? coded("ENOTFOUND", "no address"), "", 0);
      for (const { address } of addresses) {
        const refused = addressRefusal(host, address, reach);
        if (refused !== undefined) return callback(coded("EADDRESS", refused), "", 0);
      }
      if (all === true) return callback(null, [...addresses]);
      return callback(null, first.address, first.family);
    });
  };
