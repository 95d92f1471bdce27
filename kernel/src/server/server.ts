/**
 * The one HTTP server: it listens, gives each connection its place, and ends gracefully.
 *
 * Not here: what becomes of a request (`connection.ts`), who has to go when there are too many (`connections/`), what the routes do (the mounts).
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { bracketed } from "./binding.ts";
import { isStreamed } from "./body.ts";
import { Connection, mountAt, refusalDocument, type Serving } from "./connection.ts";
import { cut } from "./connections/connection-state.ts";
import { cutStuckReaders, SlowReaders } from "./connections/slow-readers.ts";
import { afterPoll, drain } from "./drain.ts";
import { type Exchange, makeGuard } from "./guard.ts";
import { listenFailure } from "./listen-error.ts";
import { answerMalformed } from "./malformed.ts";
import { Arrivals, watchLag } from "./overload/delay.ts";
import { lagEveryMs, makeServing, type ServerParts } from "./serving.ts";
import { defaultTimes, type ServerTimes } from "./settings.ts";

/** Where a server listens: a TCP address, or the path of a Unix socket. */
export interface TcpAddress {
  readonly port: number;
  readonly host: string;
}

type ListenTarget = TcpAddress | { readonly path: string };

export interface ListenAddress {
  /** 0 for a Unix socket. */
  readonly port: number;
  readonly url: string;
}

export interface HttpServer {
  /** Starts listening; port 0 lets the system choose. Fails with an error that says what to do. */
  listen(target: ListenTarget): Effect.Effect<ListenAddress, FairleadError>;
  /** Serves connections that were accepted elsewhere, at that address where they are of TCP, instead of listening: takes one after the other. */
  adopt(address?: TcpAddress): (socket: Duplex) => void;
  /** Stops accepting, answers what has arrived, ends the streams, waits for running requests up to the drain time, then ends what is left. */
  readonly close: Effect.Effect<void>;
}

/** New connections that the system holds while a flood keeps the kernel from accepting them. */
const backlog = 4_096;
/** Node counts the URL as a part of the head; what is left of it for each of the two, the guard knows. */
const mostHeadBytes = 65_536;
const mostHeaders = 100;
/** Turns of the event loop that a stop gives connections that are not accepted yet. */
const mostTurns = 1_000;

export const makeServer = (parts: ServerParts): HttpServer => new KernelServer(parts);

