/**
 * A request that passed the guard, as the mounts see it. The abort signal is made when somebody asks for it.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Limits } from "@fairlead/contracts";
import type { Principal, TraceContext } from "../call/call.ts";
import type { Body, GuardedRequest } from "../transport/transport.ts";
import { readBody } from "./body.ts";
import type { AdmittedRequest } from "./guard.ts";

/** The two halves of an exchange. `proceed` sends "100 Continue" to a client that waits for it. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly proceed: (() => void) | undefined;
}

export interface Target {
  /** Below the mount's prefix. */
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
}

export class GuardedCall implements GuardedRequest {
  readonly incoming: IncomingMessage;
  readonly path: string;
  readonly query: string;
  readonly principal: Principal;
  declare readonly trace?: TraceContext;
  declare readonly timeoutMs?: number;
  declare readonly idempotencyKey?: string;
  readonly #exchange: Exchange;
  #signal: AbortSignal | undefined;

  constructor(exchange: Exchange, admitted: AdmittedRequest, { path, query }: Target) {
    this.#exchange = exchange;
    this.incoming = exchange.incoming;
    this.path = path;
    this.query = query;
    this.principal = admitted.principal;
    if (admitted.trace !== undefined) this.trace = admitted.trace;
    if (admitted.timeoutMs !== undefined) this.timeoutMs = admitted.timeoutMs;
    if (admitted.idempotencyKey !== undefined) this.idempotencyKey = admitted.idempotencyKey;
  }

  get signal(): AbortSignal {
    this.#signal ??= hangUpSignal(this.#exchange.response);
    return this.#signal;
  }

  body(limits: Limits): Promise<Body> {
    return readBody(this.incoming, limits, this.#exchange.proceed);
  }
}

/** A response that closes before it was ended has lost its reader. */
const hangUpSignal = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const onClose = (): void => {
    if (!response.writableEnded) controller.abort();
  };
  if (response.closed || response.destroyed) onClose();
  else response.once("close", onClose);
  return controller.signal;
};

/** A path, percent-decoded once; `undefined` for what is no UTF-8 or has control characters. */
export const decodedPath = (raw: string): string | undefined => {
  if (!raw.includes("%")) return raw;
  try {
    const path = decodeURIComponent(raw);
    return hasControl(path) ? undefined : path;
  } catch {
    return undefined;
  }
};

const hasControl = (text: string): boolean => {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
};
