/**
 * Writing MCP answers over HTTP: what the SDK answers, with backpressure, and errors of the transport's own, kept short.
 */
import type { ServerResponse } from "node:http";
import { codes, type WireError } from "@fairlead/contracts";
import type { RefusalDocument, RefusedRequest } from "../../server/mount.ts";
import { forbiddenHeaders, hasUnreadBody, retryAfter } from "../../server/problem.ts";
import { writeWebResponse } from "../../server/response/web-response.ts";
import { boundedError, type RpcError, rpcCode, rpcError } from "./error.ts";
import { errorKey } from "./result.ts";

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
    ...forbiddenHeaders(response, status),
  });
  response.end(text);
};

/** Writes a refusal of the kernel's, with the status of its code. */
export const writeRefusal = (response: ServerResponse, error: WireError): void =>
  writeError(response, codes[error.code].http, rpcError(rpcCode.exchange, error.message, error));

/**
 * The same for a request that the server did not admit. Where that has a status of its own, as without a token, it is plain HTTP
 * and no exchange of MCP's: problem details.
 */
export const mcpRefusal = (error: WireError, { status }: RefusedRequest): RefusalDocument | undefined =>
  status === undefined
    ? {
        status: codes[error.code].http,
        type: "application/json",
        text: JSON.stringify(rpcError(rpcCode.exchange, error.message, error)),
      }
    : undefined;

/** Writes the SDK's answer, its errors kept short, and resolves when it has ended, or the client has gone. */
export const writeAnswer = (answer: Response, response: ServerResponse): Promise<void> =>
  writeWebResponse(answer, response, {
    headers: { ...ownHeaders, ...Object.fromEntries(answer.headers) },
    rewrite: answer.status < 400 ? undefined : shortRefusal,
    isEager: true,
  });

const shortRefusal = (text: string): string => (text === "" ? "" : JSON.stringify(boundedError(JSON.parse(text))));
