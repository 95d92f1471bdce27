/**
 * Server-sent events on a plain response: framing and keep-alive comments.
 *
 * Not here: what is sent (the transports), backpressure (`stream.ts`). tRPC frames its own streams.
 */
import type { ServerResponse } from "node:http";
import { StreamWriter } from "./stream.ts";

export interface SseEvent {
  /** `message` when left out. */
  readonly event?: string;
  /** What a client sends back to resume after this event. */
  readonly id?: string | undefined;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** Milliseconds of silence before a comment is sent. */
export const defaultKeepAliveMs = 15_000;

/** An event as it goes over the wire. An id that would break the framing is left out: it cannot be resumed from anyway. */
export const eventText = ({ event, id, data }: SseEvent): string => {
  const name = event === undefined ? "" : `event: ${event}\n`;
  const resume = id === undefined || id === "" || /[\0\r\n]/.test(id) ? "" : `id: ${id}\n`;
  return `${name}${resume}data: ${JSON.stringify(data) ?? "null"}\n\n`;
};

export class EventStream {
  readonly #writer: StreamWriter;
  readonly #keepAlive: NodeJS.Timeout;

  /** Sends the head of the stream. */
  constructor(response: ServerResponse, keepAlive = defaultKeepAliveMs) {
    this.#writer = new StreamWriter(response);
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      "x-content-type-options": "nosniff",
    });
    response.flushHeaders();
    this.#keepAlive = setInterval(() => this.#comment(), keepAlive).unref();
    response.once("close", () => clearInterval(this.#keepAlive));
  }

  /** True when the reader is gone. */
  get isGone(): boolean {
    return this.#writer.isGone;
  }

  /** True while the socket takes no more; what can be left out should be. */
  get isFull(): boolean {
    return this.#writer.isFull;
  }

  /** Sends an event. A promise that comes back resolves when there is room for the next, or the reader is gone. */
  send(event: SseEvent): Promise<void> | undefined {
    if (this.isGone) return undefined;
    this.#keepAlive.refresh();
    return this.#writer.write(eventText(event));
  }

  end(): void {
    this.release();
    this.#writer.end();
  }

  /** Leaves the response, its head sent, to another. */
  release(): void {
    clearInterval(this.#keepAlive);
  }

  #comment(): void {
    if (!this.isGone && !this.isFull) this.#writer.write(": still here\n\n");
  }
}
