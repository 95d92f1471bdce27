/**
 * CORS headers, for browsers of a configured origin only: that they may read the answer, and what they may send. Never
 * with credentials: a token is a header that the page sets itself.
 */
import type { ServerResponse } from "node:http";

const allowedHeaders = [
  "accept",
  "authorization",
  "content-type",
  "fairlead-idempotency-keys",
  "fairlead-timeout-ms",
  "idempotency-key",
  "last-event-id",
  "mcp-method",
  "mcp-name",
  "mcp-protocol-version",
  "mcp-session-id",
  "traceparent",
  "tracestate",
  "trpc-accept",
].join(", ");

/** Lets the origin read the response that follows. */
export const allowOrigin = (response: ServerResponse, origin: string): void => {
  response.setHeader("access-control-allow-origin", origin);
  response.setHeader("access-control-expose-headers", "mcp-session-id, retry-after");
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
