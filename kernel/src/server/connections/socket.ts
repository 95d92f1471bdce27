/**
 * What a socket reports by events, as promises: the bytes of a body, room for more, the end. Not here: what is read or written.
 */
import type { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { noteBody } from "./byte-budget.ts";

/** Resolves at the first of these events. */
export const firstEvent = (emitter: EventEmitter, ...names: readonly string[]): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      for (const name of names) emitter.off(name, done);
      resolve();
    };
    for (const name of names) emitter.once(name, done);
  });

/** Resolves when a reader has taken what waits for it, or is gone. */
export const drained = (writable: EventEmitter): Promise<void> => firstEvent(writable, "drain", "close");

/** All bytes of a body, if they are so many at most; the rest of a larger one is not read. */
export const readBytes = (incoming: IncomingMessage, most: number): Promise<Uint8Array | "too large" | "gone"> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (result: Uint8Array | "too large" | "gone"): void => {
      if (chunks.length > 1) noteBody(incoming.socket, -size);
      incoming.off("data", onData).off("end", onEnd).off("close", onClose);
      resolve(result);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        // A body that comes at once is handed on at once.
        if (chunks.length > 1) noteBody(incoming.socket, chunks.length === 2 ? size : chunk.length);
        return;
      }
      size -= chunk.length;
      incoming.pause();
      settle("too large");
    };
    const onEnd = (): void =>
      settle(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    const onClose = (): void => settle("gone");
    if (incoming.destroyed && !incoming.readableEnded) return settle("gone");
    incoming.on("data", onData).on("end", onEnd).on("close", onClose);
    incoming.on("error", ignore);
  });

/** The `close` that follows says all there is to say. */
const ignore = (): void => undefined;
