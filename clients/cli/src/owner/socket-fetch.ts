/**
 * `fetch` over a Unix socket or a named pipe, which Node's own does not take: as much of it as the HTTP client of this repository uses.
 */
import { type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The address that requests on the socket are written with; no name is ever resolved. */
export const socketUrl = "http://localhost:0";

/** A `fetch` whose every request goes to that socket. */
export const socketFetch =
  (path: string): typeof globalThis.fetch =>
  async (input, { method = "GET", headers, body, signal } = {}) => {
    const { pathname, search } = new URL(String(input));
    const options = {
      socketPath: path,
      path: `${pathname}${search}`,
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), host: new URL(socketUrl).host },
      ...(signal !== null && signal !== undefined && { signal }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const sending = request(options, (incoming) => resolve(toResponse(incoming))).on("error", reject);
    if (typeof body !== "object" || body === null) sending.end(typeof body === "string" ? body : undefined);
    else pipeline(toBytes(body), sending).catch(reject);
    return promise;
  };

/** The bodies of files: a `Blob`, or a stream. */
const toBytes = (body: object): AsyncIterable<Uint8Array> =>
  body instanceof Blob ? body.stream() : (body as ReadableStream<Uint8Array>);

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

const toResponse = (incoming: IncomingMessage): Response => {
  const { statusCode: status = 502, headers } = incoming;
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((item): [string, string] => [name, item]),
  );
  // Node's own type of a web stream is not the one of its `Response`.
  const body = withoutBody.has(status) ? null : (Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>);
  return new Response(body, { status, headers: fields });
};
