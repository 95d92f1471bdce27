/**
 * An `EventSource` over `fetch`: the same in Node, workers and browsers, and able to send headers, so that a token never has to be
 * in an address. It has what tRPC's `httpSubscriptionLink` uses of one.
 *
 * A connection that ends is made again with the id of the last event, after the pause that the server asked for or a growing one of
 * its own. Not here: what the events mean (tRPC's client), and the framing (`sse.ts`).
 */
import { pauseAfter } from "./retry.ts";
import { type SseEvent, sseParser } from "./wire/sse.ts";

/** How a connection is made. */
interface FetchEventSourceOptions {
  readonly fetch: typeof globalThis.fetch;
  /** Asked before each connection. */
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
}

interface Message {
  readonly type: string;
  readonly data?: string;
  readonly lastEventId?: string;
  /** Of an `error`: why the connection ended. */
  readonly message?: string;
}
type Listener = (message: Message) => void;

/** Pauses between connections that brought nothing, in milliseconds. */
const plan = { attempts: Number.POSITIVE_INFINITY, baseMs: 500, capMs: 15_000 };
const worthAnother: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export class FetchEventSource {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSED = 2;
  readyState: number = this.CONNECTING;
  readonly #url: string;
  readonly #options: FetchEventSourceOptions;
  readonly #closing = new AbortController();
  readonly #listeners = new Map<string, Set<Listener>>();
  #lastEventId: string | undefined;
  #failures = 0;
  #retryMs: number | undefined;

  constructor(url: string, options: FetchEventSourceOptions) {
    this.#url = url;
    this.#options = options;
    void this.#run();
  }

  addEventListener(type: string, listener: Listener): void {
    const all = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, all.add(listener));
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener);
  }

  close(): void {
    this.readyState = this.CLOSED;
    this.#closing.abort();
  }

  async #run(): Promise<void> {
    for (;;) {
      const ended = await this.#connect().catch((cause: unknown) => failed(cause));
      if (this.#isClosed) return;
      this.readyState = ended.isFinal ? this.CLOSED : this.CONNECTING;
      this.#emit({ type: "error", message: ended.why });
      if (this.#isClosed) return;
      this.#failures += 1;
      const pause = pauseAfter(plan, { attempt: Math.min(this.#failures, 16), error: retryable }, Math.random());
      await sleep(Math.max(this.#retryMs ?? 0, pause ?? 0), this.#closing.signal);
      if (this.#isClosed) return;
    }
  }

  get #isClosed(): boolean {
    return this.readyState === this.CLOSED;
  }

  async #connect(): Promise<EndedConnection> {
    const response = await this.#options.fetch(this.#url, {
      headers: {
        ...(await this.#options.headers()),
        accept: "text/event-stream",
        ...(this.#lastEventId !== undefined && { "last-event-id": this.#lastEventId }),
      },
      cache: "no-store",
      signal: this.#closing.signal,
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!response.ok || !isStream || response.body === null) {
      await response.body?.cancel();
      return {
        isFinal: !worthAnother.has(response.status),
        why: `the server answered ${response.status} and no event stream`,
      };
    }
    this.readyState = this.OPEN;
    await this.#read(response.body);
    return { isFinal: false, why: "the server ended the stream" };
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const parser = sseParser();
    const decoder = new TextDecoder();
    for await (const bytes of body) {
      for (const event of parser.push(decoder.decode(bytes, { stream: true }))) this.#take(event);
      this.#retryMs = parser.retryMs;
      if (this.#isClosed) return;
    }
  }

  #take({ event, data, id }: SseEvent): void {
    if (event !== "serialized-error") this.#failures = 0;
    if (id !== undefined) this.#lastEventId = id;
    this.#emit({ type: event, data, lastEventId: id ?? "" });
  }

  #emit(message: Message): void {
    for (const listener of this.#listeners.get(message.type) ?? []) listener(message);
  }
}

interface EndedConnection {
  /** True when another connection would fare no better. */
  readonly isFinal: boolean;
  readonly why: string;
}

const failed = (cause: unknown): EndedConnection => ({
  isFinal: false,
  why: cause instanceof Error ? cause.message : "the connection failed",
});

const retryable = { retryable: true };

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
