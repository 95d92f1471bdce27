/**
 * Tool calls over HTTP, written to the transport and read from it past the SDK's client: no schema, no copy, no timer (ADR 0063). Each
 * era's own needs are here: the envelope and the headers of the stateless one, `notifications/cancelled` of the session era.
 *
 * The ids of these calls start where those of the SDK's client never come. Not here: sockets (`http-transport.ts`), questions in results
 * (`caller-questions.ts`), what a failure means (`observation.ts`).
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

/** How tools are called on one connection. */
export interface CallChannel {
  readonly isIdle: boolean;
  /** The result as received. Rejects with a `ProtocolError`, a `BadAnswer`, the signal's reason, or the transport's own error. */
  call(params: CallParams, options: CallOptions): Promise<CallResult>;
  /** No answer can come any more. */
  end(cause: Error): void;
}

/** A transport that sends calls. Responses, and whatever comes before them, go to its `onmessage`. */
export interface CallTransport extends Transport {
  /** False where the host does not answer at all, whatever its program does. */
  isHostThere(): Promise<boolean>;
  sendCall(request: JSONRPCRequest, headers: Readonly<Record<string, string>>): SentCall;
}

export interface SentCall {
  /** Rejects when no response can come any more. */
  readonly done: Promise<void>;
  /** Drops what may still come. */
  abort(): void;
}

/** Members of `_meta` in every request of the stateless era. */
export type Envelope = Readonly<Record<string, unknown>> & { readonly [PROTOCOL_VERSION_META_KEY]: string };

export interface CallParams {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly _meta: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** In addition to those of every call. */
  readonly headers: Readonly<Record<string, string>>;
}

interface OpenCall {
  readonly onProgress: CallOptions["onProgress"];
  /** With the response's `result`. */
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: unknown) => void;
}

/** They fit where an upstream has only 31 bits for an id. */
const firstId = 2 ** 30;
const lastId = 2 ** 31 - 1;

export class ToolCalls implements CallChannel {
  readonly #transport: CallTransport;
  readonly #envelope: Envelope | undefined;
  readonly #open = new Map<number, OpenCall>();
  #nextId = firstId;

  /**
   * @param transport connected already: messages for these calls are taken before its reader sees them
   * @param envelope left out in the session era
   */
  constructor(transport: CallTransport, envelope: Envelope | undefined) {
    this.#transport = transport;
    this.#envelope = envelope;
    const reader = transport.onmessage;
    transport.onmessage = (message, extra) => {
      if (!this.#take(message)) reader?.(message, extra);
    };
  }

  get isIdle(): boolean {
    return this.#open.size === 0;
  }

  async call(params: CallParams, { signal, onProgress, headers }: CallOptions): Promise<CallResult> {
    signal.throwIfAborted();
    const id = this.#nextId;
    this.#nextId = id === lastId ? firstId : id + 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#open.set(id, { onProgress, resolve, reject });
    const sent = this.#transport.sendCall(this.#request(id, params, onProgress !== undefined), {
      ...(this.#envelope !== undefined && callHeaders(this.#envelope[PROTOCOL_VERSION_META_KEY], params.name)),
      ...headers,
    });
    sent.done.catch(reject);
    const cancel = (): void => {
      reject(signal.reason);
      void this.#cancel(id, sent, signal.reason);
    };
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return parseCallResult(await promise, this.#envelope === undefined ? "session" : "stateless");
    } finally {
      signal.removeEventListener("abort", cancel);
      this.#open.delete(id);
    }
  }

  end(cause: Error): void {
    for (const { reject } of this.#open.values()) reject(cause);
  }

  #request(id: number, params: CallParams, wantsProgress: boolean): JSONRPCRequest {
    const _meta = { ...this.#envelope, ...params._meta, ...(wantsProgress && { progressToken: id }) };
    return { method: "tools/call", params: { ...params, _meta }, jsonrpc: "2.0", id };
  }

  /** True for a message of one of these calls, also of one that has ended. */
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

  /** In the stateless era the end of its stream says it. */
  async #cancel(id: number, sent: SentCall, reason: unknown): Promise<void> {
    const params = { requestId: id, reason: String(reason) };
    const notice: JSONRPCMessage = { jsonrpc: "2.0", method: "notifications/cancelled", params };
    if (this.#envelope === undefined) await this.#transport.send(notice).catch(() => undefined);
    sent.abort();
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
