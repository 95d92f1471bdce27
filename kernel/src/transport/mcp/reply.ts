/**
 * The bridge between `node:http` and the SDK, which is written against web requests and responses.
 *
 * The SDK reads a method, headers and an abort signal once the body is parsed, so it is given just these, without the cost of a
 * real `Request`. Answers are written with backpressure; refusals are kept short.
 */
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { codes, type WireError } from "@fairlead/contracts";
import { hasUnreadBody, retryAfter } from "../../server/problem.ts";
import { pump } from "../../server/stream.ts";
import type { GuardedRequest } from "../transport.ts";
import type { Caller } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";
import { boundedError, type RpcError, rpcCode, rpcError } from "./error.ts";
import { errorKey } from "./result.ts";

const bothTypes = "application/json, text/event-stream";

/** A guarded request as the SDK looks at it, and as the tool handlers find their caller again. */
export class RequestView {
  readonly method: string;
  readonly url: string;
  readonly signal: AbortSignal;
  readonly headers: { get(name: string): string | null };
  readonly endpoint: Endpoint;
  readonly caller: Caller;

  /** @param caller what tool handlers know of their caller; in a session it carries the hang-up signal, else the SDK listens to it */
  constructor(request: GuardedRequest, endpoint: Endpoint, caller: Caller) {
    const { method = "GET", url = "/", headers } = request.incoming;
    this.method = method;
    this.url = url;
    this.signal = request.signal;
    this.headers = { get: (name) => readHeader(headers, name.toLowerCase()) };
    this.endpoint = endpoint;
    this.caller = caller;
  }
}

/** The one place where the view passes for a web request; what the SDK does with it is proved by both conformance suites. */
export const asWebRequest = (view: RequestView): Request => view as unknown as Request;

/** The view again, from where the SDK hands it back. */
export const toRequestView = (request: unknown): RequestView => {
  if (request instanceof RequestView) return request;
  throw new Error("an MCP request came without its HTTP request");
};

/** One header as web requests give it. Whoever accepts anything accepts what MCP asks clients to name. */
export const readHeader = (headers: IncomingHttpHeaders, name: string): string | null => {
  const value = headers[name];
  if (name === "accept" && (value === undefined || value === "*/*")) return bothTypes;
  if (value === undefined) return null;
  return typeof value === "string" ? value : value.join(", ");
};

export const ownHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Writes an error of the transport's own. An unread body ends the connection, too. */
export const writeError = (response: ServerResponse, status: number, error: RpcError): void => {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const text = JSON.stringify(error);
  const retryAfterMs = error.error.data?.[errorKey].retryAfterMs;
  response.writeHead(status, {
    ...ownHeaders,
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(retryAfterMs !== undefined && { "retry-after": retryAfter(retryAfterMs) }),
    ...(status === 405 && { allow: "GET, POST, DELETE" }),
    ...(hasUnreadBody(response.req) && { connection: "close" }),
  });
  response.end(text);
};

/** Writes a refusal of the kernel's, with the status of its code. */
export const writeRefusal = (response: ServerResponse, error: WireError): void =>
  writeError(response, codes[error.code].http, rpcError(rpcCode.exchange, error.message, error));

/**
 * Writes the SDK's answer and resolves when it has ended, or the client has gone. Where the head of a stream of events
 * has been sent, the answer is such a stream, and goes on from there.
 */
export const writeAnswer = async (answer: Response, response: ServerResponse): Promise<void> => {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  if (response.headersSent && answer.body !== null) return pump(answer.body, response);
  const headers = { ...ownHeaders, ...Object.fromEntries(answer.headers) };
  if (answer.body === null || !answer.headers.get("content-type")?.startsWith("text/event-stream")) {
    const text = answer.body === null ? "" : await answer.text();
    const body = answer.status < 400 ? text : shortRefusal(text);
    response.writeHead(answer.status, { ...headers, "content-length": Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(answer.status, headers);
  return pump(answer.body, response);
};

/** So short a text needs no second look. */
const surelyShort = 512;

const shortRefusal = (text: string): string =>
  text.length <= surelyShort ? text : JSON.stringify(boundedError(JSON.parse(text)));
