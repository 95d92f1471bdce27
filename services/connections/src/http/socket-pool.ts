/**
 * The sockets to one place: kept between requests, and the first of them opened before there is a request. A client costs far
 * more than a socket, and none is made for an upstream that is not there.
 */
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import type { Duplex } from "node:stream";

const agentOptions = {
  keepAlive: true,
  maxSockets: Number.POSITIVE_INFINITY,
  maxFreeSockets: 8,
  scheduling: "lifo",
} as const;

export class SocketPool {
  readonly agent: HttpAgent;
  readonly #isSecure: boolean;
  readonly #create: HttpAgent["createConnection"];
  /** Opened, or being opened, and not used yet. */
  #first: { readonly to: string; readonly socket: Duplex } | undefined;

  constructor(secure: boolean) {
    this.#isSecure = secure;
    this.agent = secure ? new HttpsAgent(agentOptions) : new HttpAgent(agentOptions);
    this.#create = this.agent.createConnection.bind(this.agent);
    this.agent.createConnection = (options, callback) =>
      this.#take(`${options.host}:${options.port}`) ?? this.#create(options, callback);
  }

  /** Opens the first socket. Rejects with the system's error. */
  connect(url: URL, lookup: LookupFunction | undefined): Promise<void> {
    const { socket, to } = this.#begin(url, lookup);
    this.#first = { to, socket };
    return this.#whenOpen(socket);
  }

  /** Opens a socket and drops it again. Rejects with the system's error, or with the signal's reason. */
  async reach(url: URL, lookup: LookupFunction | undefined, signal: AbortSignal): Promise<void> {
    const { socket } = this.#begin(url, lookup);
    const { promise, reject } = Promise.withResolvers<never>();
    const late = (): void => reject(signal.reason);
    signal.addEventListener("abort", late, { once: true });
    if (signal.aborted) late();
    try {
      await Promise.race([this.#whenOpen(socket), promise]);
    } finally {
      signal.removeEventListener("abort", late);
      socket.destroy();
    }
  }

  #begin(url: URL, lookup: LookupFunction | undefined): { readonly to: string; readonly socket: Duplex } {
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (this.#isSecure ? 443 : 80);
    const servername = this.#isSecure && isIP(host) === 0 ? { servername: host } : {};
    const options = { noDelay: true, ...servername, host, port, ...(lookup !== undefined && { lookup }) };
    const socket = this.#create(options);
    if (socket === null || socket === undefined) throw new Error("no socket was made");
    return { to: `${host}:${port}`, socket };
  }

  #whenOpen(socket: Duplex): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Listened to until it is taken, and without effect after that: whoever takes it listens, too.
    socket.on("error", reject);
    socket.once("close", () => reject(new Error("the socket was closed")));
    socket.once(this.#isSecure ? "secureConnect" : "connect", resolve);
    return promise;
  }

  close(): void {
    this.#first?.socket.destroy();
    this.agent.destroy();
  }

  #take(to: string): Duplex | undefined {
    const first = this.#first;
    this.#first = undefined;
    return first?.to === to && !first.socket.destroyed ? first.socket : undefined;
  }
}
