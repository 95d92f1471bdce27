/**
 * A web `Request` as the server's stages read requests: method, target, headers, and a body that is read as it is asked for.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { RequestSocket } from "./socket.ts";

export class FetchRequest extends Readable {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn. */
  readonly rawHeaders: readonly string[];
  readonly socket: RequestSocket;
  /** The address that it was sent to. */
  readonly address: URL;
  /** True once the body has come to its end. */
  complete: boolean;
  readonly #body: ReadableStream<Uint8Array> | null;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(request: Request, url: URL, socket: RequestSocket) {
    super();
    this.method = request.method;
    this.url = url.pathname + url.search;
    this.socket = socket;
    this.address = url;
    this.#body = request.body;
    this.complete = this.#body === null;
    this.headers = readHeaders(request, url);
    this.rawHeaders = Object.entries(this.headers).flatMap(([name, value]) => [name, String(value)]);
  }

  override _read(): void {
    if (this.#body === null) {
      this.push(null);
      return;
    }
    try {
      this.#reader ??= this.#body.getReader();
    } catch (cause) {
      // Somebody has read it before.
      this.destroy(asError(cause));
      return;
    }
    this.#reader.read().then(
      ({ done, value }) => {
        if (done) this.complete = true;
        this.push(done ? null : value);
      },
      (cause: unknown) => this.destroy(asError(cause)),
    );
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // What is left of it is of no use, and how that ends neither.
    if (!this.complete) (this.#reader ?? this.#body)?.cancel().catch(() => undefined);
    done(error);
  }
}

/** The one place where it passes for a request of Node's. */
export const asIncoming = (body: FetchRequest): IncomingMessage => body as unknown as IncomingMessage;

/** A runtime may leave out what the URL and the body say. */
const readHeaders = (request: Request, url: URL): IncomingHttpHeaders => {
  const headers: IncomingHttpHeaders = Object.fromEntries(request.headers);
  headers.host ??= url.host;
  const { "content-length": length } = headers;
  if (request.body !== null && length === undefined) headers["transfer-encoding"] = "chunked";
  else delete headers["transfer-encoding"];
  return headers;
};

const asError = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));
