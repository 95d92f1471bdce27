/**
 * An end for readers that take too little of what waits for them, be it a document, a reply or a stream: without one, each of them would
 * hold what it was sent for as long as it likes.
 *
 * Not here: how fast a request has to arrive (`connection-table.ts`), and readers that let too much wait (`byte-budget.ts`).
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { ConnectionState } from "./connection-state.ts";

/** Milliseconds without a byte taken. */
export const longestStall = 60_000;

/** Bytes a second that a reader takes at least while something waits for it; the rate that Kestrel and others ask for. */
const slowestRate = 240;

/**
 * Cuts off connections on which something waits and nothing has moved for so long. `latest` gives the last response begun on a connection:
 * when that has ended, the connection has rested for its time.
 */
export const cutStuckReaders = (
  server: Server,
  ms: number,
  latest: (socket: Socket) => ServerResponse | undefined,
): void => {
  server.setTimeout(ms, (socket) => {
    const isResting = latest(socket)?.writableEnded === true;
    if (isResting || socket.writableLength > 0) socket.destroy();
  });
};

interface ReadingProgress {
  readonly since: number;
  readonly taken: number;
}

/** Finds readers that take a little now and then, so that they never count as stuck. */
export class SlowReaders {
  readonly #windowMs: number;
  readonly #progress = new WeakMap<ConnectionState, ReadingProgress>();

  /** `windowMs`: milliseconds over which the rate is measured. */
  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** True when the reader took too little in the last window. `now` in milliseconds. */
  isTooSlow(connection: ConnectionState, now: number): boolean {
    if (connection.socket.writableLength === 0) {
      this.#progress.delete(connection);
      return false;
    }
    const taken = takenBytes(connection.socket);
    const { since, taken: before } = this.#progress.get(connection) ?? { since: now, taken };
    const elapsed = now - since;
    if (elapsed >= this.#windowMs && taken - before < (slowestRate * elapsed) / 1_000) return true;
    if (elapsed === 0 || elapsed >= this.#windowMs) this.#progress.set(connection, { since: now, taken });
    return false;
  }
}

/** What Node keeps of a socket and does not declare: bytes given to the system, and those of them that it has not taken yet. */
interface SocketInside {
  readonly _bytesDispatched?: number;
  readonly _handle?: { readonly writeQueueSize?: number } | null;
}

/** Bytes that the system has taken for the reader. Node's own count has a large write as a whole, as soon as it has begun. */
const takenBytes = (socket: Socket & SocketInside): number =>
  (socket._bytesDispatched ?? 0) - (socket._handle?.writeQueueSize ?? 0);
