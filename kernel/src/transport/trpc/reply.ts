/**
 * The boundary to tRPC's own protocol code, which speaks web requests and responses: as little of a `Request` as it reads, and
 * its `Response` written to the socket with backpressure.
 */
import type { ServerResponse } from "node:http";
import type { WireError } from "@fairlead/contracts";
import { hasUnreadBody, retryAfter } from "../../server/problem.ts";
import { pump } from "../../server/stream.ts";
import type { GuardedRequest } from "../transport.ts";
import { errorShape, type ShapeOptions } from "./error.ts";

/**
 * What `resolveResponse` reads of a request: method, URL, four headers, the text of the body, the signal. Making a real one costs
 * more than all the rest of a call. The type of the content is always JSON; `body.ts` has refused all else.
 */
export const asWebRequest = (request: GuardedRequest, text: string): Request => {
  const { method, url, headers } = request.incoming;
  const values: Readonly<Record<string, string | string[] | undefined>> = {
    "content-type": "application/json",
    accept: headers.accept,
    "trpc-accept": headers["trpc-accept"],
    "last-event-id": headers["last-event-id"],
  };
  const lean = {
    method,
    url: `http://localhost${url}`,
    headers: {
      get: (name: string) => values[name.toLowerCase()]?.toString() ?? null,
      has: (name: string) => values[name.toLowerCase()] !== undefined,
    },
    signal: request.signal,
    text: async () => text,
  };
  return lean as unknown as Request;
};

/** Writes a web response and resolves when it has ended; a stream is cancelled when the client hangs up or the signal fires. */
export const writeWebResponse = async (web: Response, response: ServerResponse, signal: AbortSignal): Promise<void> => {
  for (const [name, value] of web.headers) {
    if (name === "vary") response.appendHeader(name, value);
    else if (name !== "transfer-encoding" && name !== "connection") response.setHeader(name, value);
  }
  if (!web.headers.has("cache-control")) response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  if (isStream(web) && web.body !== null) {
    response.writeHead(web.status);
    return pump(web.body, response, signal);
  }
  const text = await web.text();
  response.writeHead(web.status, { "content-length": Buffer.byteLength(text) });
  response.end(text);
};

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type") === "text/event-stream" || headers.has("transfer-encoding");

/** The refusal of a whole request, in tRPC's envelope: clients take it as the answer to each call of a batch. */
export const sendTrpcError = (response: ServerResponse, error: WireError, more: TrpcRefusal = {}): void => {
  const shape = errorShape(error, more);
  const text = JSON.stringify({ error: shape });
  response.writeHead(shape.data.httpStatus, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(error.retryAfterMs !== undefined && { "retry-after": retryAfter(error.retryAfterMs) }),
    ...(hasUnreadBody(response.req) && { connection: "close" }),
    ...(more.allow !== undefined && { allow: more.allow }),
  });
  response.end(text);
};

export interface TrpcRefusal extends ShapeOptions {
  /** The methods that a 405 offers instead. */
  readonly allow?: string;
}
