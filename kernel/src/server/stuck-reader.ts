/**
 * An end for readers that take nothing while something waits for them, be it a document, a reply or a stream: without one, each of them
 * would hold what it was sent for as long as it likes.
 *
 * Not here: how fast a request has to arrive (Node's own limits), and what is buffered meanwhile (`stream.ts`).
 */
import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Milliseconds without a byte taken. */
export const longestStall = 60_000;

/**
 * Cuts off connections on which something waits and nothing has moved for so long. A reader that takes a little now and then is slow, not
 * stuck. `latest` gives the last response begun on a connection: when that has ended, the connection has rested for its time.
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
