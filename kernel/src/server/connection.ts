/**
 * One client's connection: its requests in order, so many of them at once, each through the guard, the principal's rate of requests and
 * the mount with the longest prefix.
 *
 * Every request takes the same way, known route or not. Requests that arrive while others are answered wait, and the socket is not read
 * meanwhile. Not here: what the routes do (the mounts), which connections there may be (`connections/`).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { FairleadError, type WireError } from "@fairlead/contracts";
import type { Principal } from "../call/call.ts";
import { toWireError } from "../call/error.ts";
import type { Log } from "../observe/log.ts";
import type { Rates } from "../policy/rate.ts";
import { type ByteBudget, meter } from "./connections/byte-budget.ts";
import type { ConnectionState } from "./connections/connection-state.ts";
import { mostUnsent } from "./connections/connection-state.ts";
import type { ConnectionTable } from "./connections/connection-table.ts";
import { endAndDrop, type LingerTimes } from "./connections/lingering.ts";
import { allowOrigin, sendPreflight } from "./cors.ts";
import {
  decodedPath,
  type Exchange,
  type Guard,
  GuardedCall,
  type IdentityRules,
  type Target,
  traceIn,
} from "./guard.ts";
import { writeRefusal } from "./malformed.ts";
import type { Mount, RefusalDocument, RefusedRequest } from "./mount.ts";
import type { Turns } from "./overload/turns.ts";
import { challengeForbidden, hasUnreadBody, problemDocument, sendRefusal } from "./problem.ts";
import { badPath, closing, crowded, notFound, overloaded, overloadedDocument, refusalReason } from "./refusals.ts";

/** What all connections of a server share. */
export interface Serving {
  readonly table: ConnectionTable;
  readonly budget: ByteBudget;
  readonly route: (path: string) => Mount | undefined;
  readonly rates: Rates;
  readonly log: Log;
  /** Counts a request that is refused, by why. */
  readonly onRefused: (reason: string) => void;
  /** True where answers differ by origin. */
  readonly varies: boolean;
  /** Known once the server listens. */
  guard: Guard | undefined;
  /** What becomes of requests while the event loop cannot keep up. */
  readonly turns: Turns;
  /** Answers a request by another process; nothing where this one answers it. */
  readonly elsewhere: ((exchange: Exchange) => Promise<void> | undefined) | undefined;
  readonly times: LingerTimes;
  /** How often a connection has come to rest. */
  answered: number;
  /** Callers with a token of an identity provider. */
  readonly identity: IdentityRules | undefined;
  /** `ending`: what is sent now is the last answer of its connection. `closed`: nothing new is begun. */
  phase: "open" | "ending" | "closed";
}

/** Requests of one connection that are answered at once; HTTP/1.1 sends the answers in order anyway. */
const mostAtOnce = 8;

/** Answered even under overload: those who operate the kernel need them then. */
const neverShed: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"]);

export class Connection {
  readonly state: ConnectionState;
  readonly #serving: Serving;
  readonly #queue: Exchange[] = [];
  #isPaused = false;
  /** The last response begun. */
  latest: ServerResponse | undefined;

