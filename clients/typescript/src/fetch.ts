/**
 * The HTTP API as a transport: JSON or the query string out, JSON or server-sent events in, problem details as `ClientError`.
 * Works wherever `fetch` does.
 *
 * One attempt a call. Not here: repeats (`client.ts`), reading of error bodies (`problem.ts`) and of event streams (`sse.ts`).
 */
import { ClientError, type WireError } from "./error.ts";
import { type Patience, patience } from "./patience.ts";
import { httpError, wireError } from "./problem.ts";
import { sseParser } from "./sse.ts";
import type { Attempt, StreamItem, Transport } from "./transport.ts";

export interface FetchTransportOptions {
  /** Address of the kernel, like `http://127.0.0.1:5099`; a path in it is kept, for a kernel behind a prefix. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`. A function is asked before each attempt. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Sent with every request, under our own. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longest event that is collected, in characters: a server that never ends one must not fill the memory. */
const maxEventLength = 16 * 1_048_576;

export const fetchTransport = (options: FetchTransportOptions): Transport => {
  const base = options.url.replace(/\/+$/, "");
  const request = options.fetch ?? globalThis.fetch;

  const open = async (attempt: Attempt, limits: Patience): Promise<Response> => {
    const { url, init } = encode(base, attempt);
    const headers = { ...options.headers, ...init.headers, ...(await authorization(options.token)) };
    try {
      return await request(url, { ...init, headers, signal: limits.signal, redirect: "error" });
    } catch (cause) {
      throw limits.ended() ?? unreachable(base, attempt, cause);
    }
  };

  return {
    async call(attempt) {
      const limits = patience(attempt);
      try {
        const response = await open(attempt, limits);
        const body = await response.text();
        if (!response.ok) throw failure(response, body, attempt);
        return parseAnswer(body, attempt);
      } catch (cause) {
        throw limits.ended() ?? asClientError(cause, base, attempt);
      } finally {
        limits.release();
      }
    },

    async *subscribe(attempt) {
      const limits = patience(attempt);
      try {
        const response = await open(attempt, limits);
        if (!response.ok) throw failure(response, await response.text(), attempt);
        if (response.body !== null) yield* streamItems(response.body, attempt);
      } catch (cause) {
        throw limits.ended() ?? asClientError(cause, base, attempt);
      } finally {
        limits.release();
      }
    },
  };
};

interface Encoded {
  readonly url: string;
  readonly init: { readonly method: string; readonly body?: string; readonly headers: Record<string, string> };
}

const encode = (base: string, attempt: Attempt): Encoded => {
  const { procedure, input, timeoutMs, idempotencyKey, lastEventId } = attempt;
  const url = base + procedure.path;
  const headers: Record<string, string> = {
    accept: procedure.kind === "subscription" ? "text/event-stream" : "application/json",
  };
  if (timeoutMs !== undefined) headers["fairlead-timeout-ms"] = String(Math.max(1, Math.ceil(timeoutMs)));
  if (idempotencyKey !== undefined) headers["idempotency-key"] = idempotencyKey;
  if (lastEventId !== undefined) headers["last-event-id"] = lastEventId;
  if (procedure.encoding === "query") {
    const query = queryString(input, attempt);
    return { url: query === "" ? url : `${url}?${query}`, init: { method: procedure.method, headers } };
  }
  headers["content-type"] = "application/json";
  return { url, init: { method: procedure.method, headers, body: JSON.stringify(input) ?? "null" } };
};

/** Strings as they are, all else as JSON. What is no scalar is sent all the same, for the server to say what it wants instead. */
const queryString = (input: unknown, { procedure }: Attempt): string => {
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    const issues = [{ path: "", expected: "an object", fix: "give the input an object" }];
    throw new ClientError(
      { code: "invalid_argument", message: `the input of ${procedure.name} is no object`, issues, retryable: false },
      procedure.name,
    );
  }
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input)) {
    if (value !== undefined) query.append(key, typeof value === "string" ? value : JSON.stringify(value));
  }
  return query.toString();
};

const authorization = async (token: FetchTransportOptions["token"]): Promise<Record<string, string>> => {
  const value = typeof token === "function" ? await token() : token;
  return value === undefined || value === "" ? {} : { authorization: `Bearer ${value}` };
};

const parseAnswer = (body: string, { procedure }: Attempt): unknown => {
  if (body === "") return undefined;
  try {
    return JSON.parse(body);
  } catch (cause) {
    const message = `the answer to ${procedure.name} is no JSON`;
    const hint = "check that the address is that of a Fairlead kernel";
    throw new ClientError({ code: "unknown", message, hint, retryable: false }, procedure.name, { cause });
  }
};

const failure = (response: Response, body: string, { procedure }: Attempt): ClientError => {
  const retryAfter = response.headers.get("retry-after");
  const wire = httpError({ status: response.status, body: jsonOrNothing(body), retryAfter, now: Date.now() });
  return new ClientError(wire, procedure.name);
};

const jsonOrNothing = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

/** Reads the stream; an `error` event is the failure of the subscription, `end` its regular end. */
async function* streamItems(body: ReadableStream<Uint8Array>, attempt: Attempt): AsyncGenerator<StreamItem> {
  const reader = body.getReader();
  const parser = sseParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw broken(attempt, "the server closed the stream without ending it");
      for (const { event, data, id } of parser.push(decoder.decode(value, { stream: true }))) {
        if (event === "end") return;
        if (event === "error") throw new ClientError(streamError(data), attempt.procedure.name);
        if (event === "message") yield { value: parseAnswer(data, attempt), ...(id !== undefined && { id }) };
      }
      if (parser.pending > maxEventLength)
        throw broken(attempt, `an event is longer than ${maxEventLength} characters`);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const streamError = (data: string): WireError =>
  wireError(jsonOrNothing(data)) ?? { code: "unknown", message: "the subscription failed", retryable: false };

const broken = ({ procedure }: Attempt, what: string): ClientError =>
  new ClientError({ code: "unavailable", message: `${procedure.name}: ${what}`, retryable: true }, procedure.name);

const asClientError = (cause: unknown, base: string, attempt: Attempt): ClientError =>
  cause instanceof ClientError ? cause : unreachable(base, attempt, cause);

const unreachable = (base: string, { procedure }: Attempt, cause: unknown): ClientError =>
  new ClientError(
    {
      code: "unavailable",
      message: `${procedure.name}: cannot reach ${base} (${systemCode(cause)})`,
      hint: "start the kernel with `fairlead up`, or check the address",
      retryable: true,
    },
    procedure.name,
    { cause },
  );

/** `ECONNREFUSED` and its like, where the platform tells; browsers do not. */
const systemCode = (cause: unknown): string => {
  for (let at = cause; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return cause instanceof Error ? cause.message : "no connection";
};
