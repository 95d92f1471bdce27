/**
 * Requests that another process of this kernel answers: they go there over its Unix socket as they have come, and its answer comes back as
 * it is. That process guards them as it guards its own: whoever sends them on is trusted with nothing.
 *
 * Not here: which requests these are (`boot/front-kernel.ts`).
 */
import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { giveCallsTime } from "../body.ts";
import type { Exchange } from "../guard.ts";
import { hasUnreadBody, sendProblem } from "../problem.ts";
import type { Handshake } from "../serving.ts";

/** The process that answers all requests which this one does not. */
export class Elsewhere {
  readonly #socketPath: string;
  readonly #agents = new WeakMap<object, Agent>();

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  /** Completes once its answer is written, or cut. */
  forward({ incoming, response, proceed }: Exchange): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { method, url, socket } = incoming;
    // How long a body may take is for the process that reads it.
    giveCallsTime(incoming);
    const sent = request({
      socketPath: this.#socketPath,
      agent: this.#agentFor(socket),
      method,
      path: url,
      // Two headers of one name stay two: what the other process makes of them is its own affair.
      headers: withoutHops(incoming.rawHeaders),
    });
    // A client that leaves ends its call.
    response.once("close", () => {
      sent.destroy();
      resolve();
    });
    sent.once("continue", () => proceed?.());
    sent.once("response", (answer: IncomingMessage) => passAnswer(answer, response));
    sent.once("error", () => {
      if (response.destroyed || response.writableEnded) return;
      if (response.headersSent) response.destroy();
      else sendProblem(response, gone);
    });
    incoming.pipe(sent);
    return promise;
  }

  /**
   * Joins two sockets until one of them ends: what is said over a connection that has become a WebSocket is no request. One that is refused
   * gets that answer and ends. `joined` is called once the other process has taken a caller that `isKnown` here, or has sent a caller of
   * whose token only it knows the first message.
   */
  join({ incoming, socket, head }: Handshake, isKnown: boolean, joined: () => void): void {
    const other = connect(this.#socketPath);
    endTogether(other, socket);
    endTogether(socket, other);
    other.write(requestHead(incoming), "latin1");
    if (head.length > 0) other.write(head);
    const lookForMessage = (frames: Buffer): void => {
      if (!isMessage(frames)) return;
      other.off("data", lookForMessage);
      joined();
    };
    other.once("data", (answer: Buffer) => {
      if (!answer.subarray(0, switching.length).equals(switching)) {
        socket.unpipe(other);
        socket.resume();
        other.end();
      } else if (isKnown) joined();
      else other.on("data", lookForMessage);
    });
    socket.pipe(other).pipe(socket);
  }

  /** Connections of one client share none with those of others: what is counted of a connection there is counted of that client. */
  #agentFor(socket: Socket): Agent {
    const known = this.#agents.get(socket);
    if (known !== undefined) return known;
    const agent = new Agent({ keepAlive: true });
    this.#agents.set(socket, agent);
    socket.once("close", () => agent.destroy());
    return agent;
  }
}

/** How the answer to a handshake begins that became a WebSocket. */
const switching = Buffer.from("HTTP/1.1 101 ");

/** True for a frame of text or of bytes; pings and the end of a connection are sent to everyone. */
const isMessage = ([first = 0]: Buffer): boolean => (first & 0x0f) === 1 || (first & 0x0f) === 2;

/** The other one ends when the first does, with what it still has to write. */
const endTogether = (first: Duplex, other: Duplex): void => {
  first.once("error", () => first.destroy());
  first.once("close", () => other.end(() => other.destroy()));
};

const passAnswer = (answer: IncomingMessage, response: ServerResponse): void => {
  const { statusCode = 502, statusMessage, rawHeaders } = answer;
  const headers = withoutHops(rawHeaders);
  // What is left of a body belongs to no answer.
  if (hasUnreadBody(response.req)) headers.push("connection", "close");
  response.writeHead(statusCode, statusMessage, headers);
  // A stream's first event may be far off.
  response.flushHeaders();
  answer.once("error", () => response.destroy());
  answer.once("aborted", () => response.destroy());
  answer.pipe(response);
};

/** Headers of a connection, not of what is sent over it. */
const hops: ReadonlySet<string> = new Set(["connection", "keep-alive", "proxy-connection"]);

const withoutHops = (raw: readonly string[]): string[] => {
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    if (!hops.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
};

/** As it came: Node has checked that no part of it has a line break. */
const requestHead = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): string => {
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join("\r\n")}\r\n\r\n`;
};

const gone = {
  code: "unavailable",
  message: "the kernel behind this port has gone, and what it did of the request is not known",
  hint: "try again shortly; look first whether it was done where it changes something",
  retryable: false,
} as const;
