/**
 * The sessionful leg of the MCP transport: clients of the 2024-11-05 to 2025-11-25 revisions, which open with `initialize` and then
 * send their `mcp-session-id`.
 *
 * A session belongs to the principal and the endpoint that opened it; to all others it does not exist. Sessions are few, end when
 * idle, and have random ids. Not here: the stateless 2026-07-28 leg, which has none of this.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import {
  isInitializeRequest,
  type RequestId,
  type Server,
  type Tool,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Principal } from "../../call/call.ts";
import { isRecord } from "../../call/record.ts";
import type { GuardedRequest } from "../../server/mount.ts";
import type { OpenStreams } from "../../server/open-streams.ts";
import { type Caller, toCaller } from "./call.ts";
import { answerInSession } from "./direct-call.ts";
import type { Endpoint } from "./endpoint.ts";
import { rpcCode, rpcError } from "./error.ts";
import type { KeptLists } from "./list/kept-lists.ts";
import type { PlainCall, Recogniser } from "./plain-call.ts";
import { writeAnswer, writeError } from "./reply.ts";
import { asWebRequest, RequestView } from "./request.ts";
import { largestBatch } from "./result.ts";
import { makeServer, type ServerParts, wantsLog } from "./server.ts";

export interface SessionLimits {
  /** Sessions of one principal; the one idle longest makes room. */
  readonly perPrincipal: number;
  /** Sessions in all. */
  readonly total: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  readonly idleMs: number;
}

export const sessionLimits: SessionLimits = { perPrincipal: 256, total: 1_024, idleMs: 30 * 60_000 };

export interface SessionOptions extends Omit<ServerParts, "endpoint" | "principal"> {
  readonly limits: SessionLimits;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Reports when the caller who used a session last loses access. */
  readonly streams: Pick<OpenStreams, "follow">;
  readonly recogniser: Recogniser;
  readonly lists: KeptLists;
}

interface Session {
  readonly id: string;
  readonly principal: string;
  readonly endpoint: Endpoint;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Calls under way that the SDK knows nothing of. */
  readonly direct: Map<RequestId, AbortController>;
  /** Ids of the requests under way. The SDK would leave the first of two with one id without an end. */
  readonly ids: Set<RequestId>;
  /** Exchanges under way, open streams included. */
  busy: number;
  usedAt: number;
  /** Ends the watch over the caller who used it last. */
  leave: () => void;
}

export interface Sessions {
  /** Answers one request of the session era. `body` is the parsed body of a POST. */
  handle(request: GuardedRequest, response: ServerResponse, to: { endpoint: Endpoint; body?: unknown }): Promise<void>;
  toolsChanged(): void;
  /** Ends what has been idle for too long. */
  sweep(): void;
  readonly size: number;
  close(): Promise<void>;
}

const batchingUntil = "2025-03-26";

export const makeSessions = (options: SessionOptions): Sessions => new SessionMap(options);

