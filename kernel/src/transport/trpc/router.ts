/**
 * What the generated tRPC router is made of: procedures that hand their raw input to dispatch, and errors in the one envelope.
 * The generated file only names procedures.
 *
 * Tools that services relay are in no generated router: a request that names one gets a router of just what it asks for.
 *
 * Every event of a subscription is tracked, so that clients always get `{ id, data }`; events that the service gave no id get a
 * running number behind `~`, from which nothing can be resumed.
 * Not here: HTTP, batching and limits (`trpc`).
 */
import { type Code, codes, FairleadError, type WireError } from "@fairlead/contracts";
import { type AnyRouter, initTRPC, TRPCError, tracked } from "@trpc/server";
import type { CallRequest, Dispatch, StreamItem } from "../../call/call.ts";
import type { TrpcContext } from "../../host/manifest.ts";
import type { CatalogEntry } from "../transport.ts";
import { errorShape } from "./error.ts";

/** The generated router's one export. */
export type CreateRouter = (dispatch: Dispatch) => AnyRouter;

/** Milliseconds between the pings that keep a quiet event stream open. */
const pingMs = 15_000;
const withoutId = "~";

const trpc = initTRPC.context<TrpcContext>().create({
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: pingMs }, client: { reconnectAfterInactivityMs: 3 * pingMs } },
  errorFormatter: ({ error, ctx, path }) =>
    errorShape(readWireError(error, ctx, path), { path, bytes: ctx?.errorBytes }),
});

/** Hands input on untouched: dispatch decodes it, once. */
const raw = (input: unknown): unknown => input;

/** The parts of a router over one dispatch. */
export const routerParts = (dispatch: Dispatch) => ({
  router: trpc.router,

  query: (name: string) =>
    trpc.procedure.input(raw).query(async ({ ctx, ...call }) => answer(dispatch, toCallRequest(ctx, name, call))),

  mutation: (name: string) =>
    trpc.procedure.input(raw).mutation(async ({ ctx, ...call }) => answer(dispatch, toCallRequest(ctx, name, call))),

  subscription: (name: string) =>
    trpc.procedure.input(raw).subscription(async ({ ctx, input, signal }) => {
      const { own, lastEventId } = resumption(input);
      const request = toCallRequest(ctx, name, { input: own, signal });
      const reply = await dispatch.subscribe(lastEventId === undefined ? request : { ...request, lastEventId });
      if (!reply.ok) throw failure(reply.error);
      return events(reply.items);
    }),
});

/** A router of these procedures alone. */
export const createRelayRouter = (dispatch: Dispatch, entries: readonly CatalogEntry[]): AnyRouter => {
  const parts = routerParts(dispatch);
  return parts.router(Object.fromEntries(entries.map(({ name, procedure }) => [name, parts[procedure.kind](name)])));
};

interface ReceivedCall {
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  readonly batchIndex?: number;
}

/** The boundary to tRPC's types, which widen the optional fields of the context that `createContext` made. */
const toCallRequest = (context: object, procedure: string, received: ReceivedCall): CallRequest => {
  const { input, signal, batchIndex = 0 } = received;
  const { terms, keys } = context as TrpcContext;
  const idempotencyKey = keys[batchIndex];
  return {
    ...terms,
    procedure,
    input,
    ...(signal !== undefined && { signal }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
};

const answer = async (dispatch: Dispatch, request: CallRequest): Promise<unknown> => {
  const reply = await dispatch.call(request);
  if (reply.ok) return reply.value;
  throw failure(reply.error);
};

async function* events(items: AsyncIterable<StreamItem>) {
  let count = 0;
  try {
    for await (const { id, value } of items) {
      count += 1;
      yield tracked(id === undefined || id === "" ? `${withoutId}${count}` : id, value);
    }
  } catch (thrown) {
    throw thrown instanceof FairleadError ? failure(thrown.toJSON()) : thrown;
  }
}

/** tRPC merges the id to resume from into the input; no contract's input has that field of its own. */
const resumption = (input: unknown): { readonly own: unknown; readonly lastEventId: string | undefined } => {
  if (typeof input !== "object" || input === null || !Object.hasOwn(input, "lastEventId")) {
    return { own: input, lastEventId: undefined };
  }
  const { lastEventId, ...own } = input as { readonly lastEventId: unknown };
  const usable = typeof lastEventId === "string" && lastEventId !== "" && !lastEventId.startsWith(withoutId);
  return { own, lastEventId: usable ? lastEventId : undefined };
};

const failure = (wire: WireError): TRPCError =>
  new TRPCError({
    code: codes[wire.code].trpc as TRPCError["code"],
    message: wire.message,
    cause: new FairleadError(wire),
  });

/** The envelope of an error: dispatch's own, or one for what tRPC itself found wrong with the request. */
const readWireError = (error: TRPCError, context: TrpcContext | undefined, path: string | undefined): WireError => {
  if (error.cause instanceof FairleadError) return error.cause.toJSON();
  if (error.code === "NOT_FOUND" && context !== undefined && path !== undefined) return context.explain(path);
  const code = ownCodes[error.code] ?? "internal";
  const message = code === "internal" ? "the request failed inside the tRPC transport" : error.message;
  return { code, message, retryable: code === "resource_exhausted" };
};

const ownCodes: Partial<Record<TRPCError["code"], Code>> = {
  PARSE_ERROR: "invalid_argument",
  BAD_REQUEST: "invalid_argument",
  UNSUPPORTED_MEDIA_TYPE: "invalid_argument",
  METHOD_NOT_SUPPORTED: "unimplemented",
  NOT_FOUND: "not_found",
  CLIENT_CLOSED_REQUEST: "canceled",
  PAYLOAD_TOO_LARGE: "resource_exhausted",
  TIMEOUT: "deadline_exceeded",
};
