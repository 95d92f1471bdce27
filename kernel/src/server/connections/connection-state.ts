/**
 * What the kernel holds for one connection: the responses that it owes, the requests that wait their turn, the bytes of both. Data for
 * the table and the byte budget; `connection.ts` changes it.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Bytes that a request counts for while it waits: its headers and the objects around them. */
const waitingRequestBytes = 4_096;

/** Bytes that may wait for a reader when the next part is begun. */
export const mostUnsent = 1_048_576;

export class ConnectionState {
  readonly socket: Socket;
  /** What it counts for: an IPv4 address, the first half of an IPv6 address, or empty for a Unix socket. */
  readonly address: string;
  /** The first principal that a request on it had. */
  principal: string | undefined;
  /** Responses that were begun or are to be, in the order of their requests. */
  readonly open = new Set<ServerResponse>();
  /** Those of them that do not wait. */
  readonly begun = new Set<ServerResponse>();
  /** Requests that arrived and wait for a response before them. */
  waiting = 0;
  /** What goes over it. A WebSocket is at work until it ends; one whose first message has to bring its token counts as a new connection until then. */
  protocol: "http" | "websocket without token" | "websocket" = "http";
  /** Bytes of request bodies that are being read. */
  bodyBytes = 0;
  /** Bytes counted for it at the last look; see `byte-budget.ts`. */
  counted = 0;
  /** Its place in the order in which connections came to rest; 0 before its first answer. */
  lastUsed = 0;
  /** True once a whole request has arrived. */
  hasArrived = false;
  /** Its last answer is written, and what its client still sends is dropped until then, in milliseconds. */
  lingersUntil: number | undefined;
  /** Since when it rests while the server ends, in milliseconds: looked at only then, since each request would pay for it. */
  restingSince = 0;
  /** Bytes read by then: more of them mean that another request is on its way. */
  #readAtRest = 0;

  constructor(socket: Socket) {
    this.socket = socket;
    this.address = addressGroup(socket.remoteAddress);
  }

  /** Bytes that wait for the reader. Read with each answer, so that what waits, which may be a thousand requests, is not looked at. */
  get unsent(): number {
    let bytes = this.protocol === "http" ? 0 : this.socket.writableLength;
    for (const response of this.begun) bytes += response.writableLength;
    return bytes;
  }

  /** All bytes that the kernel holds for it. */
  get bytes(): number {
    return this.unsent + this.bodyBytes + this.waiting * waitingRequestBytes;
  }

  /** True while a request that has arrived is being answered, or waits for that. */
  get isWorking(): boolean {
    for (const { req } of this.open) if (req.complete) return true;
    return this.protocol === "websocket";
  }

  /** True when no byte of a request has come since it began to rest, while the server ends. */
  get isResting(): boolean {
    return this.protocol === "http" && this.open.size === 0 && this.socket.bytesRead === this.#readAtRest;
  }

  /** To be called while the server ends, when nothing is owed. */
  beginRest(now: number): void {
    this.restingSince = now;
    this.#readAtRest = this.hasArrived ? this.socket.bytesRead : 0;
  }

  /** To be called when nothing more is answered. */
  drop(): void {
    this.open.clear();
    this.begun.clear();
    this.waiting = 0;
  }

  /** Resets the connection: an answer would only keep it longer. */
  cut(): void {
    cut(this.socket);
  }
}

/** Node throws where it is to reset what is not of TCP. */
export const cut = (socket: Socket): void =>
  void (socket.remoteAddress === undefined ? socket.destroy() : socket.resetAndDestroy());

/** One host has many addresses of IPv6: those of one network (a /64) count as one. */
const addressGroup = (address = ""): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":") || address === "::1") return address;
  const [head = "", tail] = address.split("%", 1).join("").split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...zeros, ...last].slice(0, 4).join(":");
};