class SessionMap implements Sessions {
  readonly #options: SessionOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#sessions.size;
  }

  async handle(
    request: GuardedRequest,
    response: ServerResponse,
    { endpoint, body }: { endpoint: Endpoint; body?: unknown },
  ): Promise<void> {
    const id = request.incoming.headers["mcp-session-id"];
    if (id === undefined) {
      const opening = fillHandshake(body);
      if (isInitializeRequest(opening)) return this.#start(request, response, { endpoint, body: opening });
      return writeError(response, 400, rpcError(rpcCode.exchange, noSession));
    }
    const session = typeof id === "string" ? this.#sessions.get(id) : undefined;
    if (session?.principal !== request.principal.id || session.endpoint.key !== endpoint.key) {
      return writeError(response, 404, rpcError(rpcCode.sessionNotFound, "Session not found; initialize a new one"));
    }
    const refused = Array.isArray(body) ? batchProblem(body, session.server.getNegotiatedProtocolVersion()) : undefined;
    if (refused !== undefined) return writeError(response, 400, rpcError(rpcCode.invalidRequest, refused));
    const ids = requestIds(body);
    if (new Set(ids).size < ids.length || ids.some((each) => session.ids.has(each)))
      return writeError(response, 400, rpcError(rpcCode.invalidRequest, takenId));
    return this.#exchange(session, request, { response, body });
  }

  toolsChanged(): void {
    for (const { server } of this.#sessions.values()) server.sendToolListChanged().catch(() => {});
  }

  sweep(): void {
    const before = this.#options.now() - this.#options.limits.idleMs;
    for (const session of this.#sessions.values())
      if (session.busy === 0 && session.usedAt < before) void this.#end(session);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.#end(session)));
  }

  async #start(
    request: GuardedRequest,
    response: ServerResponse,
    { endpoint, body }: { endpoint: Endpoint; body: unknown },
  ): Promise<void> {
    if (!(await this.#makeRoom(request.principal.id))) {
      response.setHeader("retry-after", "5");
      const message = "Every session is in use; end one with DELETE or try later";
      return writeError(response, 503, rpcError(rpcCode.exchange, message));
    }
    const session = await this.#open(request.principal, endpoint);
    this.#sessions.set(session.id, session);
    await this.#exchange(session, request, { response, body });
    if (response.statusCode >= 400) await this.#end(session);
  }

  /** Makes room for one more of this principal; false when every session is in use. */
  async #makeRoom(principal: string): Promise<boolean> {
    const { perPrincipal, total } = this.#options.limits;
    const all = [...this.#sessions.values()];
    const own = all.filter((session) => session.principal === principal);
    const crowd = own.length >= perPrincipal ? own : all.length >= total ? all : undefined;
    if (crowd === undefined) return true;
    const idlest = findIdlest(crowd);
    if (idlest === undefined) return false;
    await this.#end(idlest);
    return true;
  }

  async #open(principal: Principal, endpoint: Endpoint): Promise<Session> {
    const id = randomUUID();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const direct = new Map<RequestId, AbortController>();
    transport.onclose = () => {
      this.#sessions.get(id)?.leave();
      this.#sessions.delete(id);
      for (const call of direct.values()) call.abort();
    };
    const server = makeServer({ ...this.#options, endpoint, principal });
    await server.connect(transport);
    const usedAt = this.#options.now();
    return {
      id,
      principal: principal.id,
      endpoint,
      server,
      transport,
      direct,
      ids: new Set(),
      busy: 0,
      usedAt,
      leave: () => undefined,
    };
  }

  #end(session: Session): Promise<void> {
    session.leave();
    this.#sessions.delete(session.id);
    return session.server.close();
  }

  async #exchange(
    session: Session,
    request: GuardedRequest,
    { response, body }: { response: ServerResponse; body: unknown },
  ): Promise<void> {
    const { streams, recogniser, now, lists, extension } = this.#options;
    const ids = requestIds(body);
    session.busy += 1;
    for (const id of ids) session.ids.add(id);
    session.leave();
    session.leave = streams.follow(request, () => void this.#end(session));
    try {
      const caller = { ...callerIn(request, body), client: session.id };
      const call = recogniser.session(request.incoming.headers, body);
      const isDirect =
        call !== undefined && session.endpoint.find(call.name) !== undefined && !wantsLog(session.server);
      const state = isDirect ? await this.#answerDirectly(session, call, { caller, response }) : undefined;
      if (isDirect && state === undefined) return;
      const view = asWebRequest(new RequestView(request, session.endpoint, caller));
      const parsedBody = state === undefined ? body : resuming(body, state);
      const ask = (): Promise<Response> =>
        session.transport.handleRequest(view, parsedBody === undefined ? {} : { parsedBody });
      const list = extension === undefined ? recogniser.sessionList(request.incoming.headers, body) : undefined;
      if (list !== undefined) {
        const { endpoint, server } = session;
        const kind = `${server.getNegotiatedProtocolVersion()} ${endpoint.key}`;
        const tools = (): readonly Tool[] => endpoint.tools(caller.principal);
        return await lists.answer({ id: list, kind, tools }, response, ask);
      }
      const answer = await ask();
      for (const id of cancelledBy(body)) {
        session.direct.get(id)?.abort();
        forget(session.transport, id);
      }
      await writeAnswer(answer, response);
    } finally {
      for (const id of ids) session.ids.delete(id);
      session.busy -= 1;
      session.usedAt = now();
    }
  }

  /** Answers a call without the SDK; gives the state to go on from when its client has to be asked something. */
  async #answerDirectly(
    session: Session,
    call: PlainCall,
    { caller, response }: { readonly caller: Caller; readonly response: ServerResponse },
  ): Promise<string | undefined> {
    const controller = new AbortController();
    session.direct.set(call.id, controller);
    try {
      const { endpoint, server } = session;
      const request = {
        ...call,
        able: server.getClientCapabilities(),
        app: server.getClientVersion()?.name,
        revision: server.getNegotiatedProtocolVersion(),
      };
      return await answerInSession(this.#options, request, { endpoint, caller, signal: controller.signal, response });
    } finally {
      session.direct.delete(call.id);
    }
  }
}

/** The session idle longest among these, if any is idle. */
const findIdlest = (among: readonly Session[]): Session | undefined =>
  among
    .filter(({ busy }) => busy === 0)
    .reduce<Session | undefined>(
      (oldest, session) => (oldest === undefined || session.usedAt < oldest.usedAt ? session : oldest),
      undefined,
    );

/** Whoever sends a batch gets shorter errors. */
const callerIn = (request: GuardedRequest, body: unknown): Caller => ({
  ...toCaller(request),
  signal: request.signal,
  ...(Array.isArray(body) && { messages: body.length }),
});

const noSession =
  "Mcp-Session-Id header is required: open a session with initialize, or send the 2026-07-28 _meta with every request";

const takenId = "A request with this id is under way in this session; ids are used once";

/** Ids of the requests in a posted body. */
const requestIds = (body: unknown): readonly RequestId[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message) =>
    isRecord(message) && "method" in message && (typeof message.id === "string" || typeof message.id === "number")
      ? [message.id]
      : [],
  );

