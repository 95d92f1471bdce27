/**
 * Writes the web `Response` of a library's protocol code to a socket: a stream as its reader takes it, all else as one text.
 *
 * Not here: what the responses mean (the transports), responses of our own (`stream.ts`, `event-stream.ts`).
 */
import type { ServerResponse } from "node:http";
import { headTimeoutMs, StreamWriter } from "./stream.ts";

interface PumpOptions {
  /** Ends the stream. */
  readonly signal?: AbortSignal;
  /**
   * True for a source that never waits for its reader: then what the reader has not taken waits in the response, where it is counted,
   * and not in the source, where it is not.
   */
  readonly isEager?: boolean;
}

/**
 * Writes all of a web stream and ends the response; cancels what is left when the reader has gone or the signal fires. The head is
 * written already, and sent with the first part, or alone when that does not come soon.
 */
const pump = async (
  body: ReadableStream<Uint8Array>,
  response: ServerResponse,
  { signal, isEager = false }: PumpOptions = {},
): Promise<void> => {
  const writer = new StreamWriter(response);
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (writer.isGone || signal?.aborted === true) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  response.once("close", cancel);
  const head = setTimeout(() => response.flushHeaders(), headTimeoutMs);
  try {
    for (let part = await reader.read(); !part.done && !writer.isGone; part = await reader.read()) {
      clearTimeout(head);
      const written = writer.write(part.value);
      if (!isEager) await written;
    }
  } finally {
    clearTimeout(head);
    signal?.removeEventListener("abort", cancel);
    response.off("close", cancel);
    writer.end();
    cancel();
  }
};

interface WebResponseOptions extends PumpOptions {
  /** Sent beside those that the response has already. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a text is written as. Default: as it is. */
  readonly rewrite?: ((text: string) => string) | undefined;
}

/**
 * Writes a web response and resolves when it has ended, or the client has gone. Where the head of a stream has been sent, the web
 * response is such a stream, and goes on from there.
 */
export const writeWebResponse = async (
  web: Response,
  response: ServerResponse,
  { headers = {}, rewrite = (text) => text, ...options }: WebResponseOptions = {},
): Promise<void> => {
  const { body, status } = web;
  if (response.destroyed) return body?.cancel().catch(() => undefined);
  if (body !== null && (response.headersSent || isStream(web))) {
    if (!response.headersSent) response.writeHead(status, headers);
    return pump(body, response, options);
  }
  const text = rewrite(await web.text());
  response.writeHead(status, { ...headers, "content-length": Buffer.byteLength(text) });
  response.end(text);
};

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true || headers.has("transfer-encoding");
