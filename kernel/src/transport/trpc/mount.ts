/**
 * tRPC 11 at `/trpc`: the generated router behind tRPC's own protocol code, with the limits that it does not have by itself.
 *
 * Queries may be sent as POST, too: long inputs need it, and it is safe because a body must be `application/json`. Not here: the
 * procedures (`trpc-router.ts`) and the web types that tRPC speaks (`wire.ts`).
 */
import type { ServerResponse } from "node:http";
import { defaultLimits, type Limits, type WireError } from "@fairlead/contracts";
import type { AnyRouter } from "@trpc/server";
import { resolveResponse } from "@trpc/server/http";
import type { TrpcContext } from "../../host/manifest.ts";
import { errorBytes } from "../../limits/fit.ts";
import { parseJson } from "../../limits/scan.ts";
import { foreignType } from "../../server/body.ts";
import type { OpenStreams } from "../../server/open-streams.ts";
import { PendingWork } from "../../server/pending-work.ts";
import { announcesBody } from "../../server/problem.ts";
import type { Body, CatalogEntry, GuardedRequest, Mount, Surroundings } from "../transport.ts";
import { asWebRequest, sendTrpcError, writeWebResponse } from "./reply.ts";

const maxBatchSize = 20;
/** Bytes around one input of a batch: its number, quotes, colon, comma. */
const framing = 8;

export interface TrpcParts {
  readonly streams: OpenStreams;
}

/** The tRPC transport, to be mounted at `/trpc`. The router is loaded at the first request. */
export const mount = (surroundings: Surroundings, { streams }: TrpcParts): Mount => {
  const { dispatch, catalog, manifest } = surroundings;
  const closing = new AbortController();
  const running = new PendingWork();
  let loading: Promise<AnyRouter> | undefined;
  const router = async (called: readonly CatalogEntry[]): Promise<AnyRouter> => {
    if (called.some(isRelayed)) return (await import("./router.ts")).createRelayRouter(dispatch, called);
    loading ??= manifest.router().then((make) => make(dispatch));
    return loading;
  };

  const resolve = async (request: GuardedRequest, response: ServerResponse, sent: Sent): Promise<void> => {
    const context: TrpcContext = {
      terms: callTerms(request, sent.isBatch),
      errorBytes: errorBytes(sent.calls),
      explain: (name) => catalog.explain(name),
    };
    const web = await resolveResponse({
      router: await router(sent.entries),
      req: asWebRequest(request, sent.text),
      path: request.path.slice(1),
      createContext: async () => context,
      error: null,
      allowMethodOverride: true,
      maxBatchSize,
    });
    await writeWebResponse(web, response, closing.signal);
  };

  const handle = async (request: GuardedRequest, response: ServerResponse): Promise<void> => {
    const name = request.path.slice(1);
    const params = new URLSearchParams(request.query);
    const isBatch = params.get("batch") === "1";
    const names = isBatch ? name.split(",", maxBatchSize + 1) : [name];
    if (names.length > maxBatchSize) return sendTrpcError(response, batchTooLarge);

    const entries = names.map((each) => catalog.find(each));
    const [entry] = entries;
    const allowed = entries.some((each) => each?.procedure.kind === "mutation") ? ["POST"] : ["GET", "POST"];
    if (!allowed.includes(request.incoming.method ?? "")) {
      return sendTrpcError(response, wrongMethod, { status: 405, allow: allowed.join(", ") });
    }
    if (!isBatch && entry === undefined) return sendTrpcError(response, catalog.explain(name), { path: name });
    const limits = entries.map((each) => each?.limits ?? defaultLimits);
    const body = await read(request, params.get("input"), isBatch ? batchLimits(limits) : (limits[0] ?? defaultLimits));
    if (!body.ok) return sendTrpcError(response, body.error, { status: body.status, ...(!isBatch && { path: name }) });
    if (entry?.procedure.kind === "subscription" && !isBatch) {
      const refused = streams.subscribe(request, response);
      if (refused !== undefined) return sendTrpcError(response, refused, { path: name });
    }
    return resolve(request, response, {
      text: body.text,
      isBatch,
      calls: names.length,
      entries: entries.filter((each) => each !== undefined),
    });
  };

  return {
    prefix: "/trpc",
    handle: (request, response) => running.add(handle(request, response)),
    refuse: sendTrpcError,
    close: async () => {
      closing.abort();
      await running.ended();
    },
  };
};

interface Sent {
  readonly text: string;
  readonly isBatch: boolean;
  readonly calls: number;
  /** What is called, as far as there is such a thing. */
  readonly entries: readonly CatalogEntry[];
}

/** Found while its service runs, and named by no contract. */
const isRelayed = ({ name, service, contract }: CatalogEntry): boolean =>
  !Object.hasOwn(contract.procedures, name.slice(service.length + 1));

/** The raw input, from the body or the query, held to the limits. A POST without a body and a GET without `input` have none. */
const read = async (request: GuardedRequest, input: string | null, limits: Limits): Promise<Body> => {
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
const batchLimits = (all: readonly Limits[]): Limits => {
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

const callTerms = (request: GuardedRequest, isBatch: boolean): TrpcContext["terms"] => ({
  principal: request.principal,
  transport: "trpc",
  ...(!isBatch && { scanned: true as const }),
  ...(request.timeoutMs !== undefined && { timeoutMs: request.timeoutMs }),
  ...(request.idempotencyKey !== undefined && { idempotencyKey: request.idempotencyKey }),
  ...(request.trace !== undefined && { trace: request.trace }),
});

const wrongMethod: WireError = {
  code: "unimplemented",
  message: "this procedure does not take that method",
  hint: "send mutations by POST, queries and subscriptions by GET or POST",
  retryable: false,
};
const batchTooLarge: WireError = {
  code: "invalid_argument",
  message: `a batch may have at most ${maxBatchSize} calls`,
  hint: `set \`maxItems: ${maxBatchSize}\` on the client's batch link`,
  retryable: false,
};
