/**
 * The one HTTP server: connection limits, the guard, the principal's rate of requests, routing to the mount with the longest prefix, and the end of everything.
 *
 * Every request takes the same way, known route or not. Not here: what the routes do (the mounts), reading bodies (`body.ts`).
 */
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { Principal } from "../call/call.ts";
import { toWireError } from "../call/error.ts";
import { Rates } from "../policy/rate.ts";
import type { Mount, RefusalDocument, RefusedRequest, Surroundings } from "../transport/transport.ts";
import { bracketed } from "./binding.ts";
import { allowOrigin, sendPreflight } from "./cors.ts";
import { decodedPath, type Exchange, type Guard, GuardedCall, type GuardRules, makeGuard } from "./guard.ts";
import { watchLag } from "./lag.ts";
import { listenFailure } from "./listen-error.ts";
import { answerMalformed } from "./malformed.ts";
import { problemDocument, sendRefusal } from "./problem.ts";
import { cutStuckReaders, longestStall } from "./stuck-reader.ts";

export interface ServerParts {
  readonly mounts: readonly Mount[];
  readonly rules: GuardRules;
  readonly log: Surroundings["log"];
  readonly times?: Partial<ServerTimes>;
}

/** Milliseconds. */
export interface ServerTimes {
  /** For a request's headers to arrive. */
  readonly headers: number;
  /** For a whole request to arrive; answers, streams among them, may take as long as they like. */
  readonly request: number;
  /** That a reader may take nothing of what waits for it. */
  readonly stall: number;
  /** That a connection may rest between two requests; sent to clients, which should be the ones to hang up. */
  readonly rest: number;
  /** Between looks for connections that are too slow. */
  readonly check: number;
  /** Event loop lag that counts as overload. */
  readonly lag: number;
  /** That `close` waits for running requests. */
  readonly drain: number;
}

const defaultTimes: ServerTimes = {
  headers: 10_000,
  request: 30_000,
  stall: longestStall,
  rest: 30_000,
  check: 2_000,
  lag: 200,
  drain: 10_000,
};

/** Where a server listens. */
interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly url: string;
}

export interface HttpServer {
  /** Starts listening; port 0 lets the system choose. Rejects with a `FairleadError` that says what to do. */
  listen(port: number, host: string): Promise<ListenAddress>;
  /** Stops accepting, ends the streams, waits for running requests up to the drain time, then ends what is left. */
  close(): Promise<void>;
}

const mostConnections = 2_000;
/** Node counts the URL as a part of the head; what is left of it for each of the two, the guard knows. */
const mostHeadBytes = 65_536;
const mostHeaders = 100;

/** Answered even under overload: whoever looks after the kernel looks here. */
const neverShed: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);

export const makeServer = (parts: ServerParts): HttpServer => new KernelServer(parts);

