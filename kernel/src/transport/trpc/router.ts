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
import { type AnyTRPCRouter as AnyRouter, type AnyTRPCProcedure, initTRPC, TRPCError, tracked } from "@trpc/server";
import type { CallRequest, Dispatch, StreamItem } from "../../call/call.ts";
import type { TrpcContext } from "../../host/manifest.ts";
import type { CreateRouter, ProcedureMeta, ProcedureRecord, RouterOptions } from "../../host/router-options.ts";
import type { SharedStream } from "../../host/shared-stream.ts";
import type { CatalogEntry } from "../transport.ts";
import { errorShape, type FlattenedIssues, inWordsOfTransformers } from "./error.ts";

export type { CreateRouter, ProcedureMeta, RouterIn, RouterOptions } from "../../host/router-options.ts";

/** Milliseconds between the pings that keep a quiet event stream open. */
const pingMs = 15_000;
const withoutId = "~";

const trpc = initTRPC.context<TrpcContext>().create({
  isDev: false,
  sse: { ping: { enabled: true, intervalMs: pingMs }, client: { reconnectAfterInactivityMs: 3 * pingMs } },
  errorFormatter: ({ error, ctx, path }) =>
    errorShape(readWireError(error, ctx, path), { path: isUnknown(error) ? undefined : path, bytes: ctx?.errorBytes }),
});

/** Hands input on untouched: dispatch decodes it, once. */
const raw = (input: unknown): unknown => input;

/** Procedures by service, made of these. */
type DefineProcedures = (parts: RouterParts) => Readonly<Record<string, Readonly<Record<string, AnyTRPCProcedure>>>>;

/** Makes a procedure of that name. `meta` is what the contract says of it. */
type MakeProcedure = (name: string, meta?: Omit<ProcedureMeta, "procedure">) => AnyTRPCProcedure;
type RouterParts = Readonly<Record<"query" | "mutation" | "subscription", MakeProcedure>>;

/**
 * A router of generated procedures for any app: `createRouter({ t, dispatch, principal })`. `Services` is their type, the generated
 * `AppRecord`.
 */
export const defineRouter =
  <Services = ProcedureRecord>(define: DefineProcedures): CreateRouter<Services> =>
  (options) => {
    // The boundary to tRPC's types: what is built here has those of the app's own `t`.
    const { t, procedure = t.procedure, ...own } = options as unknown as RouterOptions<typeof trpc>;
    return t.router(define(routerParts({ ...own, procedure }))) as unknown as ReturnType<CreateRouter<Services>>;
  };

/**
 * What a failure of a service adds to `data` in an app's own `errorFormatter`: the envelope, and the issues of an input error as Zod
 * flattens them. Nothing for the app's own errors: `({ shape, error }) => ({ ...shape, data: { ...shape.data, ...errorData(error) } })`.
 */
export const errorData = ({
  cause,
}: TRPCError): { readonly error?: WireError; readonly zodError?: FlattenedIssues } => {
  if (!(cause instanceof FairleadError)) return {};
  const { error, zodError } = errorShape(cause.toJSON()).data;
  return { error, ...(zodError !== undefined && { zodError }) };
};

/** The router that the kernel itself serves. */
export const ownRouter = (create: CreateRouter, dispatch: Dispatch): AnyRouter =>
  create({
    t: trpc,
    dispatch,
    principal: ({ terms }) => terms.principal,
    terms: ownTerms,
    stream: (ctx) => ctx.stream,
  });

const ownTerms = ({ terms: { principal: _, ...terms }, keys }: TrpcContext, call: { readonly batchIndex: number }) => {
  const idempotencyKey = keys[call.batchIndex];
  return idempotencyKey === undefined ? terms : { ...terms, idempotencyKey };
};

const routerParts = (
  options: Omit<RouterOptions<typeof trpc>, "t"> & { readonly procedure: typeof trpc.procedure },
): RouterParts => {
  const { dispatch, principal, terms, stream, procedure } = options;
  const requestFor = async (
    name: string,
    { ctx, input, signal, batchIndex = 0 }: ReceivedCall,
  ): Promise<CallRequest> => {
    const ends = [signal, stream?.(ctx)?.closed].filter((each) => each !== undefined);
    return {
      ...terms?.(ctx, { batchIndex }),
      procedure: name,
      input,
      transport: "trpc",
      principal: await principal(ctx),
      ...(ends[0] !== undefined && { signal: ends.length === 1 ? ends[0] : AbortSignal.any(ends) }),
    };
  };
  const base = (name: string, meta: Omit<ProcedureMeta, "procedure"> | undefined) =>
    (meta === undefined ? procedure : procedure.meta({ procedure: name, ...meta })).input(raw);
  const run = async (name: string, call: ReceivedCall): Promise<unknown> => {
    const shared = stream?.(call.ctx);
    const refused = shared?.begin();
    if (refused !== undefined) throw failure(refused);
    try {
      return await answer(dispatch, await requestFor(name, call));
    } finally {
      shared?.finish();
    }
  };
  return {
    query: (name, meta) => base(name, meta).query((call) => run(name, call)),
    mutation: (name, meta) => base(name, meta).mutation((call) => run(name, call)),
    subscription: (name, meta) =>
      base(name, meta).subscription(async (call) => {
        const shared = stream?.(call.ctx);
        const refused = shared?.claim();
        if (refused !== undefined) throw failure(refused);
        const release = once(() => shared?.release());
        call.signal?.addEventListener("abort", release, { once: true });
        const { own, lastEventId } = resumption(call.input);
        const request = await requestFor(name, { ...call, input: own });
        const reply = await dispatch.subscribe(lastEventId === undefined ? request : { ...request, lastEventId });
        if (reply.ok) return events(reply.items, { ready: () => shared?.ready(), release });
        release();
        throw failure(reply.error);
      }),
  };
};

/** A router of these procedures alone. */
export const createRelayRouter = (dispatch: Dispatch, entries: readonly CatalogEntry[]): AnyRouter =>
  ownRouter(
    defineRouter((parts) => {
      const services: Record<string, Record<string, AnyTRPCProcedure>> = {};
      for (const { name, service, procedure } of entries) {
        services[service] ??= {};
        services[service][name.slice(service.length + 1)] = parts[procedure.kind](name);
      }
      return services;
    }),
    dispatch,
  );

interface ReceivedCall {
  readonly ctx: TrpcContext;
  readonly input: unknown;
  readonly signal: AbortSignal | undefined;
  readonly batchIndex?: number;
}

const answer = async (dispatch: Dispatch, request: CallRequest): Promise<unknown> => {
  const reply = await dispatch.call(request);
  if (reply.ok) return reply.value;
  throw failure(inWordsOfTransformers(reply.error, request.input));
};

async function* events(items: AsyncIterable<StreamItem>, shared: Pick<SharedStream, "ready" | "release">) {
  let count = 0;
  try {
    for await (const { id, value } of items) {
      count += 1;
      yield tracked(id === undefined || id === "" ? `${withoutId}${count}` : id, value);
      await shared.ready();
    }
  } catch (thrown) {
    throw thrown instanceof FairleadError ? failure(thrown.toJSON()) : thrown;
  } finally {
    shared.release();
  }
}

const once = (run: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
};

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

/** True when tRPC found no procedure: then the path is a word of the caller's. */
const isUnknown = (error: TRPCError): boolean => error.code === "NOT_FOUND" && !(error.cause instanceof FairleadError);

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
