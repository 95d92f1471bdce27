/**
 * The MCP transport over HTTP: all tools at `/mcp`, one service's at `/mcp/<service>`, both protocol eras at each.
 *
 * A request that carries the 2026-07-28 envelope is served stateless, by a server of its own; everything else belongs to the
 * session era (`mcp-sessions.ts`). Not here: stdio (`mcp-stdio.ts`), Host, Origin and tokens (the server's guard).
 */
import type { ServerResponse } from "node:http";
import {
  classifyInboundRequest,
  createMcpHandler,
  InMemoryServerEventBus,
  PROTOCOL_VERSION_META_KEY,
  type ServerContext,
  type ServerEventBus,
} from "@modelcontextprotocol/server";
import type { Caller } from "./mcp-call.ts";
import { makeEndpoints } from "./mcp-endpoint.ts";
import { idProblem, rpcCode, rpcError } from "./mcp-error.ts";
import { atMostEvery } from "./mcp-pace.ts";
import { type Extension, makeServer } from "./mcp-server.ts";
import { makeSessions, type SessionLimits, sessionLimits } from "./mcp-sessions.ts";
import { asWebRequest, headerOf, RequestView, viewOf, writeAnswer, writeError } from "./mcp-web.ts";
import type { GuardedRequest, Mount, Surroundings } from "./transport.ts";

export interface McpOptions {
  readonly sessions?: Partial<SessionLimits>;
  /** Milliseconds on a clock that never goes back. */
  readonly now?: () => number;
  /** Only for the public conformance fixture. */
  readonly fixture?: Extension & { readonly bus?: ServerEventBus };
}

export interface McpMount extends Mount {
  /** Call it when a procedure was switched on or off: clients are told, at most once in 250 ms. */
  toolsChanged(): void;
}

const prefix = "/mcp";
const announceMs = 250;
const subscriptions = 256;
const sweeps = 8;

/** Makes the transport; the manifest's tools are read at the first request. */
export const mount = (surroundings: Surroundings, options: McpOptions = {}): McpMount => {
  const { fixture, now = () => performance.now() } = options;
  const limits = { ...sessionLimits, ...options.sessions };
  const callerOf = ({ http }: ServerContext): Caller => viewOf(http?.req).caller;
  const parts = { surroundings, callerOf, extension: fixture };
  const report = (error: Error): void => surroundings.log("debug", "mcp", { error: error.message.slice(0, 500) });
  const bus = fixture?.bus ?? new InMemoryServerEventBus(report);
  const stateless = createMcpHandler(
    ({ requestInfo }) => makeServer({ ...parts, endpoint: viewOf(requestInfo).endpoint }),
    {
      legacy: "reject",
      onerror: report,
      maxSubscriptions: subscriptions,
      bus,
    },
  );
  const sessions = makeSessions({ ...parts, limits, now });
  const sweeper = setInterval(() => sessions.sweep(), limits.idleMs / sweeps).unref();
  const announce = atMostEvery(announceMs, () => {
    stateless.notify.toolsChanged();
    sessions.toolsChanged();
  });
  let endpoints: ReturnType<typeof makeEndpoints> | undefined;

  const serve = async (request: GuardedRequest, response: ServerResponse): Promise<void> => {
    endpoints ??= makeEndpoints(surroundings).catch((error: unknown) => {
      endpoints = undefined;
      throw error;
    });
    const { at, services } = await endpoints;
    const endpoint = at(request.path);
    if (endpoint === undefined) {
      const known = services.map((id) => `${prefix}/${id}`).join(", ");
      return writeError(
        response,
        404,
        rpcError(rpcCode.exchange, `No MCP endpoint here; there are ${prefix}, ${known}`),
      );
    }
    switch (request.incoming.method) {
      case "GET":
      case "DELETE":
        return sessions.handle(request, response, { endpoint });
      case "POST":
        break;
      default:
        return writeError(
          response,
          405,
          rpcError(rpcCode.exchange, "Method not allowed; MCP uses POST, GET and DELETE"),
        );
    }
    const body = await request.body(endpoint.limits());
    if (!body.ok) {
      const code = body.status === 400 ? rpcCode.parse : rpcCode.exchange;
      return writeError(response, body.status, rpcError(code, body.error.message, body.error));
    }
    const badId = idProblem(body.value);
    if (badId !== undefined) return writeError(response, 400, rpcError(rpcCode.invalidRequest, badId));
    if (eraOf(request, body.value) === "session")
      return sessions.handle(request, response, { endpoint, body: body.value });
    const view = new RequestView(request, endpoint, statelessCaller(request));
    return writeAnswer(await stateless.fetch(asWebRequest(view), { parsedBody: body.value }), response);
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
    toolsChanged: announce.now,
    async close() {
      clearInterval(sweeper);
      announce.stop();
      await Promise.all([stateless.close(), sessions.close()]);
    },
  };
};

/** Without the hang-up signal: the SDK turns it into the cancellation of the stateless request by itself. */
const statelessCaller = ({ principal, trace, timeoutMs, idempotencyKey }: GuardedRequest): Caller => ({
  principal,
  ...(trace !== undefined && { trace }),
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(idempotencyKey !== undefined && { idempotencyKey }),
});

/**
 * Which leg answers a posted body. The SDK's own rule, with a short cut for the common case: what carries the envelope and is no
 * handshake is stateless, whatever else is wrong with it.
 */
const eraOf = ({ incoming }: GuardedRequest, body: unknown): "session" | "stateless" => {
  if (carriesEnvelope(body)) return "stateless";
  const header = (name: string): string | undefined => headerOf(incoming.headers, name) ?? undefined;
  const [version, method, name] = ["mcp-protocol-version", "mcp-method", "mcp-name"].map(header);
  const { kind } = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  });
  return kind === "legacy" ? "session" : "stateless";
};

const carriesEnvelope = (body: unknown): boolean => {
  const message = body as { readonly method?: unknown; readonly params?: { readonly _meta?: unknown } | null } | null;
  const meta = message?.params?._meta;
  return (
    typeof meta === "object" && meta !== null && PROTOCOL_VERSION_META_KEY in meta && message?.method !== "initialize"
  );
};