class KernelServer implements HttpServer {
  readonly #parts: ServerParts;
  readonly #times: ServerTimes;
  readonly #server: Server;
  readonly #route: (path: string) => Mount | undefined;
  readonly #varies: boolean;
  readonly #requests = new Rates();
  #guard: Guard | undefined;
  #stopLagWatch: (() => void) | undefined;
  #isLate = false;
  #closing: Promise<void> | undefined;
  /** The last response begun on each connection. */
  readonly #latest = new WeakMap<object, ServerResponse>();
  #running = 0;
  #drained: (() => void) | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#times = { ...defaultTimes, ...parts.times };
    this.#route = router(parts.mounts);
    this.#varies = parts.rules.origins.length > 0;
    this.#server = createServer(
      {
        headersTimeout: this.#times.headers,
        requestTimeout: this.#times.request,
        keepAliveTimeout: this.#times.rest,
        connectionsCheckingInterval: this.#times.check,
        maxHeaderSize: mostHeadBytes,
        requireHostHeader: false,
        noDelay: true,
      },
      (incoming, response) => this.#accept({ incoming, response, proceed: undefined }),
    );
    this.#server.maxConnections = mostConnections;
    this.#server.maxHeadersCount = mostHeaders;
    cutStuckReaders(this.#server, this.#times.stall, (socket) => this.#latest.get(socket));
    this.#server.on("clientError", (cause, socket) =>
      answerMalformed(cause, socket, {
        latest: this.#latest.get(socket),
        document: (error, request) => this.#refusal(error, request),
      }),
    );
    this.#server.on("checkContinue", (incoming, response) =>
      this.#accept({ incoming, response, proceed: () => response.writeContinue() }),
    );
    this.#server.on("checkExpectation", (incoming, response) =>
      this.#accept({ incoming, response, proceed: undefined }),
    );
  }

  async listen(port: number, host: string): Promise<ListenAddress> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ port, host, exclusive: true }, () => {
        this.#server.off("error", reject);
        resolve();
      });
    }).catch(async (cause: Error) => {
      throw await listenFailure(cause, { host, port });
    });
    // A TCP server that listens has an address of this kind.
    const { port: actual } = this.#server.address() as AddressInfo;
    this.#guard = makeGuard(
      { ...this.#parts.rules, longestUrl: (target) => this.#mountAt(target)?.longestUrl },
      { host, port: actual },
    );
    this.#stopLagWatch = watchLag({
      limitMs: this.#times.lag,
      everyMs: 100,
      now: () => performance.now(),
      report: (isLate) => {
        this.#isLate = isLate;
      },
    });
    return { host, port: actual, url: `http://${bracketed(host)}:${actual}` };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#stopLagWatch?.();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const streamsEnded = Promise.allSettled(this.#parts.mounts.map((mount) => mount.close()));
    const drained =
      this.#running === 0
        ? undefined
        : new Promise<void>((resolve) => {
            this.#drained = resolve;
          });
    const timer = setTimeout(() => this.#server.closeAllConnections(), this.#times.drain);
    await drained;
    this.#server.closeIdleConnections();
    await closed;
    clearTimeout(timer);
    await streamsEnded;
  }

  #accept(exchange: Exchange): void {
    const { incoming, response } = exchange;
    this.#running += 1;
    this.#latest.set(incoming.socket, response);
    response.once("close", () => this.#ended());
    try {
      this.#handle(exchange)?.catch((cause: unknown) => this.#defect(exchange, cause));
    } catch (cause) {
      this.#defect(exchange, cause);
    }
  }

  #handle(exchange: Exchange): Promise<void> | undefined {
    const { incoming, response } = exchange;
    if (this.#closing !== undefined || this.#guard === undefined) return this.#refuse(response, closing, 503);
    if (this.#varies) response.setHeader("vary", "origin");
    const verdict = this.#guard(incoming);
    if (verdict.origin !== undefined) allowOrigin(response, verdict.origin);
    if (verdict.kind === "preflight") return sendPreflight(response);
    if (verdict.kind === "refused") return this.#refuse(response, verdict.error, verdict.status);

    const url = incoming.url ?? "/";
    const mark = url.indexOf("?");
    const path = decodedPath(mark === -1 ? url : url.slice(0, mark));
    if (path === undefined) return this.#refuse(response, badPath, 400);
    const mount = this.#route(path);
    const unwelcome = this.#unwelcome(path, verdict.principal);
    if (unwelcome !== undefined) return this.#refuse(response, unwelcome);
    if (mount === undefined) return this.#refuse(response, notFound, 404);
    const target = { path: path.slice(mount.prefix.length), query: mark === -1 ? "" : url.slice(mark + 1) };
    return mount.handle(new GuardedCall(exchange, verdict, target), response);
  }

  /** Why a request is not even looked at. Requests have a rate of their own: the calls in them are counted by dispatch. */
  #unwelcome(path: string, principal: Principal): WireError | undefined {
    if (this.#isLate && !neverShed.has(path)) return overloaded;
    if (principal.rate === undefined) return undefined;
    const taken = this.#requests.take(principal, performance.now());
    if (taken instanceof FairleadError) return { ...taken.toJSON(), retryable: true };
    taken.leave();
    return undefined;
  }

  /** Nothing that a mount throws leaves this room; the caller gets an id, the log the rest. */
  #defect({ incoming, response }: Exchange, cause: unknown): void {
    const { method, url } = incoming;
    const where = `${method} ${url?.split("?", 1)[0]}`;
    const error = toWireError(cause, {
      procedure: "the request",
      repeatable: false,
      defect: (id, defect) => this.#parts.log("error", "a transport failed", { id, where, cause: defect }),
    });
    if (response.headersSent) response.destroy();
    else this.#refuse(response, error);
  }

  /** Ends the response of a request that is not let in. */
  #refuse(response: ServerResponse, error: WireError, status?: number): undefined {
    const { url = "/", headers: sent } = response.req;
    const document = this.#refusal(error, { url, accept: sent.accept, status });
    const headers = { ...(status === 401 && wantsToken), ...(status === 431 && lastOne) };
    sendRefusal(response, error, { ...document, headers });
  }

  /** The refusal as the clients of what was called read it. */
  #refusal(error: WireError, request: RefusedRequest): RefusalDocument {
    return this.#mountAt(request.url)?.refusal?.(error, request) ?? problemDocument(error, request.status);
  }

  /** What is mounted at a URL, as sent. */
  #mountAt(url: string): Mount | undefined {
    const raw = url.split("?", 1)[0] ?? "/";
    return this.#route(decodedPath(raw) ?? raw);
  }

  #ended(): void {
    this.#running -= 1;
    if (this.#closing === undefined) return;
    setImmediate(() => this.#server.closeIdleConnections());
    if (this.#running === 0) this.#drained?.();
  }
}

const wantsToken = { "www-authenticate": "Bearer" };
const lastOne = { connection: "close" };

/** The mount with the longest prefix of whole segments; the mount of `/` answers for that path alone. */
export const router = (mounts: readonly Mount[]): ((path: string) => Mount | undefined) => {
  const byFirst = new Map<string, Mount[]>();
  for (const mount of mounts.toSorted((a, b) => b.prefix.length - a.prefix.length)) {
    const first = firstSegment(mount.prefix);
    byFirst.set(first, [...(byFirst.get(first) ?? []), mount]);
  }
  return (path) =>
    byFirst.get(firstSegment(path))?.find(({ prefix }) => {
      if (path.length === prefix.length) return path === prefix;
      return prefix !== "/" && path.startsWith(prefix) && path[prefix.length] === "/";
    });
};

const firstSegment = (path: string): string => {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
};

const closing: WireError = {
  code: "unavailable",
  message: "the kernel is shutting down",
  hint: "try again when it is back",
  retryable: true,
  retryAfterMs: 1_000,
};
const overloaded: WireError = {
  code: "unavailable",
  message: "the kernel is overloaded and did not start the call",
  hint: "try again in a moment",
  retryable: true,
  retryAfterMs: 1_000,
};
const badPath: WireError = {
  code: "invalid_argument",
  message: "the path is not properly percent-encoded",
  hint: "encode it as UTF-8, without control characters",
  retryable: false,
};
const notFound: WireError = {
  code: "not_found",
  message: "nothing is served at this path",
  hint: "see / for the addresses of this server",
  retryable: false,
};
