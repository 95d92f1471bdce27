/**
 * The bridge between `node:http` and the SDK, which is written against web requests and responses.
 *
 * The SDK reads a method, headers and an abort signal once the body is parsed, so it is given just these, without the cost of a
 * real `Request`. Answers are written with backpressure; refusals are kept short.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { GuardedRequest } from "../transport.ts";
import type { Caller } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { boundedError, type RpcError } from "./error.ts";

const bothTypes = "application/json, text/event-stream";

/** A guarded request as the SDK looks at it, and as the tool handlers find their caller again. */
export class RequestView {
  readonly method: string;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly headers: { get(name: string): string | null };
  readonly endpoint: Endpoint;
  readonly caller: Caller;

  /** @param caller what tool handlers are told; in a session it carries the hang-up signal, else the SDK listens to it */
  constructor(request: GuardedRequest, endpoint: Endpoint, caller: Caller) {
    const { method = "GET", url = "/", headers } = request.incoming;
    this.method = method;
    this.url = url;
    this.signal = request.signal;
    this.headers = { get: (name) => headerOf(headers, name.toLowerCase()) };
    this.endpoint = endpoint;
    this.caller = caller;
  }
}

/** The one place where the view passes for a web request; what the SDK does with it is proved by both conformance suites. */
export const asWebRequest = (view: RequestView): Request => view as unknown as Request;

/** The view again, from where the SDK hands it back. */
export const viewOf = (request: unknown): RequestView => {
  if (request instanceof RequestView) return request;
  throw new Error("an MCP request came without its HTTP request");
};

/** One header as web requests give it. Whoever accepts anything accepts what MCP asks clients to name. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name];
  if (name === "accept" && (value === undefined || value === "*/*")) return bothTypes;
  if (value === undefined) return null;
  return typeof value === "string" ? value : value.join(", ");
};

/** Writes an error of the transport's own. */
export const writeError = (response: ServerResponse, status: number, error: RpcError): void => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(error);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
  response.writeHead(status, status === 405 ? { ...headers, allow: "GET, POST, DELETE" } : headers);
  response.end(text);
};

/** Writes the SDK's answer and resolves when it has ended, or the client has gone. */
export const writeAnswer = async (answer: Response, response: ServerResponse): Promise<void> => {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const headers = Object.fromEntries(answer.headers);
  if (answer.body === null || !answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    const text = answer.body === null ? "" : await answer.text();
    const body = answer.status < 400 ? text : shortRefusal(text);
    response.writeHead(answer.status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  await pump(answer.body.getReader(), response);
};

const longestRefusal = 8_192;

const shortRefusal = (text: string): string =>
  text.length <= longestRefusal ? text : JSON.stringify(boundedError(JSON.parse(text)));

const pump = async (reader: ReadableStreamDefaultReader<Uint8Array>, response: ServerResponse): Promise<void> => {
  const cancel = (): void => void reader.cancel().catch(() => {});
  response.once("close", cancel);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (!response.write(part.value)) await drained(response);
      if (response.destroyed) break;
    }
  } finally {
    response.off("close", cancel);
    response.end();
  }
};

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.once("drain", done);
    response.once("close", done);
    if (response.destroyed) done();
  });
