/**
 * Errors on plain HTTP: RFC 9457 problem details around the wire error, the status from the code table, and the headers that go
 * with either.
 *
 * Not here: what tRPC clients read instead (`transport/trpc/error.ts`), and what MCP clients get from inside that transport.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { codes, type WireError } from "@fairlead/contracts";
import { errorBytes, fitted } from "../limits/fit.ts";
import { announcesBody } from "./guard.ts";
import type { RefusalDocument } from "./mount.ts";

interface ProblemOptions {
  /** Where the transport knows better than the code table, like 413 or 415. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status of an error on HTTP. */
const httpStatus = (error: WireError): number => codes[error.code].http;

/** The problem document of an error. `status`: where the transport knows better than the code table. */
export const problemDocument = (error: WireError, status: number = httpStatus(error)): RefusalDocument => ({
  status,
  type: "application/problem+json",
  text: fitted(error, errorBytes(), (fit) =>
    JSON.stringify({
      type: `urn:fairlead:error:${fit.reason ?? fit.code}`,
      title: problemTitle(fit.code),
      status,
      detail: fit.message,
      ...fit,
    }),
  ),
});

/** Ends the response with the problem. An unread body ends the connection, too. */
export const sendProblem = (
  response: ServerResponse,
  error: WireError,
  { status, headers }: ProblemOptions = {},
): void => sendRefusal(response, error, { ...problemDocument(error, status), headers });

const challenges = new WeakMap<ServerResponse, () => string>();

/** A refusal of this response for want of a right says which scopes there are: `WWW-Authenticate` of RFC 6750. */
export const challengeForbidden = (response: ServerResponse, challenge: () => string): void =>
  void challenges.set(response, challenge);

/** The header of a refusal with that status. */
export const forbiddenHeaders = (response: ServerResponse, status: number): Readonly<Record<string, string>> => {
  const challenge = status === 403 ? challenges.get(response)?.() : undefined;
  return challenge === undefined ? {} : { "www-authenticate": challenge };
};

/** Ends the response with the document that a transport made of the error, and the headers that every refusal has. */
export const sendRefusal = (
  response: ServerResponse,
  error: WireError,
  { status, type, text, headers }: RefusalDocument & { readonly headers?: ProblemOptions["headers"] | undefined },
): void => {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(error.retryAfterMs !== undefined && { "retry-after": retryAfter(error.retryAfterMs) }),
    ...(hasUnreadBody(response.req) && { connection: "close" }),
    ...forbiddenHeaders(response, status),
    ...headers,
  });
  response.end(text);
};

/** Whole seconds for `Retry-After`; at least one. */
export const retryAfter = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1_000)));

/** True while a body is announced and has not come to its end. */
export const hasUnreadBody = (incoming: IncomingMessage): boolean => !incoming.complete && announcesBody(incoming);

/** True for the refusal of a file with more bytes than its procedure takes: it has a status of its own. */
export const isFileTooLarge = ({ code, issues }: WireError): boolean =>
  code === "resource_exhausted" && issues?.[0]?.path === "file";

const problemTitle = (code: string): string => {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};
