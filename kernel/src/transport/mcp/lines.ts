/**
 * MCP messages as lines on two streams: the SDK's transport interface over stdin and stdout.
 *
 * A line that is too long, no UTF-8, no JSON or no JSON-RPC is answered with an error and forgotten; the next line is read as if
 * nothing had happened. Not here: eras and tools (`stdio.ts`).
 */
import type { Readable, Writable } from "node:stream";
import type { Limits, WireError } from "@fairlead/contracts";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import * as Effect from "effect/Effect";
import { parseJson } from "../../limits/scan.ts";
import { type RpcError, rpcCode, rpcError } from "./error.ts";
import { idIn, idProblem } from "./id.ts";

export interface LineStreams {
  readonly input: Readable;
  readonly output: Writable;
  /** Writes to the output, whoever else has taken hold of it; false when it is full. */
  readonly write: (text: string) => boolean;
}

type Read =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "blank" }
  | { readonly kind: "refused"; readonly answer: RpcError };

const newline = 0x0a;
/** Bytes of a line that is too long in which its id is looked for. */
const longestStart = 65_536;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

export class LineTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JSONRPCMessage) => void) | undefined;
  /** Called once, when the client has sent its last line or can no longer be written to. */
  onend?: (() => void) | undefined;
  readonly #streams: LineStreams;
  readonly #limits: () => Limits;
  readonly #unanswered = new Set<RequestId>();
  #settled: (() => void) | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  #skipping = false;
  #ended = false;
  #closed = false;

  constructor(streams: LineStreams, limits: () => Limits) {
    this.#streams = streams;
    this.#limits = limits;
  }

  start(): Promise<void> {
    const { input, output } = this.#streams;
    output.on("error", this.#gone).on("drain", this.#resume);
    input.on("data", this.#take).on("end", this.#last).on("error", this.#gone).on("close", this.#last);
    if (input.readableEnded || input.destroyed) setImmediate(this.#last);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!("method" in message) && message.id !== undefined) this.#settle(message.id);
    this.#write(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (!this.#closed) this.#leave();
    return Promise.resolve();
  }

  /** Completes when every request so far is answered or cancelled. */
  get answered(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      this.#settled = () => resume(Effect.void);
      if (this.#unanswered.size === 0) this.#settled();
    });
  }

  #leave(): void {
    this.#closed = true;
    const { input, output } = this.#streams;
    input.off("data", this.#take).off("end", this.#last).off("close", this.#last);
    output.off("drain", this.#resume);
    input.pause();
    this.#settled?.();
    this.onclose?.();
  }

  readonly #take = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      this.#append(chunk.subarray(from, at));
      this.#endLine();
      from = at + 1;
    }
    this.#append(chunk.subarray(from));
  };

  #append(part: Buffer): void {
    if (this.#skipping || part.length === 0) return;
    this.#size += part.length;
    const { bytes } = this.#limits();
    if (this.#size > bytes) {
      this.#skipping = true;
      const start = Buffer.concat([...this.#parts, part.subarray(0, longestStart)]).toString("utf8", 0, longestStart);
      this.#write({ ...rpcError(rpcCode.exchange, `A line must not be longer than ${bytes} bytes`), id: idIn(start) });
      this.#parts = [];
    } else this.#parts.push(part);
  }

  #endLine(): void {
    const [first, ...rest] = this.#parts;
    const skipped = this.#skipping;
    this.#skipping = false;
    this.#size = 0;
    this.#parts = [];
    if (skipped || first === undefined) return;
    const read = readLine(rest.length === 0 ? first : Buffer.concat([first, ...rest]), this.#limits());
    if (read.kind === "refused") this.#write(read.answer);
    if (read.kind === "message") this.#deliver(read.message);
  }

  #deliver(message: JSONRPCMessage): void {
    if ("method" in message && "id" in message) {
      // Its answer comes when the connection ends.
      if (message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
    } else if ("method" in message && message.method === "notifications/cancelled") {
      const id = message.params?.requestId;
      if (typeof id === "string" || typeof id === "number") this.#settle(id);
    }
    this.onmessage?.(message);
  }

  #settle(id: RequestId): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#settled?.();
  }

  /** What the client does not read holds back what it may send. */
  #write(message: JSONRPCMessage | RpcError): void {
    if (this.#closed) return;
    if (!this.#streams.write(`${JSON.stringify(message)}\n`)) this.#streams.input.pause();
  }

  readonly #resume = (): void => void this.#streams.input.resume();

  readonly #last = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    this.#endLine();
    this.onend?.();
  };

  readonly #gone = (error: Error): void => {
    this.onerror?.(error);
    this.#unanswered.clear();
    this.#last();
  };
}

/** One line as a message, or the answer to what is none. */
const readLine = (bytes: Uint8Array, limits: Limits): Read => {
  const text = decode(bytes);
  if (text === undefined) return refused(rpcCode.parse, "A line must be valid UTF-8");
  if (text.trim() === "") return { kind: "blank" };
  const parsed = parseJson(text, limits);
  if (!parsed.ok) {
    return {
      kind: "refused",
      answer: { ...rpcError(rpcCode.parse, parsed.error.message, parsed.error), id: idIn(text) },
    };
  }
  const { value } = parsed;
  const badId = idProblem(value);
  if (badId !== undefined) return refused(rpcCode.invalidRequest, badId);
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) {
    return { kind: "message", message: value };
  }
  return refused(rpcCode.invalidRequest, "A line must be one JSON-RPC message; batches are not taken on stdio");
};

const refused = (code: number, message: string, wire?: WireError): Read => ({
  kind: "refused",
  answer: rpcError(code, message, wire),
});

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return undefined;
  }
};
