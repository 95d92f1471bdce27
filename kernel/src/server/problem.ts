/**
 * Errors on plain HTTP: RFC 9457 problem details around the wire error, the status from the code table, and the headers that go
 * with either.
 *
 * Not here: what tRPC and MCP clients get from inside those transports.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { codes, type WireError } from "@fairlead/contracts";
import { errorBytes, fitted } from "../limits/fit.ts";
import { announcesBody } from "./guard.ts";

export interface ProblemOptions {
  /** Where the transport knows better than the code table, like 413 or 415. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status of an error on HTTP. */
const httpStatus = (error: WireError): number => codes[error.code].http;

/** The problem document of an error, as JSON text. */
export const problemText = (error: WireError, status: number): string =>
  JSON.stringify({
    type: `urn:fairlead:error:${error.reason ?? error.code}`,
    title: problemTitle(error.code),
    status,
    detail: error.message,
    ...error,
  });

/** Ends the response with the problem. An unread body ends the connection, too. */
export const sendProblem = (response: ServerResponse, error: WireError, options: ProblemOptions = {}): void => {
  const status = options.status ?? httpStatus(error);
  const text = fitted(error, errorBytes(), (fit) => problemText(fit, status));
  response.writeHead(status, {
    "content-type": "application/problem+json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(error.retryAfterMs !== undefined && { "retry-after": retryAfter(error.retryAfterMs) }),
    ...(hasUnreadBody(response.req) && { connection: "close" }),
    ...options.headers,
  });
  response.end(text);
};

/** Whole seconds for `Retry-After`; at least one. */
export const retryAfter = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1_000)));

/** True while a body is announced and has not come to its end. */
export const hasUnreadBody = (incoming: IncomingMessage): boolean => !incoming.complete && announcesBody(incoming);

const problemTitle = (code: string): string => {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
