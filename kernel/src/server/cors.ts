/**
 * CORS headers, for browsers of a configured origin only: that they may read the answer, and what they may send. Never
 * with credentials: a token is a header that the page sets itself.
 */
import type { ServerResponse } from "node:http";

const allowedHeaders = [
  "accept",
  "authorization",
  "content-type",
  "fairlead-attempts",
  "fairlead-idempotency-keys",
  "fairlead-timeout-ms",
  "idempotency-key",
  "if-none-match",
  "if-range",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "range",
  "traceparent",
  "tracestate",
  "trpc-accept",
].join(", ");

/** What a page reads of an answer, beside what it may always: of a part of a file, which one it is. */
const exposedHeaders = "accept-ranges, content-disposition, content-range, etag, mcp-session-id, retry-after";

/** Lets the origin read the response that follows. */
export const allowOrigin = (response: ServerResponse, origin: string): void => {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", exposedHeaders);
};

/** Answers a preflight. */
export const sendPreflight = (response: ServerResponse): undefined => {
  response.writeHead(204, {
    "access-control-allow-methods": "GET, POST, QUERY, DELETE",
    "access-control-allow-headers": allowedHeaders,
    "access-control-max-age": "600",
    ...(response.req.headers["access-control-request-private-network"] === "true" && {
      "access-control-allow-private-network": "true",
    }),
  });
  response.end();
};
