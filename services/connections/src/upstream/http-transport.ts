/**
 * The SDK's Streamable HTTP transport, with a shorter path for calls: their responses are read as they come from the socket, past schemas
 * and web streams (ADR 0063). Every other response (a refusal, a redirect, a stream to be resumed) goes to the SDK, which handles it. A
 * request whose stream ends without a response fails at once, and the last event on the wire is remembered for the diagnosis.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  type AuthProvider,
  type JSONRPCMessage,
  type JSONRPCRequest,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { toResponse } from "../http/fetch-response.ts";
import type { HttpClient } from "../http/http-client.ts";
import { fetchByOrigin, type HttpClients } from "../http/http-clients.ts";
import { hasMessages, type OnMessage, readMessages } from "../http/message-reader.ts";
import { RequestError } from "../http/request-error.ts";
import type { Observation } from "../machine/fault.ts";
import type { CallTransport, SentCall } from "./tool-calls.ts";

/** The `data` of the error for a response that never came; compared by identity. */
export const streamEnded = Object.freeze({ reason: "the stream ended without an answer" });

type SendOptions = NonNullable<Parameters<StreamableHTTPClientTransport["send"]>[1]>;

export interface HttpTransportOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** For the upstream, and for the addresses that it names. */
  readonly webs: HttpClients;
  /** For upstreams that take tokens by OAuth. */
  readonly authProvider?: AuthProvider;
  /** True while connecting. */
  readonly opening: () => boolean;
}

/** Headers of a call in addition to the fixed ones, and how it is cancelled. */
interface Extras {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const streamEndedCode = -32_000;

export class HttpTransport extends StreamableHTTPClientTransport implements CallTransport {
  readonly #url: URL;
  readonly #web: HttpClient;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #token: () => Promise<string | undefined>;
  readonly #seen: { last: Observation | undefined };
  /** Answers that have come already, by the body of the request that the SDK is about to send. */
  readonly #come: Map<string, Response>;

