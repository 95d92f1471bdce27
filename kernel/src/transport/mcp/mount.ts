/**
 * The MCP transport over HTTP at `/mcp` and the addresses below it (`address.ts`), both protocol eras at each.
 *
 * A request that carries the 2026-07-28 envelope is served stateless, by a server of its own; everything else belongs to the
 * session era (`sessions.ts`). Not here: stdio (`stdio.ts`), Host, Origin and tokens (the server's guard).
 */
import type { ServerResponse } from "node:http";
import {
  createMcpHandler,
  InMemoryServerEventBus,
  type McpServerFactory,
  type ServerContext,
  type ServerEventBus,
  type Tool,
} from "@modelcontextprotocol/server";
import { loadOnce } from "../../call/load-once.ts";
import { throttle } from "../../call/throttle.ts";
import { withoutInputNames } from "../../limits/fit.ts";
import type { GuardedRequest, Mount } from "../../server/mount.ts";
import { OpenStreams } from "../../server/open-streams.ts";
import { OpenWork } from "../../server/open-work.ts";
import type { Surroundings } from "../transport.ts";
import { requestTerms, toCaller } from "./call.ts";
import { answerStateless } from "./direct-call.ts";
import { type Endpoint, makeEndpoints } from "./endpoint.ts";
import { calledTool, detectEra, namesResources, rpcMethod } from "./era.ts";
import { lacksScope, rpcCode, rpcError } from "./error.ts";
import { idProblem } from "./id.ts";
import { KeptLists } from "./list/kept-lists.ts";
import { plainCalls, type Recogniser } from "./plain-call.ts";
import { mcpRefusal, ownHeaders, writeAnswer, writeError, writeRefusal } from "./reply.ts";
import { asWebRequest, RequestView, toRequestView } from "./request.ts";
import { Rounds } from "./rounds.ts";
import { type Extension, makeMirrorServer, makeServer } from "./server.ts";
import { makeSessions, type SessionLimits, sessionLimits } from "./sessions.ts";
import { StreamBus } from "./stream-bus.ts";

export interface McpOptions {
  readonly sessions?: Partial<SessionLimits>;
  /** Open streams of each principal, counted together with those of other transports. */
  readonly streams?: OpenStreams;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** Which calls are answered without the SDK; the test that compares both ways leaves them all to it. */
  readonly recogniser?: Recogniser;
  /** Only for the public conformance fixture. */
  readonly fixture?: Extension & { readonly bus?: ServerEventBus };
}

const prefix = "/mcp";
const announceMs = 250;
const subscriptions = 256;
/** Resources that clients of the stateless era follow at once, each counted once for each caller, and those of one caller. */
const followed = 1_024;
const followedByOne = 256;
const sweeps = 8;

