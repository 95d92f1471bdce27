/**
 * Reading a tRPC request: the raw input held to the limits, the terms of the call, and as little of a web `Request` as tRPC's own
 * protocol code reads. Not here: the protocol itself.
 */
import type { Limits } from "@fairlead/contracts";
import type { TrpcContext } from "../../host/manifest.ts";
import { parseJson } from "../../limits/scan.ts";
import { foreignType } from "../../server/body.ts";
import { announcesBody } from "../../server/guard.ts";
import type { Body, GuardedRequest } from "../../server/mount.ts";

/** Calls that one batch may have. */
export const maxBatchSize = 100;
/** Bytes around one input of a batch: its number, quotes, colon, comma. */
const framing = 8;

/** The raw input, from the body or the query, held to the limits. A POST without a body and a GET without `input` have none. */
export const readInput = (request: GuardedRequest, input: string | null, limits: Limits): Body | Promise<Body> => {
  if (request.incoming.method === "POST") {
    return announcesBody(request.incoming) ? request.body(limits) : (foreignType(request.incoming) ?? none);
  }
  if (input === null || input === "") return none;
  const parsed = parseJson(input, limits);
  return parsed.ok ? { ok: true, text: input, value: parsed.value } : { ok: false, status: 400, error: parsed.error };
};

const none: Body = { ok: true, text: "", value: undefined };

/**
 * A batch is one body: as large as its largest member may be, twice as deep and wide. Dispatch holds each input to its own limits,
 * so that a member which is too deep fails alone.
 */
export const batchLimits = (all: readonly Limits[]): Limits => {
  const largest = (pick: (limits: Limits) => number): number => Math.max(...all.map(pick));
  return {
    bytes: largest(({ bytes }) => bytes) + framing * all.length,
    depth: 2 * largest(({ depth }) => depth),
    keys:
      2 *
      Math.max(
        maxBatchSize,
        largest(({ keys }) => keys),
      ),
    items: 2 * largest(({ items }) => items),
    string: 2 * largest(({ string }) => string),
  };
};

/** Who calls, and on what terms; the parts of a call that no input has. */
export const callTerms = (request: GuardedRequest, isScanned: boolean): TrpcContext["terms"] => ({
  principal: request.principal,
  transport: "trpc",
  ...(isScanned && { scanned: true as const }),
  ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
  ...(request.attempts !== undefined && { attempts: request.attempts }),
  ...(request.trace !== undefined && { trace: request.trace }),
});

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
    text: () => Promise.resolve(text),
  };
  return lean as unknown as Request;
};
