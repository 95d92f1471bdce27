/**
 * What stands for the connection of a web request: the stages of the server ask it where it came from, and end it. A runtime has the
 * real one.
 */
import { EventEmitter } from "node:events";
import type { Socket } from "node:net";

export class RequestSocket extends EventEmitter {
  /** Of the caller, where the runtime says it. */
  readonly remoteAddress: string | undefined;
  readonly writableLength = 0;
  readonly bytesRead = 0;
  destroyed = false;

  constructor(address: string | undefined) {
    super();
    this.remoteAddress = address;
  }

  /** The runtime reads bodies as they are asked for. */
  pause(): this {
    return this;
  }

  resume(): this {
    return this;
  }

  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.emit("close");
    return this;
  }

  destroySoon(): void {
    this.destroy();
  }

  resetAndDestroy(): this {
    return this.destroy();
  }
}

/** The one place where it passes for a connection; that the server's stages ask no more of it is proved by the conformance suite. */
export const asSocket = (socket: RequestSocket): Socket => socket as unknown as Socket;