/** Makes the transport; the manifest's tools are read at the first request. */
export const mount = (surroundings: Surroundings, options: McpOptions = {}): Mount => {
  const { fixture, now = () => performance.now(), streams = new OpenStreams(), recogniser = plainCalls } = options;
  const limits = { ...sessionLimits, ...options.sessions };
  const rounds = new Rounds();
  const callerIn = ({ http }: ServerContext) => toRequestView(http?.req).caller;
  const parts = { surroundings, callerOf: callerIn, rounds, held: { bytes: 0 }, extension: fixture };
  const report = (error: Error): void => surroundings.log("debug", "mcp", { error: error.message.slice(0, 500) });
  const bus = new StreamBus(fixture?.bus ?? new InMemoryServerEventBus(report));
  const fresh: McpServerFactory = ({ requestInfo }) => {
    const { endpoint, caller } = toRequestView(requestInfo);
    const own = { ...parts, endpoint, principal: caller.principal };
    return endpoint.headerSchemas.size === 0 ? makeServer(own) : makeMirrorServer(own);
  };
  const stateless = createMcpHandler(fresh, {
    legacy: "reject",
    onerror: report,
    maxSubscriptions: subscriptions,
    bus,
  });
  const lists = new KeptLists({ headers: ownHeaders, writeAnswer });
  const sessions = makeSessions({ ...parts, limits, now, streams, recogniser, lists });
  const sweeper = setInterval(() => sessions.sweep(), limits.idleMs / sweeps).unref();
  const announce = throttle(announceMs, () => {
    stateless.notify.toolsChanged();
    sessions.toolsChanged();
  });
  const leaveCatalog = surroundings.catalog.onChange(() => {
    lists.clear();
    announce.now();
  });
  const calls = new OpenWork();
  const ending = new AbortController();
  const endpoints = loadOnce(() => makeEndpoints(surroundings));

  const answer = async (
    request: GuardedRequest,
    response: ServerResponse,
    { endpoint, body }: { readonly endpoint: Endpoint; readonly body: unknown },
  ): Promise<void> => {
    if (detectEra(request.incoming.headers, body) === "session") {
      return sessions.handle(request, response, { endpoint, body });
    }
    const { signal, incoming } = request;
    const caller = toCaller(request);
    const call = recogniser.stateless(incoming.headers, body);
    if (call !== undefined && !endpoint.headerSchemas.has(call.name) && endpoint.find(call.name) !== undefined) {
      return answerStateless(parts, call, { endpoint, caller, signal, response });
    }
    const ask = (): Promise<Response> =>
      stateless.fetch(asWebRequest(new RequestView(request, endpoint, caller)), { parsedBody: body });
    const id = fixture === undefined ? recogniser.statelessList(incoming.headers, body) : undefined;
    if (id === undefined) return writeAnswer(await ask(), response);
    const tools = (): readonly Tool[] => endpoint.tools(caller.principal);
    return lists.answer({ id, kind: `stateless ${endpoint.key}`, tools }, response, ask);
  };

  const post = async (request: GuardedRequest, response: ServerResponse, endpoint: Endpoint): Promise<void> => {
    const body = await request.body(endpoint.limits());
    if (!body.ok) {
      const code = body.status === 400 ? rpcCode.parse : rpcCode.exchange;
      return writeError(response, body.status, rpcError(code, body.error.message, withoutInputNames(body.error)));
    }
    const { value } = body;
    const badId = idProblem(value);
    if (badId !== undefined) return writeError(response, 400, rpcError(rpcCode.invalidRequest, badId));
    const { principal } = request;
    const tool = principal.grants === undefined ? undefined : calledTool(value);
    if (tool !== undefined && !endpoint.isAllowed(principal, tool)) return writeError(response, 403, lacksScope);
    if (rpcMethod(value) !== "subscriptions/listen") {
      return calls.add(answer(request, response, { endpoint, body: value }));
    }
    return stream(request, response, () => listen(request, response, { endpoint, body: value }));
  };

  const follows = loadOnce(() =>
    import("../../resources/follows.ts").then(({ Follows }) => {
      const opened = new Follows(followed, followedByOne);
      if (ending.signal.aborted) opened.close();
      ending.signal.addEventListener("abort", () => opened.close(), { once: true });
      return opened;
    }),
  );

  /** Resources that the request names are followed while its stream is open. */
  const listen: typeof answer = async (request, response, { endpoint, body }) => {
    if (!namesResources(body)) return answer(request, response, { endpoint, body });
    const caller = toCaller(request);
    const contracts = endpoint.contracts(caller.principal);
    const terms = { ...requestTerms({ meta: {}, signal: request.signal }, caller), principal: caller.principal };
    const { listenTo } = await import("./resources/listen.ts");
    const source = { contracts, dispatch: surroundings.dispatch, terms };
    const stream = bus.open();
    const updated = (uri: string): void => stream.send({ kind: "resource_updated", uri });
    const listening = await listenTo(body, { source, follows: await follows(), updated });
    try {
      await stream.within(() => answer(request, response, { endpoint, body: listening.body }));
    } finally {
      listening.close();
    }
  };

  /** Counts what stays open without a call that ends it. */
  const stream = async (
    request: GuardedRequest,
    response: ServerResponse,
    open: () => Promise<void>,
  ): Promise<void> => {
    const crowded = streams.subscribe(request, response);
    return crowded === undefined ? open() : writeRefusal(response, crowded);
  };

  const serve = async (request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const endpoint = await (await endpoints()).at(request);
    if ("status" in endpoint)
      return writeError(response, endpoint.status, rpcError(rpcCode.exchange, endpoint.message));
    switch (request.incoming.method) {
      case "POST":
        return post(request, response, endpoint);
      case "GET":
        return stream(request, response, () => sessions.handle(request, response, { endpoint }));
      case "DELETE":
        return sessions.handle(request, response, { endpoint });
      default:
        return writeError(response, 405, rpcError(rpcCode.exchange, "Method not allowed: MCP uses POST, GET, DELETE"));
    }
  };

  return {
    prefix,
    async handle(request, response) {
      try {
        await serve(request, response);
      } catch (error) {
        surroundings.log("error", "mcp request failed", { error });
        writeError(response, 500, rpcError(rpcCode.internal, "Internal server error"));
      }
    },
    refusal: mcpRefusal,
    async close() {
      clearInterval(sweeper);
      ending.abort();
      leaveCatalog();
      rounds.close();
      announce.stop();
      await calls.close();
      await Promise.all([stateless.close(), sessions.close()]);
    },
  };
};
