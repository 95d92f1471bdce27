/**
 * Writing of responses that stay open: one chunk after the other as the reader takes them.
 *
 * Not here: what is written, and heads (the transports); an end for readers that take nothing (`../connections/`).
 */
import type { ServerResponse } from "node:http";
import { mayWrite, noteWrite } from "../connections/byte-budget.ts";
import { drained } from "../connections/socket.ts";

/** Milliseconds that the head of a response waits for the first part of its body, so that both go out as one. */
export const headTimeoutMs = 20;

export class StreamWriter {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** True when the reader is gone. */
  get isGone(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  /** True while the socket takes no more; what can be left out should be. */
  get isFull(): boolean {
    return this.#response.writableNeedDrain;
  }

  /** Writes a chunk. A promise that comes back resolves when there is room for the next, or the reader is gone. */
  write(chunk: string | Uint8Array): Promise<void> | undefined {
    if (this.isGone || !mayWrite(this.#response) || this.#response.write(chunk)) return undefined;
    noteWrite(this.#response);
    return drained(this.#response);
  }

  end(): void {
    if (!this.isGone) this.#response.end();
  }
}
