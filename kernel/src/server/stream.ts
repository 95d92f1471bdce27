/**
 * Writing of responses that stay open: one chunk after the other as the reader takes them.
 *
 * Not here: what is written, and heads (the transports); an end for readers that take nothing (`connections/`).
 */
import type { ServerResponse } from "node:http";
import { mayWrite, noteWrite } from "./connections/byte-budget.ts";

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
    return this.#drained();
  }

  end(): void {
    if (!this.isGone) this.#response.end();
  }

  #drained(): Promise<void> {
    const response = this.#response;
    return new Promise((resolve) => {
      const done = (): void => {
        response.off("drain", done).off("close", done);
        resolve();
      };
      response.once("drain", done).once("close", done);
    });
  }
}

export interface PumpOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /**
   * True for a source that never waits for its reader: then what the reader has not taken waits in the response, where it is counted,
   * and not in the source, where it is not.
   */
  readonly isEager?: boolean;
}

/**
 * Writes all of a web stream and ends the response; cancels what is left when the reader has gone or the signal fires. The head is
 * written already, and sent with the first part, or alone when that does not come soon.
 */
export const pump = async (
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  { signal, isEager = false }: PumpOptions = {},
): Promise<void> => {
  const writer = new StreamWriter(response);
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (writer.isGone || signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  response.once("close", cancel);
  const head = setTimeout(() => response.flushHeaders(), headTimeoutMs);
  try {
    for (let part = await reader.read(); !part.done && !writer.isGone; part = await reader.read()) {
      clearTimeout(head);
      const written = writer.write(part.value);
      if (!isEager) await written;
    }
  } finally {
    clearTimeout(head);
    signal?.removeEventListener("abort", cancel);
    response.off("close", cancel);
    writer.end();
    cancel();
  }
};
