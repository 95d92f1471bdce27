/**
 * The answer to a web request as the server's stages write answers: it becomes a `Response` when its first bytes are written, or its
 * head is sent. What the reader has not taken is counted, and waited for, as on a socket.
 */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Writable } from "node:stream";
import type { FetchRequest } from "./incoming.ts";

/** Bytes that wait in the web stream before the writer is asked to wait. */
const bufferBytes = 65_536;

/** Of one connection and not of an answer: a runtime sends its own. */
const hopByHop: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);
/** Statuses whose answers have no body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

type HeaderValue = number | string | readonly string[] | undefined;

export class FetchAnswer extends Writable {
  readonly req: FetchRequest;
  /** Resolves with the answer as the runtime sends it. Never rejects. */
  readonly response: Promise<Response>;
  statusCode = 200;
  headersSent = false;
  shouldKeepAlive = true;
  readonly #headers = new Headers();
  readonly #sent = Promise.withResolvers<Response>();
  #hasResponse = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Goes on writing when the reader has taken something. */
  #resume: (() => void) | undefined;
  #isCancelled = false;

  constructor(req: FetchRequest) {
    super({ decodeStrings: true, highWaterMark: bufferBytes });
    this.req = req;
    this.response = this.#sent.promise;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#headers.delete(name);
    return this.appendHeader(name, value);
  }

  appendHeader(name: string, value: HeaderValue): this {
    if (value === undefined || hopByHop.has(name.toLowerCase())) return this;
    for (const each of [value].flat()) this.#headers.append(name, String(each));
    return this;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): this {
    if (this.headersSent) throw new Error("the head of this answer has been written already");
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) this.setHeader(name, value);
    this.headersSent = true;
    return this;
  }

  /** Sends the head before there is a body. */
  flushHeaders(): void {
    this.headersSent = true;
    if (!this.#hasResponse && !this.destroyed) this.#openStream();
  }

  /** An answer that is written at once goes out as a whole, and the runtime knows its length. */
  override end(...given: readonly unknown[]): this {
    const [chunk] = given;
    this.headersSent = true;
    if (this.#hasResponse || this.destroyed || this.writableLength > 0) super.end(chunk);
    else {
      this.#respond(this.#hasNoBody || chunk === undefined ? null : Uint8Array.from(asBytes(chunk)));
      super.end();
    }
    return this;
  }

  /** The caller has gone: what is left has no reader. */
  abandon(): void {
    if (this.destroyed || this.writableFinished) return;
    this.#isCancelled = true;
    this.#controller?.close();
    this.destroy();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.headersSent = true;
    if (!this.#hasResponse) this.#openStream();
    const controller = this.#controller;
    if (controller === undefined || this.#hasNoBody) {
      done();
      return;
    }
    // The stream keeps it, and a writer may use its buffer again.
    controller.enqueue(new Uint8Array(chunk));
    if ((controller.desiredSize ?? 0) > 0) done();
    else this.#resume = done;
  }

  override _final(done: (error?: Error | null) => void): void {
    if (!this.#isCancelled && !this.#hasNoBody) this.#controller?.close();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#resume = undefined;
    if (!this.#hasResponse) {
      this.#hasResponse = true;
      // It has no reader: the caller has gone, or is cut off.
      this.#sent.resolve(new Response(null, { status: 503 }));
    } else if (!this.writableFinished && !this.#isCancelled)
      this.#controller?.error(new Error("the answer was cut off"));
    done(error);
  }

  get #hasNoBody(): boolean {
    return this.req.method === "HEAD" || bodiless.has(this.statusCode);
  }

  #openStream(): void {
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => {
          const resume = this.#resume;
          this.#resume = undefined;
          resume?.();
        },
        cancel: () => {
          this.#isCancelled = true;
          this.destroy();
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
    );
    this.#respond(this.#hasNoBody ? null : body);
  }

  #respond(body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer> | null): void {
    this.#hasResponse = true;
    this.#sent.resolve(new Response(body, { status: this.statusCode, headers: this.#headers }));
  }
}

/** A whole answer is a text or bytes. */
const asBytes = (chunk: unknown): Uint8Array =>
  chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk));

/** The one place where it passes for a response of Node's. */
export const asServerResponse = (answer: FetchAnswer): ServerResponse<IncomingMessage> =>
  answer as unknown as ServerResponse<IncomingMessage>;