class KernelServer implements HttpServer {
  readonly #parts: ServerParts;
  readonly #times: ServerTimes;
  readonly #server: Server;
  readonly #serving: Serving;
  readonly #connections = new WeakMap<object, Connection>();
  readonly #slow: SlowReaders;
  #stopWatching: (() => void) | undefined;
  readonly #arrivals: Arrivals;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#times = { ...defaultTimes, ...parts.times };
    this.#slow = new SlowReaders(this.#times.stall);
    this.#arrivals = new Arrivals({
      immediate: (work) => void setImmediate(work),
      onBacklog: () => this.#serving.turns.begin(),
    });
    this.#serving = makeServing(parts, (work) => this.#arrivals.afterAll(work));
    const accept = (proceed: (response: ServerResponse) => Exchange["proceed"]) => {
      return (incoming: IncomingMessage, response: ServerResponse): void => {
        const connection = this.#connections.get(incoming.socket);
        if (connection === undefined) response.destroy();
        else connection.accept({ incoming, response, proceed: proceed(response) });
      };
    };
    this.#server = createServer(
      {
        headersTimeout: this.#times.headers,
        requestTimeout: this.#times.request,
        keepAliveTimeout: this.#times.rest,
        connectionsCheckingInterval: this.#times.check,
        maxHeaderSize: mostHeadBytes,
        requireHostHeader: false,
        noDelay: true,
        // Where nothing can become a WebSocket, the request is an ordinary one.
        shouldUpgradeCallback: ({ headers, url = "/" }) =>
          headers.upgrade?.toLowerCase() === "websocket" &&
          (parts.elsewhere?.mayJoin(url) ?? mountAt(this.#serving.route, url)?.upgrade !== undefined),
      },
      accept(() => undefined),
    );
    this.#server.maxHeadersCount = mostHeaders;
    this.#server.on("connection", (socket) => this.#admit(socket));
    const latest = (socket: object) => this.#connections.get(socket)?.latest;
    cutStuckReaders(this.#server, this.#times.stall, latest);
    const { route } = this.#serving;
    const document = refusalDocument.bind(undefined, route);
    this.#server.on("clientError", (cause: Error & { readonly code?: string }, socket) => {
      // The call that reads it has a deadline of its own.
      if (cause.code === "ERR_HTTP_REQUEST_TIMEOUT" && isStreamed(socket)) return;
      if (cause.code !== "ECONNRESET") this.#serving.onRefused("malformed");
      const connection = this.#connections.get(socket);
      answerMalformed(cause, socket, { latest: latest(socket), document, end: () => connection?.linger() });
    });
    this.#server.on("upgrade", (incoming, socket, head) => {
      // Node takes its own listener away here: without another one, a reset by the peer would end the process.
      socket.on("error", () => socket.destroy());
      const connection = this.#connections.get(socket);
      if (connection === undefined || parts.elsewhere === undefined) connection?.upgrade(incoming, head);
      else {
        const { state } = connection;
        // It may be refused there: until then it counts as a new connection.
        state.protocol = "websocket without token";
        parts.elsewhere.join({ incoming, socket, head }, () => {
          state.protocol = "websocket";
        });
      }
    });
    this.#server.on(
      "checkContinue",
      accept((response) => () => response.writeContinue()),
    );
    this.#server.on(
      "checkExpectation",
      accept(() => undefined),
    );
  }

  listen(target: ListenTarget): Effect.Effect<ListenAddress, FairleadError> {
    const bound = Effect.callback<void, Error>((resume) => {
      const onError = (cause: Error): void => resume(Effect.fail(cause));
      this.#server.once("error", onError);
      this.#server.listen({ ...target, exclusive: true, backlog }, () => {
        this.#server.off("error", onError);
        resume(Effect.void);
      });
    });
    return bound.pipe(
      Effect.catch((cause) => Effect.flatMap(listenFailure(cause, target), Effect.fail)),
      Effect.map(() => this.#begin(target)),
    );
  }

  adopt(address?: TcpAddress): (socket: Duplex) => void {
    this.#begin(address ?? { path: "" });
    return (socket) => void this.#server.emit("connection", socket);
  }

  readonly close: Effect.Effect<void> = Effect.suspend(() => {
    this.#stopWatching?.();
    // Node's own `close` of an HTTP server ends resting connections at once, with the requests that they hold.
    const stopListening = Effect.sync(() => void NetServer.prototype.close.call(this.#server));
    const { mounts } = this.#parts;
    const draining = drain({ server: this.#server, serving: this.#serving, mounts, times: this.#times }, this.#find);
    // Clients learn of the end only when no socket listens any more: they connect again at once.
    return this.#letIn.pipe(Effect.andThen(stopListening), Effect.andThen(draining));
  });

  /** Accepts waiting connections, for a moment: the system resets those that wait when a listener closes. Node takes a few at a time. */
  readonly #letIn: Effect.Effect<void> = Effect.gen({ self: this }, function* () {
    for (let turn = 0; turn < mostTurns; turn += 1) {
      const before = this.#arrivals.count;
      yield* afterPoll;
      if (this.#arrivals.count === before) return;
    }
  });

  readonly #find = (socket: Socket): Connection | undefined => this.#connections.get(socket);

  #begin(target: ListenTarget): ListenAddress {
    const bound = this.#server.address();
    const port = isTcp(bound) ? bound.port : "port" in target ? target.port : 0;
    const host = "host" in target ? target.host : "localhost";
    const longestUrl = (url: string): number | undefined => mountAt(this.#serving.route, url)?.longestUrl;
    this.#serving.guard = makeGuard({ ...this.#parts.rules, longestUrl }, { host, port });
    const now = performance.now.bind(performance);
    const { turns } = this.#serving;
    const stopLag = watchLag({ limitMs: this.#times.lag, everyMs: lagEveryMs, now }, (isLate, lateMs) => {
      turns.ticked = now();
      if (isLate) turns.begin();
      if (lateMs >= this.#times.blocked) this.#parts.onBlocked?.(lateMs);
    });
    const checks = setInterval(() => this.#check(), this.#times.check).unref();
    this.#stopWatching = () => {
      stopLag();
      turns.ticked = Number.POSITIVE_INFINITY;
      clearInterval(checks);
    };
    return { port, url: "host" in target ? `http://${bracketed(host)}:${port}` : `unix:${target.path}` };
  }

  /** Runs after Node has made the socket one of its own. */
  #admit(socket: Socket): void {
    const { table, budget } = this.#serving;
    this.#arrivals.add();
    const state = table.admit(socket);
    if (state === undefined) {
      cut(socket);
      return;
    }
    this.#connections.set(socket, new Connection(state, this.#serving));
    socket.once("close", () => {
      table.leave(state);
      budget.leave(state);
    });
  }

  #check(): void {
    const { table } = this.#serving;
    const { headers, request } = table.clocks(this.#times);
    this.#server.headersTimeout = headers;
    this.#server.requestTimeout = request;
    const now = performance.now();
    for (const connection of table) {
      const { lingersUntil = Number.POSITIVE_INFINITY } = connection;
      if (now >= lingersUntil || this.#slow.isTooSlow(connection, now)) connection.cut();
      // No event reports what is written to a WebSocket.
      else if (connection.protocol !== "http") this.#serving.budget.update(connection);
    }
  }
}

const isTcp = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;
