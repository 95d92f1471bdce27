/**
 * What the server serves: mounts, each under a prefix, and the requests that have passed the guard as a mount sees them.
 *
 * The guard (Host, Origin, token, connection caps) and the reading of bodies are in `guard.ts` and `body.ts`; what a mount is made from is
 * in `transport/transport.ts`.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Limits, WireError } from "@fairlead/contracts";
import type { Principal, TraceContext } from "../call/call.ts";

/** A request body as text and as parsed JSON, or why it is refused. `status` is the transport's own, like 413 or 415. */
export type Body =
  | { readonly ok: true; readonly text: string; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly error: WireError };

/** A request that passed the guard. */
export interface GuardedRequest {
  readonly incoming: IncomingMessage;
  /** Path below the mount's prefix: empty, or starting with a slash. Percent-decoded once. */
  readonly path: string;
  /** The query string without its question mark, as sent. */
  readonly query: string;
  readonly principal: Principal;
  readonly trace?: TraceContext;
  /** From the `fairlead-timeout-ms` header. */
  readonly timeoutMs?: number;
  /** From the `fairlead-attempts` header. */
  readonly attempts?: number;
  /** From the `idempotency-key` header. */
  readonly idempotencyKey?: string;
  /** Fires when the client hangs up before the response has ended. */
  readonly signal: AbortSignal;
  /** Reads the body under these limits: content type, bytes while reading, depth, keys, items, duplicate keys; then parses it. */
  body(limits: Limits): Body | Promise<Body>;
  /** The body as it comes, whatever its type: the client waits for the reader. */
  bytes(): AsyncIterable<Uint8Array>;
}

/** A WebSocket's handshake that passed the guard. */
export interface UpgradeRequest {
  readonly incoming: IncomingMessage;
  /** Left out where a token is needed and the handshake has none: the first message has to bring it. */
  readonly principal?: Principal;
  readonly trace?: TraceContext;
  /** Counts the connection for the principal that the first message brought, or says why it may not stay. */
  readonly join: (principal: Principal) => WireError | undefined;
}

/** What the server knows of a request that it refuses. */
export interface RefusedRequest {
  /** As sent, with its query. */
  readonly url: string;
  /** The Accept header. */
  readonly accept?: string | undefined;
  /** The server's own status, like 414; that of the error's code when left out. */
  readonly status?: number | undefined;
}

/** A refusal as it goes over the wire; the server adds the headers that every refusal has. */
export interface RefusalDocument {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** A mounted transport. `handle` always ends the response. */
export interface Mount {
  /** Like `/mcp`; the longest matching prefix wins. */
  readonly prefix: string;
  /** Characters that a URL below the prefix may have; 8,192 when left out. */
  readonly longestUrl?: number;
  handle(request: GuardedRequest, response: ServerResponse): Promise<void>;
  /** Takes a connection that becomes a WebSocket, guarded as every request is; the mount ends it. */
  readonly upgrade?: (request: UpgradeRequest, socket: Duplex, head: Uint8Array) => void;
  /** How this transport's clients read the refusal of a request that the server did not admit; without one, as problem details. */
  readonly refusal?: (error: WireError, request: RefusedRequest) => RefusalDocument | undefined;
  /** Ends open streams and sessions; resolves when nothing of the transport is left. */
  close(): Promise<void>;
}