  constructor(state: ConnectionState, serving: Serving) {
    this.state = state;
    this.#serving = serving;
    meter(serving.budget, state);
    const { socket } = state;
    const end = socket.destroySoon;
    // Node's own way to end a connection once its last answer is written.
    socket.destroySoon = () => (this.#mayBeSending ? this.linger() : end.call(socket));
  }

  /** Takes a request that has arrived. */
  accept(exchange: Exchange): void {
    const { response } = exchange;
    const { state } = this;
    state.open.add(response);
    this.latest = response;
    response.once("close", () => this.#ended(response));
    if (this.#serving.phase !== "open") this.#announceEnd(response);
    if (this.#queue.length === 0 && this.#hasRoom()) this.#serve(exchange);
    else this.#wait(exchange);
  }

  /** Takes a request to become a WebSocket: the same guard and rates, then the mount. What is refused is answered, and ends. */
  upgrade(incoming: IncomingMessage, head: Uint8Array): void {
    const handOver = (): void => this.#upgrade(incoming, this.#handOver(incoming, head));
    const failed = (cause: unknown): void => {
      this.#serving.log("error", "a transport failed", { where: requestLine(incoming), cause });
      this.state.socket.destroy();
    };
    try {
      const { guard, identity } = this.#serving;
      const verdict = identity && guard?.(incoming);
      const isUnknown = verdict?.kind === "refused" && verdict.status === 401;
      const identified = isUnknown ? identify(incoming, identity) : undefined;
      if (identified === undefined) handOver();
      else
        void identified
          .then((problem) => (problem === undefined ? handOver() : this.#upgrade(incoming, { error: problem })))
          .catch(failed);
    } catch (cause) {
      failed(cause);
    }
  }

  #upgrade(incoming: IncomingMessage, refused: RefusedHandshake | undefined): void {
    if (refused === undefined) return;
    const { error, status } = refused;
    this.#serving.onRefused(refusalReason(error));
    const document = refusalDocument(this.#serving.route, error, { url: incoming.url ?? "/", status });
    writeRefusal(this.state.socket, document);
    this.linger();
  }

  /** Gives the socket to the mount, or says why not. */
  #handOver(incoming: IncomingMessage, head: Uint8Array): RefusedHandshake | undefined {
    const { guard, phase, route } = this.#serving;
    if (phase !== "open" || guard === undefined) return { error: closing, status: 503 };
    const verdict = guard(incoming);
    if (verdict.kind === "refused" && verdict.lacksToken !== true) return verdict;
    const target = parseTarget(incoming);
    const mount = target === undefined ? undefined : route(target.path);
    if (verdict.kind === "preflight" || target === undefined || mount?.upgrade === undefined)
      return { error: notFound };
    const principal = verdict.kind === "admitted" ? verdict.principal : undefined;
    const trace = traceIn(incoming.headers);
    const unwelcome = this.#isLate() && this.#serving.turns.isOverloaded ? overloaded : this.#unwelcome(principal);
    if (unwelcome !== undefined) return { error: unwelcome };
    this.state.protocol = principal === undefined ? "websocket without token" : "websocket";
    const request = {
      incoming,
      ...(principal !== undefined && { principal }),
      ...(trace !== undefined && { trace }),
      join: (known: Principal) => this.#join(known),
    };
    mount.upgrade(request, this.state.socket, head);
    return undefined;
  }

  /** The first message of a WebSocket has brought its token. */
  #join(principal: Principal): WireError | undefined {
    if (this.state.protocol === "websocket" || this.state.socket.destroyed) return undefined;
    if (this.#isCrowded(principal)) return crowded;
    this.state.protocol = "websocket";
    return undefined;
  }

  /** Counts the connection for its first principal; true when that one has too many at work. */
  #isCrowded({ id, rate }: Principal): boolean {
    if (rate === undefined || this.state.principal !== undefined) return false;
    return !this.#serving.table.claim(this.state, id);
  }

  /** Says `connection: close` with the last answer that is owed, and takes that back from those before it. */
  announceEnd(): void {
    if (this.latest !== undefined) this.#announceEnd(this.latest);
  }

  /** True while a body is on its way, or requests after the last one that is answered. */
  get #mayBeSending(): boolean {
    const { open } = this.state;
    for (const { req } of open) if (open.size > 1 || hasUnreadBody(req)) return true;
    return false;
  }

  /** Nothing more is answered: the connection ends, and what its client still sends is dropped. */
  linger(): void {
    const { state } = this;
    const { table, budget, times } = this.#serving;
    this.#queue.length = 0;
    state.drop();
    this.#resume();
    table.linger(state, performance.now() + table.shortened(times.linger));
    budget.update(state);
    endAndDrop(state.socket, table.shortened(times.lingerQuiet));
  }

  #announceEnd(last: ServerResponse): void {
    for (const response of this.state.open) if (!response.headersSent) response.shouldKeepAlive = response !== last;
  }

  /** This many at once, and no more while the reader does not take what it has. */
  #hasRoom(): boolean {
    const { begun } = this.state;
    return begun.size === 0 || (begun.size < mostAtOnce && this.state.unsent <= mostUnsent);
  }

  #wait(exchange: Exchange): void {
    this.#queue.push(exchange);
    this.state.waiting += 1;
    this.#serving.budget.update(this.state);
    if (this.#queue.length > 1) return;
    this.state.socket.on("resume", this.#keepPaused);
    this.#pause();
  }

  /** Node goes on reading when a request has been read to its end, or answered. */
  readonly #keepPaused = (): void => {
    if (this.#queue.length > 0) this.state.socket.pause();
  };

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.state.socket.pause();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.state.socket.off("resume", this.#keepPaused);
    this.state.socket.resume();
  }

  #serve(exchange: Exchange, begin = () => this.#serving.elsewhere?.(exchange) ?? this.#handle(exchange)): void {
    this.state.begun.add(exchange.response);
    try {
      begin()?.then(
        () => {
          if (exchange.response.writableLength > 0) this.#serving.budget.update(this.state);
        },
        (cause: unknown) => this.#defect(exchange, cause),
      );
    } catch (cause) {
      this.#defect(exchange, cause);
    }
  }

  #ended(response: ServerResponse): void {
    const { state } = this;
    state.open.delete(response);
    state.begun.delete(response);
    if (state.open.size === 0) {
      state.hasArrived = true;
      this.#serving.answered += 1;
      state.lastUsed = this.#serving.answered;
      if (this.#serving.phase !== "open") state.beginRest(performance.now());
    }
    if (state.counted > 0) this.#serving.budget.update(state);
    while (this.#queue.length > 0 && !state.socket.destroyed && this.#hasRoom()) {
      const next = this.#queue.shift();
      state.waiting -= 1;
      if (next !== undefined) this.#serve(next);
    }
    if (this.#queue.length === 0) this.#resume();
  }

  #handle(exchange: Exchange): Promise<void> | undefined {
    const { incoming, response } = exchange;
    const { guard, phase, varies, route, identity } = this.#serving;
    if (phase === "closed" || guard === undefined) return this.#refuse(response, closing, 503);
    if (varies) response.setHeader("vary", "origin");
    const verdict = guard(incoming);
    if (verdict.origin !== undefined) allowOrigin(response, verdict.origin);
    if (verdict.kind === "preflight") return sendPreflight(response);
    if (verdict.kind === "refused") {
      const identified = verdict.status === 401 ? identify(incoming, identity) : undefined;
      if (identified === undefined) return this.#refuse(response, verdict.error, verdict.status);
      return identified.then((problem) =>
        problem === undefined ? this.#handle(exchange) : this.#refuse(response, problem),
      );
    }
    if (verdict.principal.grants !== undefined && identity !== undefined)
      challengeForbidden(response, () => identity.challenge(incoming.url ?? "/", "scope"));

    const called = parseTarget(incoming);
    if (called === undefined) return this.#refuse(response, badPath, 400);
    const { path, query } = called;
    const mount = route(path);
    const unwelcome = this.#unwelcome(verdict.principal);
    if (unwelcome !== undefined) return this.#refuse(response, unwelcome);
    if (mount === undefined) return this.#refuse(response, notFound, 404);
    const target = { path: path.slice(mount.prefix.length), query };
    const guarded = new GuardedCall(exchange, verdict, target);
    const { turns } = this.#serving;
    if (!this.#isLate() || neverShed.has(path)) return mount.handle(guarded, response);
    turns.add({
      principal: verdict.principal.id,
      bytes: Number(incoming.headers["content-length"] ?? 0),
      timeoutMs: verdict.timeoutMs,
      run: () => response.closed || this.#serve(exchange, () => mount.handle(guarded, response)),
      refuse: () => {
        if (response.closed) return;
        // Thousands a second: made once where it is the same for all.
        if (mount.refusal !== undefined) this.#refuse(response, overloaded);
        else {
          this.#serving.onRefused("overload");
          sendRefusal(response, overloaded, overloadedDocument);
        }
      },
    });
    return undefined;
  }

  /** True while the event loop cannot keep up, also in the midst of a turn that has already taken too long. */
  #isLate(): boolean {
    const { turns } = this.#serving;
    if (turns.isQueueing) turns.endWhenCalm();
    else if (performance.now() - turns.ticked > turns.limitMs) turns.begin();
    return turns.isQueueing;
  }

  /** Why a request is not even looked at. Requests have a rate of their own: the calls in them are counted by dispatch. */
  #unwelcome(principal: Principal | undefined): WireError | undefined {
    if (principal?.rate === undefined) return undefined;
    if (this.#isCrowded(principal)) return crowded;
    const taken = this.#serving.rates.take(principal, performance.now());
    if (taken instanceof FairleadError) return { ...taken.toJSON(), retryable: true };
    taken.leave();
    return undefined;
  }

  /** Nothing that a mount throws leaves this room; the caller gets an id, the log the rest. */
  #defect({ incoming, response }: Exchange, cause: unknown): void {
    const where = requestLine(incoming);
    const error = toWireError(cause, {
      procedure: "the request",
      repeatable: false,
      defect: (id, defect) => this.#serving.log("error", "a transport failed", { id, where, cause: defect }),
    });
    if (response.headersSent) response.destroy();
    else this.#refuse(response, error);
  }

