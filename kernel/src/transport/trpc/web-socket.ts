/**
 * tRPC over WebSocket: tRPC's own adapter for each connection, with what it does not have by itself. Messages are held to the limits of
 * bodies, calls and subscriptions of one connection are counted, a slow reader is waited for, and a connection ends with its token.
 *
 * A token comes with the handshake, or in the first message (`connectionParams`), never in the address. Not here: the guard of the
 * handshake (the server's), procedures (`router.ts`), requests over HTTP (`mount.ts`).
 */
import type { Duplex } from "node:stream";
import { FairleadError, type Limits, type WireError } from "@fairlead/contracts";
import { type AnyTRPCRouter, TRPCError } from "@trpc/server";
import { getWSConnectionHandler } from "@trpc/server/adapters/ws";
import { type WebSocket, WebSocketServer } from "ws";
import type { Principal } from "../../call/call.ts";
import type { TrpcContext } from "../../host/manifest.ts";
import { errorBytes } from "../../limits/fit.ts";
import { parseJson } from "../../limits/scan.ts";
import type { Authenticate } from "../../server/bearer.ts";
import type { IdentityRules } from "../../server/guard.ts";
import type { UpgradeRequest } from "../../server/mount.ts";
import type { OpenStreams } from "../../server/open-streams.ts";
import { Traffic } from "./traffic.ts";

interface WebSocketParts {
  readonly router: AnyTRPCRouter;
  readonly authenticate: Authenticate;
  readonly identify: IdentityRules["identify"] | undefined;
  readonly streams: OpenStreams;
  /** Of one message. */
  readonly limits: Limits;
  readonly explain: TrpcContext["explain"];
}

export interface WebSockets {
  accept(request: UpgradeRequest, socket: Duplex, head: Uint8Array): void;
  /** Asks clients to connect elsewhere, and ends each connection when its calls are answered, or after a few seconds. */
  close(): Promise<void>;
}

/** Milliseconds. */
const times = { firstMessage: 10_000, firstCall: 1_000, ping: 15_000, pong: 10_000, lastCalls: 5_000, farewell: 1_000 };
const goingAway = 1001;
const policyViolation = 1008;

/** Takes sockets whose handshake passed the guard. */
export const createWebSockets = ({
  router,
  authenticate,
  identify,
  streams,
  limits,
  explain,
}: WebSocketParts): WebSockets => {
  const server = new WebSocketServer({ noServer: true, maxPayload: limits.bytes, perMessageDeflate: false });
  const open = new Map<WebSocket, Traffic>();

  const connect = (client: WebSocket, request: UpgradeRequest, socket: Duplex): void => {
    const traffic = new Traffic(socket, (text) => decode(text, limits));
    open.set(client, traffic);
    const late = setTimeout(() => end("no connection parameters came"), times.firstMessage).unref();
    let overdue: NodeJS.Timeout | undefined;
    /** For peers that take no notice of a close: `ws` itself would wait for half a minute. */
    const cutSoon = (): void => {
      overdue ??= setTimeout(() => client.terminate(), times.farewell).unref();
    };
    const end = (reason: string): void => {
      client.close(policyViolation, reason);
      traffic.end();
      cutSoon();
    };
    client.once("close", () => {
      open.delete(client);
      clearTimeout(late);
      clearTimeout(overdue);
    });
    const follow = (authorization: string | undefined): void => {
      const leave = streams.followToken(authorization, () => end("the token is not valid any more"));
      traffic.closed.addEventListener("abort", leave, { once: true });
    };
    /** tRPC closes a connection right after its refusal, and its client says why only to calls that have an answer: the first is waited for. */
    const refuse = async (error: TRPCError): Promise<never> => {
      clearTimeout(late);
      const overdue = Promise.withResolvers<void>();
      const waiting = setTimeout(overdue.resolve, times.firstCall).unref();
      await Promise.race([traffic.called, overdue.promise]);
      clearTimeout(waiting);
      cutSoon();
      throw error;
    };
    const admit = (principal: Principal, authorization: string | undefined): TrpcContext | Promise<never> => {
      clearTimeout(late);
      const refused = request.join(principal) ?? streams.claim(principal, socket);
      if (refused !== undefined) return refuse(failure(refused, "TOO_MANY_REQUESTS"));
      follow(authorization);
      const { trace } = request;
      return {
        terms: { principal, transport: "trpc", ...(trace !== undefined && { trace }) },
        keys: [],
        errorBytes: errorBytes(),
        explain,
        stream: traffic,
      };
    };
    getWSConnectionHandler({
      router,
      wss: server,
      maxBatchSize: traffic.mostCalls,
      keepAlive: { enabled: true, pingMs: times.ping, pongWaitMs: times.pong },
      experimental_encoder: traffic,
      createContext: async ({ info: { connectionParams } }): Promise<TrpcContext> => {
        const sent = authorizationIn(connectionParams);
        if (sent !== undefined && authenticate(sent) === undefined) {
          clearTimeout(late);
          const problem = await identify?.(sent, request.incoming.socket.remoteAddress);
          if (problem !== undefined) return refuse(failure(problem, "SERVICE_UNAVAILABLE"));
        }
        const authorization = sent ?? request.incoming.headers.authorization;
        const principal = sent === undefined ? request.principal : authenticate(sent);
        // It may have closed while its token was verified.
        if (principal === undefined || traffic.closed.aborted) return refuse(failure(noToken, "UNAUTHORIZED"));
        return admit(principal, authorization);
      },
      onError: () => undefined,
    })(client, request.incoming);
  };

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request.incoming, socket, Buffer.from(head), (client) => connect(client, request, socket));
    },
    async close() {
      await Promise.all(
        [...open].map(async ([client, traffic]) => {
          const overdue = setTimeout(() => client.terminate(), times.lastCalls);
          client.send(reconnect);
          await traffic.answered();
          client.close(goingAway, "the kernel is shutting down");
          traffic.end();
          await traffic.ended();
          clearTimeout(overdue);
        }),
      );
    },
  };
};

/** tRPC's clients open another connection then. */
const reconnect = JSON.stringify({ id: null, method: "reconnect" });

/** The token of `connectionParams`: `{ token }`, or `{ authorization: "Bearer …" }`. */
const authorizationIn = (params: Readonly<Record<string, string | undefined>> | null): string | undefined =>
  params?.token === undefined ? params?.authorization : `Bearer ${params.token}`;

const decode = (text: string, limits: Limits): unknown => {
  const parsed = parseJson(text, limits);
  if (parsed.ok) return parsed.value;
  throw new FairleadError(parsed.error);
};

const failure = (error: WireError, code: TRPCError["code"]): TRPCError =>
  new TRPCError({ code, message: error.message, cause: new FairleadError(error) });

const noToken: WireError = {
  code: "unauthenticated",
  message: "a valid token is required",
  hint: "give `createWSClient` the option `connectionParams: { token }` with a token of this server",
  retryable: false,
};
