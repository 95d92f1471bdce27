/**
 * Reading MCP requests over HTTP: a guarded request as the SDK looks at it.
 *
 * The SDK is written against web requests. It reads a method, headers and an abort signal once the body is parsed, so it is given
 * just these, without the cost of a real `Request`.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { GuardedRequest } from "../../server/mount.ts";
import type { Caller } from "./call.ts";
import type { Endpoint } from "./endpoint.ts";

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
