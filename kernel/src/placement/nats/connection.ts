/**
 * One connection to NATS that lasts as long as its scope: made again when it is lost or refused, with what was subscribed. Publishing is for while it is up alone:
 * what waited in a buffer would arrive when its caller has gone.
 */
import { FairleadError } from "@fairlead/contracts";
import { type ConnectionOptions, connect, type NatsConnection, type Status } from "@nats-io/transport-node";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { Log } from "../../observe/log.ts";
import { readCredentials } from "./credentials.ts";

export interface NatsLink {
  /** The connection while it is up. */
  readonly up: () => NatsConnection | undefined;
  /** Resolves with the next moment at which it is up. */
  readonly whenUp: () => Promise<NatsConnection>;
  /** Why it is not. */
  readonly why: () => string;
  /** Completes with the first connection, or fails with what the first attempt failed with. */
  readonly first: Effect.Effect<void, FairleadError>;
}

interface LinkOptions {
  readonly settings: NatsSettings;
  readonly env: Environment;
  /** As servers list it. */
  readonly name: string;
  readonly log: Log;
  /** Called with each new connection, before anything is sent over it: for what is to be subscribed. */
  readonly onConnected: (connection: NatsConnection) => void;
  /** Called when a connection is lost, before anything comes over another one. */
  readonly onLost?: () => void;
}

const retryMs = 1_000;
/** Milliseconds that what is still to be sent is waited for at the end. */
const closeMs = 2_000;

export const keepConnected = Effect.fnUntraced(function* ({
  settings,
  env,
  name,
  log,
  onConnected,
  onLost = () => undefined,
}: LinkOptions): Effect.fn.Return<NatsLink, FairleadError, Scope.Scope> {
  const options = yield* Effect.try({
    try: () => toOptions(settings, name, env),
    catch: (cause) => cause as FairleadError,
  });
  const servers = [settings.servers].flat().join(", ");
  const first = yield* Deferred.make<void, FairleadError>();
  let connection: NatsConnection | undefined;
  let isUp = false;
  let waiters: ((connection: NatsConnection) => void)[] = [];
  const rise = (up: NatsConnection): void => {
    isUp = true;
    const woken = waiters;
    waiters = [];
    for (const wake of woken) wake(up);
  };
  let why = `NATS at ${servers} is not reached yet`;
  const down = (reason: string): void => {
    if (isUp || why !== reason) log("warn", reason);
    if (isUp) onLost();
    why = reason;
    isUp = false;
  };
  const follow = (status: Status): void => {
    if (status.type === "disconnect") down(`the connection to NATS at ${servers} is lost`);
    if (status.type === "error") log("error", "NATS refused something", { error: status.error });
    if (status.type !== "reconnect") return;
    log("info", "NATS is reached again", { server: status.server });
    if (connection !== undefined) rise(connection);
  };
  const live = Effect.gen(function* () {
    const opened = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => connect(options), catch: (cause) => unreachable(servers, cause) }),
      (open) =>
        Effect.timeoutOption(
          Effect.promise(() => open.close().catch(() => undefined)),
          closeMs,
        ),
    );
    connection = opened;
    // Not as a stream: to leave one is to wait for the next status.
    yield* Effect.forkScoped(Effect.promise(() => followAll(opened.status(), follow)));
    onConnected(opened);
    rise(opened);
    yield* Deferred.succeed(first, undefined);
    const reason = yield* Effect.promise(() => opened.closed());
    down(`the connection to NATS at ${servers} was closed${reason instanceof Error ? `: ${reason.message}` : ""}`);
  });
  const attempt = Effect.catch(Effect.scoped(live), (error) => {
    down(error.message);
    return Deferred.fail(first, error);
  });
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(attempt, Effect.sleep(retryMs))));
  const up = (): NatsConnection | undefined => (isUp ? connection : undefined);
  return {
    up,
    whenUp: async () => up() ?? new Promise((resolve) => waiters.push(resolve)),
    why: () => why,
    first: Deferred.await(first),
  };
});

const followAll = async (statuses: AsyncIterable<Status>, follow: (status: Status) => void): Promise<void> => {
  for await (const status of statuses) follow(status);
};

export const unreachable = (servers: string, cause: unknown): FairleadError =>
  new FairleadError(
    {
      code: "unavailable",
      message: `NATS at ${servers} cannot be reached: ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: "look whether nats-server runs there, and whether these credentials are its own",
    },
    { cause },
  );

export const toOptions = (settings: NatsSettings, name: string, env: Environment): ConnectionOptions => {
  const { servers } = settings;
  const { authenticator, tls } = readCredentials(settings, env);
  return {
    servers: servers === undefined ? [] : [servers].flat(),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    noAsyncTraces: true,
    ...(authenticator.length > 0 && { authenticator: [...authenticator] }),
    ...(tls !== undefined && { tls }),
  };
};
