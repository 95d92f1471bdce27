/**
 * The boundary to tRPC's own protocol code, which speaks web requests and responses: as little of a `Request` as it reads, and
 * its `Response` written to the socket with backpressure.
 */
import type { ServerResponse } from "node:http";
import { codes, type WireError } from "@fairlead/contracts";
import { hasUnreadBody, retryAfter } from "../../server/problem.ts";
import type { GuardedRequest } from "../transport.ts";

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

/** Writes a web response; a stream is cancelled when the client hangs up or `signal` fires. */
export const writeWebResponse = async (web: Response, response: ServerResponse, signal: AbortSignal): Promise<void> => {
  for (const [name, value] of web.headers) {
    if (name === "vary") response.appendHeader(name, value);
    else if (name !== "transfer-encoding" && name !== "connection") response.setHeader(name, value);
  }
  if (!web.headers.has("cache-control")) response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  if (isStream(web) && web.body !== null) return writeStream(web.body, web.status, { response, signal });
  const text = await web.text();
  response.writeHead(web.status, { "content-length": Buffer.byteLength(text) });
  response.end(text);
};

const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type") === "text/event-stream" || headers.has("transfer-encoding");

const writeStream = async (
  body: ReadableStream<Uint8Array>,
  status: number,
  { response, signal }: { readonly response: ServerResponse; readonly signal: AbortSignal },
): Promise<void> => {
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  if (signal.aborted || response.destroyed) return cancel();
  signal.addEventListener("abort", cancel, { once: true });
  response.once("close", cancel);
  response.writeHead(status);
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (response.destroyed) break;
      if (!response.write(chunk.value)) await room(response);
    }
  } finally {
    signal.removeEventListener("abort", cancel);
    response.off("close", cancel);
    if (!response.destroyed) response.end();
    cancel();
  }
};

const room = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done).off("close", done);
      resolve();
    };
    response.once("drain", done).once("close", done);
  });

/** The refusal of a whole request, in tRPC's envelope: clients take it as the answer to each call of a batch. */
export const sendTrpcError = (response: ServerResponse, error: WireError, more: TrpcRefusal = {}): void => {
  const { http, jsonrpc, trpc } = codes[error.code];
  const status = more.status ?? http;
  const path = more.path === undefined ? {} : { path: more.path };
  const shape = { message: error.message, code: jsonrpc, data: { code: trpc, httpStatus: status, ...path, error } };
  const text = JSON.stringify({ error: shape });
  response.writeHead(status, {
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

export interface TrpcRefusal {
  /** Where the transport knows better than the code table. */
  readonly status?: number;
  /** Full name of the procedure, when it is about one. */
  readonly path?: string;
  /** The methods that a 405 offers instead. */
  readonly allow?: string;
}