  constructor(url: URL, { headers, webs, authProvider, opening }: HttpTransportOptions) {
    const seen: { last: Observation | undefined } = { last: undefined };
    const come = new Map<string, Response>();
    const own: HttpClient = {
      ...webs.own,
      fetch: async (to, init) => takeResponse(come, init?.body) ?? webs.own.fetch(to, init),
    };
    const hints = statusHints(url, authProvider);
    const send = fetchByOrigin(url.origin, { ...webs, own });
    super(url, {
      requestInit: { headers },
      ...(authProvider !== undefined && { authProvider }),
      fetch: async (to, init) => {
        try {
          const answer = await send(to, init);
          const session = new Headers(init?.headers).has("mcp-session-id");
          const status = { what: "status", status: answer.status, opening: opening(), session } as const;
          seen.last = answer.ok ? undefined : { ...status, ...hints, ...retryAfter(answer.headers) };
          return answer;
        } catch (error) {
          if (error instanceof RequestError) seen.last = observeRequestError(error);
          throw error;
        }
      },
      reconnectionOptions: {
        initialReconnectionDelay: 1_000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    this.#url = url;
    this.#web = webs.own;
    this.#headers = fixedHeaders(headers);
    this.#token = async () => authProvider?.token();
    this.#seen = seen;
    this.#come = come;
  }

  /** What went wrong with the latest HTTP exchange; nothing when it was answered. */
  get lastSeen(): Observation | undefined {
    return this.#seen.last;
  }

  override async send(message: JSONRPCMessage | JSONRPCMessage[], options?: SendOptions): Promise<void> {
    if (Array.isArray(message) || !isRequest(message)) return super.send(message, options);
    const fail = (): void => this.#fail(message);
    await super.send(message, { ...options, onRequestStreamEnd: options?.onRequestStreamEnd ?? fail });
  }

  sendCall(request: JSONRPCRequest, headers: Readonly<Record<string, string>>): SentCall {
    const stop = new AbortController();
    return { done: this.#exchange(request, { headers, signal: stop.signal }), abort: () => stop.abort() };
  }

  isHostThere(): Promise<boolean> {
    return this.#web.isHostThere(this.#url);
  }

  async #exchange(request: JSONRPCRequest, extras: Extras): Promise<void> {
    const { signal } = extras;
    const headers = await this.#headersWith(extras.headers);
    signal.throwIfAborted();
    const { response: coming, abort: drop } = this.#web.send(this.#url, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
    signal.addEventListener("abort", drop, { once: true });
    const answer = await coming.catch((error: unknown) => {
      if (error instanceof RequestError) this.#seen.last = observeRequestError(error);
      throw error;
    });
    if (!hasMessages(answer)) return this.#leave(request, toResponse(answer), extras);
    this.#seen.last = undefined;
    let isAnswered = false;
    // Whatever comes here belongs to this call, and is handled where it was made.
    const take: OnMessage = AsyncLocalStorage.bind((message) => {
      if (message.id === request.id && !("method" in message)) isAnswered = true;
      this.#pass(message);
    });
    const { lastId, retryMs, broken } = await readMessages(answer, take);
    if (isAnswered || signal.aborted) return;
    if (lastId !== undefined) return this.#leave(request, interruptedStream(lastId, retryMs), extras);
    if (broken !== undefined) throw broken;
    this.#fail(request);
  }

  /** Leaves the rest of a call to the SDK, which finds that its request was answered with this. */
  async #leave(request: JSONRPCRequest, answer: Response, { headers, signal }: Extras): Promise<void> {
    const body = JSON.stringify(request);
    this.#come.set(body, answer);
    try {
      await this.send(request, { headers, requestSignal: signal });
    } finally {
      this.#come.delete(body);
    }
  }

  #pass(message: Parameters<OnMessage>[0]): void {
    try {
      // Its reader checks what kind of message it is.
      this.onmessage?.(message as unknown as JSONRPCMessage);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** To one that was answered before this goes nowhere. */
  #fail({ id }: JSONRPCRequest): void {
    const error = { code: streamEndedCode, message: streamEnded.reason, data: streamEnded };
    this.onmessage?.({ jsonrpc: "2.0", id, error });
  }

  async #headersWith(own: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
    const { sessionId, protocolVersion } = this;
    const token = await this.#token();
    return {
      ...this.#headers,
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(sessionId !== undefined && { "mcp-session-id": sessionId }),
      ...(protocolVersion !== undefined && { "mcp-protocol-version": protocolVersion }),
      ...own,
    };
  }
}

/** What helps to explain a refusal. */
export const statusHints = (url: URL, authProvider: AuthProvider | undefined) => ({
  ...(url.pathname === "/" && { noPath: true as const }),
  ...(authProvider !== undefined && { oauth: true as const }),
});

/** Seconds, or a date. Nothing where there is none, or it is past. */
export const retryAfter = (headers: Headers): { readonly retryAfterMs?: number } => {
  const text = headers.get("retry-after")?.trim() ?? "";
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return ms > 0 ? { retryAfterMs: ms } : {};
};

/** The headers of every call: as configured, and what it can be answered with. */
const fixedHeaders = (configured: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(new Headers(configured)),
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
});

/** A stream that ended after an event of that name, from where the SDK resumes it. */
const interruptedStream = (lastId: string, retryMs: number | undefined): Response =>
  new Response(`${retryMs === undefined ? "" : `retry: ${retryMs}\n`}id: ${lastId}\ndata:\n\n`, {
    headers: { "content-type": "text/event-stream" },
  });

const takeResponse = (come: Map<string, Response>, body: unknown): Response | undefined => {
  if (come.size === 0 || typeof body !== "string") return undefined;
  const answer = come.get(body);
  come.delete(body);
  return answer;
};

const isRequest = (message: JSONRPCMessage): message is JSONRPCRequest => "method" in message && "id" in message;

export const observeRequestError = ({ code, message }: RequestError): Observation =>
  code === "EADDRESS" ? { what: "address", message } : { what: "socket", code, message };