const batchProblem = (batch: readonly unknown[], revision: string | undefined): string | undefined => {
  if (revision === undefined || revision > batchingUntil)
    return "JSON-RPC batches are not part of this protocol revision";
  return batch.length > largestBatch ? `A batch must not exceed ${largestBatch} messages` : undefined;
};

/** Clients in the field leave out fields that the schema requires of a handshake but no reader needs; they are filled in. */
const fillHandshake = (body: unknown): unknown => {
  if (!isRecord(body) || body.method !== "initialize" || !isRecord(body.params)) return body;
  const { capabilities = {}, clientInfo, ...rest } = body.params;
  const info = isRecord(clientInfo) ? clientInfo : {};
  return { ...body, params: { ...rest, capabilities, clientInfo: { name: "unknown", version: "unknown", ...info } } };
};

/** The same call again, to go on from where it asked. */
const resuming = (body: unknown, requestState: string): unknown =>
  isRecord(body) && isRecord(body.params) ? { ...body, params: { ...body.params, requestState } } : body;

/** Ids of the requests that a posted body cancels. */
const cancelledBy = (body: unknown): readonly RequestId[] =>
  (Array.isArray(body) ? body : [body]).flatMap((message) => {
    if (!isRecord(message) || message.method !== "notifications/cancelled" || !isRecord(message.params)) return [];
    const id = message.params.requestId;
    return typeof id === "string" || typeof id === "number" ? [id] : [];
  });

/**
 * Ends the stream of a cancelled request. The SDK answers such a request with nothing and would keep its stream, and what it
 * remembers of the request, until the session ends: closing the stream first makes the answer below go nowhere but into that memory.
 */
const forget = (transport: WebStandardStreamableHTTPServerTransport, id: RequestId): void => {
  transport.closeSSEStream(id);
  transport
    .send({ jsonrpc: "2.0", id, error: { code: rpcCode.exchange, message: "Cancelled" } })
    // An id that is unknown, or answered already, has nothing to forget.
    .catch(() => {});
};