  /** Ends the response of a request that is not admitted. */
  #refuse(response: ServerResponse, error: WireError, status?: number): undefined {
    this.#serving.onRefused(refusalReason(error));
    const { url = "/", headers: sent } = response.req;
    const document = refusalDocument(this.#serving.route, error, { url, accept: sent.accept, status });
    const { identity } = this.#serving;
    const wantsToken = { "www-authenticate": identity?.challenge(url) ?? "Bearer" };
    const headers = { ...(status === 401 && wantsToken), ...(status === 431 && lastOne) };
    sendRefusal(response, error, { ...document, headers });
  }
}

interface RefusedHandshake {
  readonly error: WireError;
  readonly status?: number;
}

/** A request in the log: its query may hold a secret. */
const requestLine = ({ method, url }: IncomingMessage): string => `${method} ${url?.split("?", 1)[0]}`;

/** Path and query of a request; `undefined` for a path that cannot be decoded. */
const parseTarget = ({ url = "/" }: IncomingMessage): Target | undefined => {
  const mark = url.indexOf("?");
  const path = decodedPath(mark === -1 ? url : url.slice(0, mark));
  return path === undefined ? undefined : { path, query: mark === -1 ? "" : url.slice(mark + 1) };
};

type Route = Serving["route"];

/** The refusal as the clients of what was called read it. */
export const refusalDocument = (route: Route, error: WireError, request: RefusedRequest): RefusalDocument =>
  mountAt(route, request.url)?.refusal?.(error, request) ?? problemDocument(error, request.status);

/** What is mounted at a URL, as sent. */
export const mountAt = <M>(route: (path: string) => M | undefined, url: string): M | undefined => {
  const raw = url.split("?", 1)[0] ?? "/";
  return route(decodedPath(raw) ?? raw);
};

const lastOne = { connection: "close" };

/** The mount with the longest prefix of whole segments; the mount of `/` answers for that path alone. */
export const router = <M extends Pick<Mount, "prefix">>(mounts: readonly M[]): ((path: string) => M | undefined) => {
  const byFirst = new Map<string, M[]>();
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

const identify = ({ headers, socket }: IncomingMessage, identity: IdentityRules | undefined) =>
  identity?.identify(headers.authorization, socket.remoteAddress);

const firstSegment = (path: string): string => {
  const end = path.indexOf("/", 1);
  return end === -1 ? path : path.slice(0, end);
};
