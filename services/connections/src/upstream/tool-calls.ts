/**
 * Calls of tools, written on the wire and read from it past the SDK's client: no schema, no copy, no timer. What each era wants of a call
 * is here: the envelope and the headers of the stateless one, `notifications/cancelled` where a stream does not say it.
 *
 * The numbers of these calls begin where those of the SDK's client will never be. Not here: sockets and pipes (the transports), questions
 * in results (`asking.ts`), what a failure means (`observation.ts`).
 */
import type { Progress } from "@fairlead/kernel/service";
import {
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Transport,
} from "@modelcontextprotocol/client";
import { isRecord } from "../json/record.ts";
import { callHeaders } from "./call-headers.ts";
import { type CallResult, parseCallResult } from "./call-result.ts";

/** What carries calls. Answers, and whatever comes before them, go to the transport's `onmessage`. */
export interface CallTransport extends Transport {
  sendCall(request: JSONRPCRequest, headers: Readonly<Record<string, string>>): SentCall;
}

export interface SentCall {
  /** Rejects when no answer can come any more. */
  readonly over: Promise<void>;
  /** Lets go of what may still come. */
  drop(): void;
}

/** What stands in the `_meta` of every request of the stateless era. */
export type Envelope = Readonly<Record<string, unknown>> & { readonly [PROTOCOL_VERSION_META_KEY]: string };

export interface CallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly _meta: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Besides those that every call has. */
  readonly headers: Readonly<Record<string, string>>;
}

interface OpenCall {
  readonly onProgress: CallOptions["onProgress"];
  /** With the answer's `result`. */
  readonly resolve: (came: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

/** Numbers that fit where somebody has only 31 bits for them. */
const firstId = 2 ** 30;
const lastId = 2 ** 31 - 1;

export class ToolCalls {
  readonly #wire: CallTransport;
  readonly #envelope: Envelope | undefined;
  readonly #open = new Map<number, OpenCall>();
  #nextId = firstId;

  /**
   * @param wire connected already: what is for these calls is taken before its reader sees it
   * @param envelope left out in the session era
   */
  constructor(wire: CallTransport, envelope: Envelope | undefined) {
    this.#wire = wire;
    this.#envelope = envelope;
    const reader = wire.onmessage;
    wire.onmessage = (message, extra) => {
      if (!this.#take(message)) reader?.(message, extra);
    };
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  /**
   * The result as it came. Rejects with a `ProtocolError` for an error that came, a `BadAnswer`, the signal's reason, or the wire's own
   * error.
   */
  async call(params: CallParams, { signal, onProgress, headers }: CallOptions): Promise<CallResult> {
    signal.throwIfAborted();
    const id = this.#nextId;
    this.#nextId = id === lastId ? firstId : id + 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { onProgress, resolve, reject });
    const exchange = this.#wire.sendCall(this.#request(id, params, onProgress !== undefined), {
      ...(this.#envelope !== undefined && callHeaders(this.#envelope[PROTOCOL_VERSION_META_KEY], params.name)),
      ...headers,
    });
    exchange.over.catch(reject);
    const cancel = (): void => {
      reject(signal.reason);
      void this.#cancel(id, exchange, signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return parseCallResult(await promise, this.#envelope === undefined ? "session" : "stateless");
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#open.delete(id);
    }
  }

  /** No answer comes any more. */
  end(cause: Error): void {
    for (const { reject } of this.#open.values()) reject(cause);
  }

  #request(id: number, params: CallParams, wantsProgress: boolean): JSONRPCRequest {
    const _meta = { ...this.#envelope, ...params._meta, ...(wantsProgress && { progressToken: id }) };
    return { method: "tools/call", params: { ...params, _meta }, jsonrpc: "2.0", id };
  }

  /** True for what belongs to a call of these, also to one that nobody waits for any more. */
  #take(message: unknown): boolean {
    if (!isRecord(message)) return false;
    if ("method" in message) return message.method === "notifications/progress" && this.#progress(message.params);
    const id = Number(message.id);
    const call = this.#open.get(id);
    if ("error" in message) call?.reject(parseError(message.error));
    else call?.resolve(message.result);
    return isCallId(id);
  }

  #progress(params: unknown): boolean {
    const id = isRecord(params) ? Number(params.progressToken) : Number.NaN;
    const progress = parseProgress(params);
    if (progress !== undefined) this.#open.get(id)?.onProgress?.(progress);
    return isCallId(id);
  }

  async #cancel(id: number, exchange: SentCall, reason: unknown): Promise<void> {
    const saysItself = this.#envelope !== undefined && this.#wire.hasPerRequestStream === true;
    const params = {
      requestId: id,
      reason: String(reason),
      ...(this.#envelope !== undefined && { _meta: this.#envelope }),
    };
    const notice: JSONRPCMessage = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    if (!saysItself) await this.#wire.send(notice).catch(() => undefined);
    exchange.drop();
  }
}

const isCallId = (id: number): boolean => id >= firstId;

const parseProgress = (params: unknown): Progress | undefined => {
  if (!isRecord(params) || typeof params.progress !== "number") return undefined;
  const { progress, total, message } = params;
  return {
    progress,
    ...(typeof total === "number" && { total }),
    ...(typeof message === "string" && { message }),
  };
};

const parseError = (error: unknown): ProtocolError => {
  const { code, message, data } = {
    code: undefined,
    message: undefined,
    data: undefined,
    ...(isRecord(error) && error),
  };
  return new ProtocolError(
    typeof code === "number" ? code : ProtocolErrorCode.InternalError,
    typeof message === "string" ? message : "it does not say why",
    data,
  );
};
