/**
 * What goes over one WebSocket: how many calls and subscriptions are open on it, and whether its reader keeps up. It is the encoder that
 * tRPC's adapter puts every message through, which is the one place where all of them pass.
 *
 * A call or a subscription over its limit is refused alone; reading goes on, so that the answers to pings arrive. Not here: what messages mean.
 */
import type { Duplex } from "node:stream";
import type { WireError } from "@fairlead/contracts";
import { isRecord } from "../../call/record.ts";
import type { SharedStream } from "../../host/shared-stream.ts";
import { mostUnsent } from "../../server/connections/connection-state.ts";
import { drained, firstEvent } from "../../server/connections/socket.ts";

/** Calls of one connection. */
const mostCalls = 100;
/** Subscriptions of one connection. */
const mostSubscriptions = 32;

export class Traffic implements SharedStream {
  /** Calls of one connection that are open at once. */
  readonly mostCalls = mostCalls;
  readonly #socket: Duplex;
  readonly #parse: (text: string) => unknown;
  /** Ids of subscriptions, whose messages are no answers to calls. */
  readonly #subscriptions = new Set<unknown>();
  #open = 0;
  #begun = 0;
  /** Calls that have arrived and are not answered yet. */
  #calls = 0;
  #onAnswered: (() => void) | undefined;
  readonly #called = Promise.withResolvers<void>();
  readonly #closing = new AbortController();

  constructor(socket: Duplex, parse: (text: string) => unknown) {
    this.#socket = socket;
    this.#parse = parse;
    socket.once("close", () => this.#closing.abort());
  }

  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  decode(data: string | ArrayBuffer | Uint8Array): unknown {
    if (this.closed.aborted) throw new TypeError("the connection has been closed");
    if (typeof data !== "string") throw new TypeError("messages are JSON in text frames");
    const message = this.#parse(data);
    for (const each of Array.isArray(message) ? message : [message]) this.#take(each);
    return message;
  }

  encode(message: unknown): string {
    if (isRecord(message) && message.id !== null && ("result" in message || "error" in message)) this.#answer(message);
    return JSON.stringify(message);
  }

  claim(): WireError | undefined {
    if (this.#open >= mostSubscriptions) return tooManySubscriptions;
    this.#open += 1;
    return undefined;
  }

  release(): void {
    this.#open -= 1;
  }

  begin(): WireError | undefined {
    if (this.#begun >= this.mostCalls) return tooManyCalls;
    this.#begun += 1;
    return undefined;
  }

  finish(): void {
    this.#begun -= 1;
  }

  /** Resolves when the reader has room for another event, or is gone. */
  ready(): Promise<void> | undefined {
    return this.#socket.writableLength <= mostUnsent || this.#socket.destroyed ? undefined : drained(this.#socket);
  }

  /** Resolves when a first call or subscription has arrived. */
  get called(): Promise<void> {
    return this.#called.promise;
  }

  /** Resolves when no call is open. */
  answered(): Promise<void> {
    return this.#calls === 0 || this.#socket.destroyed
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#onAnswered = resolve;
          this.#socket.once("close", () => resolve());
        });
  }

  /** Takes no more messages and ends what runs, whether the peer ends its side or not. */
  end(): void {
    this.#closing.abort();
  }

  /** Resolves when the connection has ended. */
  ended(): Promise<void> {
    return this.#socket.closed ? Promise.resolve() : firstEvent(this.#socket, "close");
  }

  #take(message: unknown): void {
    if (!isRecord(message)) return;
    if (message.method === "subscription") this.#subscriptions.add(message.id);
    else if (message.method === "query" || message.method === "mutation") this.#calls += 1;
    else return;
    this.#called.resolve();
  }

  #answer({ id, result, error }: Readonly<Record<string, unknown>>): void {
    if (this.#subscriptions.has(id)) {
      const isOver = error !== undefined || (isRecord(result) && result.type === "stopped");
      if (isOver) this.#subscriptions.delete(id);
      return;
    }
    if (this.#calls === 0) return;
    this.#calls -= 1;
    if (this.#calls === 0) this.#onAnswered?.();
  }
}

const tooManyCalls: WireError = {
  code: "resource_exhausted",
  message: `${mostCalls} calls are open on this connection already, and that is the most`,
  hint: "wait for the answer to one of them",
  retryable: true,
  retryAfterMs: 1_000,
};
const tooManySubscriptions: WireError = {
  code: "resource_exhausted",
  message: `${mostSubscriptions} subscriptions are open on this connection already, and that is the most`,
  hint: "end a subscription that is no longer read",
  retryable: true,
  retryAfterMs: 1_000,
};
