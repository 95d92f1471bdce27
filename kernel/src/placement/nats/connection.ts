/**
 * One connection to NATS that lasts as long as its scope: made again when it is lost or refused, with what was subscribed. Publishing is for while it is up alone:
 * what waited in a buffer would arrive when its caller has gone.
 */
import { readFileSync } from "node:fs";
import { FairleadError } from "@fairlead/contracts";
import {
  type Authenticator,
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  type Status,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { NatsSettings } from "../../config/config.ts";
import type { Environment } from "../../config/environment.ts";
import type { Log } from "../../observe/log.ts";

export interface NatsLink {
  /** The connection while it is up. */
  readonly up: () => NatsConnection | undefined;
  /** Why it is not. */
  readonly why: () => string;
  /** Completes with the first connection, or fails with what the first attempt failed with. */
  readonly first: Effect.Effect<void, FairleadError>;
}

interface LinkOptions {
  readonly settings: NatsSettings;
  /** As servers list it. */
  readonly name: string;
  readonly log: Log;
  /** Called with each new connection, before anything is sent over it: for what is to be subscribed. */
  readonly onConnected: (connection: NatsConnection) => void;
}

const retryMs = 1_000;
/** Milliseconds that what is still to be sent is waited for at the end. */
const closeMs = 2_000;

export const keepConnected = Effect.fnUntraced(function* ({
  settings,
  name,
  log,
  onConnected,
}: LinkOptions): Effect.fn.Return<NatsLink, FairleadError, Scope.Scope> {
  const options = yield* Effect.try({ try: () => toOptions(settings, name), catch: (cause) => cause as FairleadError });
  const servers = [settings.servers].flat().join(", ");
  const first = yield* Deferred.make<void, FairleadError>();
  let connection: NatsConnection | undefined;
  let isUp = false;
  let why = `NATS at ${servers} is not reached yet`;
  const down = (reason: string): void => {
    if (isUp || why !== reason) log("warn", reason);
    why = reason;
    isUp = false;
  };
  const follow = (status: Status): void => {
    if (status.type === "disconnect") down(`the connection to NATS at ${servers} is lost`);
    if (status.type === "error") log("error", "NATS refused something", { error: status.error });
    if (status.type !== "reconnect") return;
    isUp = true;
    log("info", "NATS is reached again", { server: status.server });
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
    isUp = true;
    yield* Deferred.succeed(first, undefined);
    const reason = yield* Effect.promise(() => opened.closed());
    down(`the connection to NATS at ${servers} was closed${reason instanceof Error ? `: ${reason.message}` : ""}`);
  });
  const attempt = Effect.catch(Effect.scoped(live), (error) => {
    down(error.message);
    return Deferred.fail(first, error);
  });
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(attempt, Effect.sleep(retryMs))));
  return { up: () => (isUp ? connection : undefined), why: () => why, first: Deferred.await(first) };
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

export const toOptions = (settings: NatsSettings, name: string): ConnectionOptions => {
  const { servers, tls } = settings;
  const authenticator = authenticators(settings);
  return {
    servers: servers === undefined ? [] : [servers].flat(),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: retryMs,
    noAsyncTraces: true,
    ...(authenticator.length > 0 && { authenticator }),
    ...(tls !== undefined && { tls: withoutUndefined(tls) }),
  };
};

const authenticators = ({
  credentialsFile,
  nkeyFile,
  tokenFile,
  user,
  passwordFile,
}: NatsSettings): Authenticator[] => [
  ...(credentialsFile === undefined ? [] : [credsAuthenticator(readSecret("credentialsFile", credentialsFile))]),
  ...(nkeyFile === undefined ? [] : [nkeyAuthenticator(Buffer.from(readText("nkeyFile", nkeyFile)))]),
  ...(tokenFile === undefined ? [] : [tokenAuthenticator(readText("tokenFile", tokenFile))]),
  ...(user === undefined
    ? []
    : [
        usernamePasswordAuthenticator(
          user,
          passwordFile === undefined ? undefined : readText("passwordFile", passwordFile),
        ),
      ]),
];

/** A file that holds a secret: what it holds is in no message. */
const readSecret = (setting: string, path: string): Uint8Array => {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new FairleadError(
      {
        code: "failed_precondition",
        message: `nats.${setting} cannot be read: ${(cause as NodeJS.ErrnoException).code ?? "it failed"} at ${path}`,
        hint: "name a file that this user can read",
      },
      { cause },
    );
  }
};

const readText = (setting: string, path: string): string => Buffer.from(readSecret(setting, path)).toString().trim();

/** The secret that the fleet signs with; none where the accounts of NATS are trusted. */
export const fleetSecret = ({ secretFile, trust }: NatsSettings, env: Environment): string | undefined => {
  if (trust === "account") return undefined;
  const given = env.FAIRLEAD_NATS_SECRET ?? (secretFile === undefined ? undefined : readText("secretFile", secretFile));
  if (given === undefined)
    throw new FairleadError({
      code: "failed_precondition",
      message: "calls over NATS are signed, and no secret is configured",
      hint: 'give all peers the same FAIRLEAD_NATS_SECRET, or say `nats: { trust: "account" }` where every client of that NATS account may call as anybody',
    });
  if (given.length >= 16) return given;
  throw new FairleadError({
    code: "failed_precondition",
    message: "the secret for NATS is too short",
    hint: "use at least 16 random characters, like `openssl rand -hex 32` makes",
  });
};

const withoutUndefined = <T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as never;
