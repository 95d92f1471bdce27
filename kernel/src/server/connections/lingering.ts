/**
 * The end of a connection whose client may still be sending when its last answer is written. A connection that is closed while bytes of it
 * are unread is reset, and a reset takes from the client what it has received and not read: the answer.
 *
 * So our side ends, and what still comes is read and dropped, for so long and so many bytes. Not here: which connections need that
 * (`connection.ts`), how long in all (`server.ts`), and that they are the first to go (`connection-table.ts`).
 */
import type { Socket } from "node:net";

/** Bytes that are dropped before the connection is reset after all. */
export const mostDropped = 67_108_864;
/** Milliseconds: less of both where many connections are open. */
export interface LingerTimes {
  /** That what a client still sends after its last answer is read and dropped. */
  readonly linger: number;
  /** The same without a byte. */
  readonly lingerQuiet: number;
}

/** Sends what waits, then the end; reads on until the client ends too, or has been quiet for so long. */
export const endAndDrop = (socket: Socket, quietMs: number): void => {
  // Where a body had to wait, Node's parser has stopped the handle itself: only its own listener, which the next line takes away, starts that again.
  socket.emit("resume");
  // Node's parser would take what comes for requests.
  for (const event of ["data", "end"]) socket.removeAllListeners(event);
  const giveUp = (): void => void socket.destroy();
  socket.setTimeout(quietMs, giveUp);
  let dropped = 0;
  socket.on("data", (chunk: Uint8Array) => {
    dropped += chunk.length;
    if (dropped > mostDropped) giveUp();
  });
  socket.resume();
  if (socket.writable) socket.end();
};
