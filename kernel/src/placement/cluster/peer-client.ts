/**
 * Sends calls to other nodes and reads their replies, line by line, no faster than their reader takes them. To leave a call is to end its connection, which its node sees.
 *
 * Not here: which node (`node.ts`), what a message looks like (`message.ts`).
 */
import { randomUUID } from "node:crypto";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import type { Signer } from "../wire/signature.ts";
import { type NodeCall, type NodeReply, readLine, writeHead } from "./message.ts";
import type { NodeView } from "./shards.ts";

/** Milliseconds to reach a node: a machine that is off says nothing. */
const connectMs = 3_000;
/** Bytes of one line at most. */
const mostLineBytes = 64 * 1024 * 1024;

/** Why a call has no reply. */
export class PeerLost extends Error {
  /** False where it has certainly not reached the node. */
  readonly isSent: boolean;

  constructor(message: string, isSent: boolean) {
    super(message);
    this.isSent = isSent;
  }
}

export class PeerClient {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #signer: Signer;

  constructor(signer: Signer) {
    this.#signer = signer;
  }

  /** The replies. The iteration fails with a `PeerLost`; `why` of the signal's `abort(why)` is its message. */
  async *call(node: NodeView, call: NodeCall, signal: AbortSignal): AsyncGenerator<NodeReply, void> {
    const id = randomUUID();
    const body = Buffer.from(JSON.stringify(call));
    const sent = this.#send(node, { id, body }, signal);
    try {
      const response = await sent.response;
      if (response.statusCode !== 200) throw sent.lost(`it answered with status ${response.statusCode}`);
      let at = 0;
      for await (const line of readLines(response)) {
        const reply = readLine(line, { call: id, at }, this.#signer);
        if (reply === undefined) throw sent.lost("its answer is not signed by a node of this cluster");
        at += 1;
        if (isLast(reply)) sent.isAnswered = true;
        yield reply;
        if (sent.isAnswered) return;
      }
      throw sent.lost("its answer was cut off");
    } catch (cause) {
      throw cause instanceof PeerLost ? cause : sent.lost(cause instanceof Error ? cause.message : String(cause));
    } finally {
      sent.end();
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(
    node: NodeView,
    { id, body }: { readonly id: string; readonly body: Uint8Array },
    signal: AbortSignal,
  ): OutgoingCall {
    const split = node.address.lastIndexOf(":");
    const outgoing = request({
      agent: this.#agent,
      host: node.address.slice(0, split).replaceAll(/[[\]]/g, ""),
      port: Number(node.address.slice(split + 1)),
      method: "POST",
      path: "/call",
      headers: writeHead({ node: node.id, call: id, body }, this.#signer),
    });
    return new OutgoingCall(outgoing, { node, body, signal });
  }
}

const isLast = ({ kind }: NodeReply): boolean =>
  kind === "moved" || kind === "value" || kind === "error" || kind === "end";

interface SentParts {
  readonly node: NodeView;
  readonly body: Uint8Array;
  readonly signal: AbortSignal;
}

class OutgoingCall {
  readonly response: Promise<IncomingMessage>;
  /** True once its last line was read: what follows is the end. */
  isAnswered = false;
  readonly #request: ClientRequest;
  readonly #parts: SentParts;
  #isConnected = false;
  #response: IncomingMessage | undefined;
  readonly #stop = (): void => void this.#request.destroy(new Error(String(this.#parts.signal.reason)));

  constructor(outgoing: ClientRequest, parts: SentParts) {
    this.#request = outgoing;
    this.#parts = parts;
    this.response = new Promise((resolve, reject) => {
      outgoing.on("response", (response) => {
        this.#response = response;
        resolve(response);
      });
      outgoing.on("error", reject);
    });
    // Read by whoever reads the replies; until then it may fail.
    this.response.catch(() => undefined);
    outgoing.setNoDelay(true);
    outgoing.once("socket", (socket) => {
      if (!socket.connecting) {
        this.#isConnected = true;
        return;
      }
      const timer = setTimeout(() => outgoing.destroy(new Error(`it was not reached in ${connectMs} ms`)), connectMs);
      socket.once("connect", () => {
        this.#isConnected = true;
        clearTimeout(timer);
      });
      socket.once("close", () => clearTimeout(timer));
    });
    if (parts.signal.aborted) this.#stop();
    parts.signal.addEventListener("abort", this.#stop, { once: true });
    outgoing.end(parts.body);
  }

  lost(why: string): PeerLost {
    const { node, signal } = this.#parts;
    const reason = signal.aborted ? String(signal.reason) : why;
    return new PeerLost(`the node ${node.name} at ${node.address} has its key: ${reason}`, this.#isConnected);
  }

  /** Its connection goes on where it was answered. */
  end(): void {
    this.#parts.signal.removeEventListener("abort", this.#stop);
    if (this.isAnswered) this.#response?.resume();
    else this.#request.destroy();
  }
}

/** Whole lines of a text, as they come. */
async function* readLines(response: IncomingMessage): AsyncGenerator<string, void> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString("utf8");
      parts = [];
      bytes = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > mostLineBytes) throw new Error("a line of its answer is too long");
  }
}
