/**
 * `@fairlead/client/trpc`: the links of a tRPC client that fit a Fairlead kernel, as one list.
 *
 * Calls of one tick go out as batches that the kernel takes, always by POST, so that no input is in an address; each mutation has its
 * own idempotency key; what the kernel calls retryable is sent again; forms with files go alone and once; subscriptions resume; a token is a
 * header everywhere.
 * Not here: tRPC's client itself, which is the caller's (`@trpc/client` is a peer).
 */
import {
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  type Operation,
  retryLink,
  splitLink,
  TRPCClientError,
  type TRPCLink,
} from "@trpc/client";
import type { AnyRouter } from "@trpc/server";
import type { RetrySafety, ServiceDescriptor } from "./descriptor.ts";
import { FetchEventSource } from "./fetch-event-source.ts";
import { wireError } from "./problem.ts";
import { pauseAfter, type RetryOptions, randomKey } from "./retry.ts";
import { authorization, systemCode, type Token, unreachableHint, wasNeverSent } from "./wire/reach.ts";

/** Where the kernel is, how to get in, and how calls are sent. */
export interface LinksOptions {
  /** Address of the kernel, like `http://127.0.0.1:5099`; with or without `/trpc` at its end. */
  readonly url: string;
  /** Sent as `Authorization: Bearer`, with subscriptions, too. A function is called before each request. */
  readonly token?: Token;
  /** Calls of one batch. Default 100, which is the most that the kernel takes. */
  readonly maxItems?: number;
  /** Characters of a request's address; a batch that would be longer is sent in parts. Default 8,000, which proxies take. */
  readonly maxURLLength?: number;
  /** How often and when a failed call is sent again; `false`: never. Default 3 attempts. */
  readonly retry?: RetryOptions | false;
  /**
   * Descriptors of the services that are called, like `[rules, loop]`. With them a mutation that may be repeated is also sent again
   * when no answer came; without them only when the kernel says that it may be.
   */
  readonly services?: readonly ServiceDescriptor[];
  /** Sent with every request, under our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * None: a kernel speaks the JSON of its contracts, which have codecs for dates, big integers, maps and bytes. `superjson` belongs into an
   * app's own router, which may hold the services' procedures, too.
   */
  readonly transformer?: never;
  /** Instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * The links for `createTRPCClient<AppRouter>({ links: links({ url, token }) })`. A mutation's own key is given with the call:
 * `client.loop.advance.mutate(input, { context: { idempotencyKey } })`.
 */
export const links = <TRouter extends AnyRouter>(options: LinksOptions): TRPCLink<TRouter>[] => {
  const url = endpoint(options.url);
  const request = reaching(url, options.fetch ?? globalThis.fetch);
  const shared = async () => ({ ...options.headers, ...(await authorization(options.token)) });
  // Whoever repeats a call repeats alone.
  const isRepeated = options.retry !== false && (options.retry?.attempts ?? 3) > 1;
  const repeatsAlone: Record<string, string> = isRepeated ? { "fairlead-attempts": "1" } : {};
  // The boundary to tRPC's types: only the router's own type knows whether it has a transformer, and ours has none.
  // A file's bytes may be readable only once, so that what carries them is sent once.
  const form = httpLink<AnyRouter>({
    url,
    fetch: (input, init) => request(input, { ...init, signal: init?.signal ?? null }),
    headers: async ({ op }) => ({ ...(await shared()), ...keysHeader([op]) }),
  }) as TRPCLink<TRouter>;
  const batch = httpBatchLink<AnyRouter>({
    url,
    fetch: (input, init) => request(input, { ...init, signal: init?.signal ?? null }),
    methodOverride: "POST",
    maxItems: options.maxItems ?? 100,
    maxURLLength: options.maxURLLength ?? 8_000,
    headers: async ({ opList }) => ({ ...(await shared()), ...repeatsAlone, ...keysHeader(opList) }),
  }) as TRPCLink<TRouter>;
  const events = httpSubscriptionLink<AnyRouter, typeof FetchEventSource>({
    url,
    EventSource: FetchEventSource,
    eventSourceOptions: { fetch: request, headers: shared },
  }) as TRPCLink<TRouter>;
  return [
    splitLink<TRouter>({
      condition: ({ type }) => type === "subscription",
      true: events,
      false: [
        withKey(),
        splitLink<TRouter>({
          condition: ({ input }) => isNonJsonSerializable(input),
          true: form,
          false: [retrying(options), batch],
        }),
      ],
    }),
  ];
};

const endpoint = (url: string): string => {
  const base = url.replace(/(?<!\/)\/+$/, "");
  return base.endsWith("/trpc") ? base : `${base}/trpc`;
};

/** Begins a key that its caller did not ask for: the kernel takes it also where a procedure is `unsafe` and has no use for one. */
const automatic = "auto:";

/** Gives each mutation a key that stays the same however often it is sent. */
const withKey =
  <TRouter extends AnyRouter>(): TRPCLink<TRouter> =>
  () =>
  ({ op, next }) =>
    next(
      op.type === "mutation" ? { ...op, context: { idempotencyKey: `${automatic}${randomKey()}`, ...op.context } } : op,
    );

const keysHeader = (operations: readonly Operation[]): Record<string, string> => {
  const keys = operations.map(({ context }) => context.idempotencyKey);
  return keys.some((key) => typeof key === "string")
    ? {
        "fairlead-idempotency-keys": keys
          .map((key) => (typeof key === "string" ? encodeURIComponent(key) : ""))
          .join(","),
      }
    : {};
};

/** Sends again what may be sent again, after the pause that the kernel asked for or one of our own. */
const retrying = <TRouter extends AnyRouter>({ retry = {}, services = [] }: LinksOptions): TRPCLink<TRouter> => {
  const { attempts = 3, baseMs = 100, capMs = 2_000 } = retry === false ? { attempts: 1 } : retry;
  const safety = new Map(
    services.flatMap(({ procedures }) =>
      Object.values(procedures).map(({ name, retry: kind }) => [name, kind] as const),
    ),
  );
  let pause = 0;
  return retryLink<TRouter>({
    retry: ({ op, error, attempts: attempt }) => {
      const failed = { attempt, error: readFailure(op, error, safety.get(op.path)) };
      const next = pauseAfter({ attempts, baseMs, capMs }, failed, Math.random());
      pause = next ?? 0;
      return next !== undefined;
    },
    // tRPC asks for it right after the question above.
    retryDelayMs: () => pause,
  });
};

interface Failure {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
}

/** What the kernel said, or what follows from its silence. */
const readFailure = (op: Operation, error: Error, safety: RetrySafety | undefined): Failure => {
  if (op.signal?.aborted === true) return { retryable: false };
  const data: unknown = error instanceof TRPCClientError ? error.data : undefined;
  if (typeof data === "object" && data !== null) {
    return ("error" in data ? wireError(data.error) : undefined) ?? { retryable: false };
  }
  const mayRepeat = op.type === "query" || (safety !== undefined && safety !== "unsafe");
  return { retryable: mayRepeat || wasNeverSent(error) };
};

/** Says which address did not answer, in the words of the other transports. */
const reaching =
  (url: string, request: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    try {
      return await request(input, init);
    } catch (cause) {
      if (init?.signal?.aborted === true) throw cause;
      throw new Error(`cannot reach ${url} (${systemCode(cause)}): ${unreachableHint}`, { cause });
    }
  };
