/**
 * The HTTP API as a transport: JSON or a query string out, JSON or server-sent events in, problem details as `ClientError`.
 * Works wherever `fetch` does.
 *
 * One attempt a call. Not here: repeats (`client.ts`), reading of error bodies (`problem.ts`) and of event streams (`stream.ts`).
 */

import { type AttemptLimits, attemptLimits } from "./attempt-limits.ts";
import { ClientError } from "./error.ts";
import { noSuchPart, readDownload, uploadForm } from "./files.ts";
import { httpError } from "./problem.ts";
import { queryString } from "./query-string.ts";
import { parseJson, parseOutput } from "./response-text.ts";
import { mayRepeat } from "./retry.ts";
import { readResult, streamItems } from "./stream.ts";
import type { Attempt, Transport } from "./transport.ts";
import { authorization, systemCode, type Token, unreachableHint, wasNeverSent } from "./wire/reach.ts";

/** Where the kernel is, and how to get in. */
export interface FetchTransportOptions {
  /** Address of the kernel, like `http://127.0.0.1:5099`; a path in it is kept, for a kernel behind a prefix. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. A function is called before each attempt. */
  readonly token?: Token;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Sent with every request, under our own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A transport over the HTTP API: `fetchTransport({ url: "http://127.0.0.1:5099" })`. Works in Node, browsers and workers. An address that
 * cannot be reached is `unavailable`; a reply that is not from a Fairlead kernel gets the code of its HTTP status.
 */
export const fetchTransport = (options: FetchTransportOptions): Transport => {
  const base = options.url.replace(/(?<!\/)\/+$/, "");
  const request = options.fetch ?? globalThis.fetch;

  const open = async (attempt: Attempt, limits: AttemptLimits): Promise<Response> => {
    const { url, init } = encode(base, attempt);
    const headers = { ...options.headers, ...init.headers, ...(await authorization(options.token)) };
    try {
      const streamed = init.body instanceof ReadableStream ? ({ duplex: "half" } as const) : {};
      return await request(url, { ...init, ...streamed, headers, signal: limits.signal, redirect: "error" });
    } catch (cause) {
      throw limits.error() ?? unreachable(base, attempt, cause);
    }
  };

  return {
    async call(attempt) {
      const limits = attemptLimits(attempt);
      try {
        const response = await open(attempt, limits);
        if (response.ok && isEvents(response) && response.body !== null)
          return await readResult(response.body, attempt);
        const body = await response.text();
        if (!response.ok) throw failure(response, body, attempt);
        return parseOutput(body, attempt);
      } catch (cause) {
        throw limits.error() ?? asClientError(cause, base, attempt);
      } finally {
        limits.release();
      }
    },

    async download(attempt) {
      const limits = attemptLimits(attempt);
      try {
        const response = await open(attempt, limits);
        if (response.status === 416) throw noSuchPart(attempt);
        if (!response.ok) throw failure(response, await response.text(), attempt);
        limits.stopTimer();
        return readDownload(response, { attempt, limits });
      } catch (cause) {
        limits.release();
        throw limits.error() ?? asClientError(cause, base, attempt);
      }
    },

    async *subscribe(attempt) {
      const limits = attemptLimits(attempt);
      try {
        const response = await open(attempt, limits);
        if (!response.ok) throw failure(response, await response.text(), attempt);
        if (response.body !== null) yield* streamItems(response.body, attempt);
      } catch (cause) {
        throw limits.error() ?? asClientError(cause, base, attempt);
      } finally {
        limits.release();
      }
    },
  };
};

interface EncodedRequest {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly body?: string | Blob | ReadableStream<Uint8Array>;
    readonly headers: Record<string, string>;
  };
}

const encode = (base: string, attempt: Attempt): EncodedRequest => {
  const { procedure, input, timeoutMs, traceparent, idempotencyKey, lastEventId, onProgress, file, range } = attempt;
  const wantsEvents = procedure.kind === "subscription" || onProgress !== undefined;
  const url = base + procedure.path;
  const headers: Record<string, string> = {
    accept: procedure.download === true ? "*/*" : wantsEvents ? "text/event-stream" : "application/json",
  };
  if (range !== undefined) headers.range = `bytes=${range.start}-${range.end ?? ""}`;
  if (range?.etag !== undefined) headers["if-range"] = `"${range.etag}"`;
  if (timeoutMs !== undefined) headers["fairlead-timeout-ms"] = String(Math.max(1, Math.ceil(timeoutMs)));
  if (attempt.attempts !== undefined) headers["fairlead-attempts"] = String(attempt.attempts);
  if (traceparent !== undefined) headers.traceparent = traceparent;
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
  const query = procedure.query === undefined ? undefined : queryString(input, procedure.query);
  if (query !== undefined) return { url: query === "" ? url : `${url}?${query}`, init: { method: "GET", headers } };
  if (file !== undefined) {
    const { contentType, body } = uploadForm(input, file);
    return { url, init: { method: "POST", headers: { ...headers, "content-type": contentType }, body } };
  }
  headers["content-type"] = "application/json";
  return { url, init: { method: "POST", headers, body: JSON.stringify(input) ?? "null" } };
};

const isEvents = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;

const failure = (response: Response, body: string, { procedure }: Attempt): ClientError => {
  const retryAfter = response.headers.get("retry-after");
  const wire = httpError({
    status: response.status,
    body: parseJson(body),
    retryAfter,
    repeatable: mayRepeat(procedure),
    now: Date.now(),
  });
  return new ClientError(wire, procedure.name);
};

const asClientError = (cause: unknown, base: string, attempt: Attempt): ClientError =>
  cause instanceof ClientError ? cause : unreachable(base, attempt, cause);

const unreachable = (base: string, { procedure }: Attempt, cause: unknown): ClientError => {
  return new ClientError(
    {
      code: "unavailable",
      message: `${procedure.name}: cannot reach ${base} (${systemCode(cause)})`,
      hint: unreachableHint,
      retryable: wasNeverSent(cause) || mayRepeat(procedure),
    },
    procedure.name,
    { cause },
  );
};
