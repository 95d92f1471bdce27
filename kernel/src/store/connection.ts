/**
 * The kernel's connection to PostgreSQL: opened when something is asked, again after it was lost. What fails is a `FairleadError` that names the server
 * and never its secrets.
 *
 * Not here: what is asked (`answers.ts`), tables (`schema.ts`).
 */
import { readFileSync } from "node:fs";
import { FairleadError } from "@fairlead/contracts";
import { Client, type ClientConfig } from "pg";
import { within } from "../call/within.ts";
import type { PostgresSettings } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";

/** Milliseconds to reach it, and for one question: a server that is stopped in the midst says nothing. */
const connectMs = 5_000;
const answerMs = 10_000;
/** Milliseconds that a farewell may take. */
const closeMs = 1_000;
/** Milliseconds between the first two tries of what may wait, and the most between later ones. */
const firstPauseMs = 50;
const longestPauseMs = 500;

/** A value of a parameter; a list is an array of the server's. */
export type Parameter = string | number | null | readonly (string | number | null)[];

/** Asks the server, for rows. `patienceMs`: how long it is tried again while the server is away. */
export type Ask = <Row>(text: string, values?: readonly Parameter[], patienceMs?: number) => Promise<readonly Row[]>;

export class PostgresConnection {
  readonly #config: ClientConfig;
  readonly #place: string;
  /** Run on each new connection, before anything else is asked. */
  readonly #prepare: (ask: Ask) => Promise<void>;
  #client: Promise<Client> | undefined;
  #isClosed = false;

  constructor(config: ClientConfig, prepare: (ask: Ask) => Promise<void>) {
    this.#config = config;
    this.#place = `PostgreSQL at ${config.host}:${config.port}`;
    this.#prepare = prepare;
  }

  /**
   * Asks, over another connection where the first was lost, and again where the server undid it for another's sake; so that what is asked must be
   * the same when it is done twice.
   */
  async ask<Row>(text: string, values: readonly Parameter[] = [], patienceMs = 0): Promise<readonly Row[]> {
    const until = performance.now() + patienceMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#askOnce<Row>(text, values);
      } catch (cause) {
        const mayWait = performance.now() < until;
        if (this.#isClosed || !(mayWait ? isAway(cause) || mayPass(cause) : tries < mostTries && mayPass(cause)))
          throw this.#inWords(cause);
        if (mayWait) await pause(Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs));
      }
    }
  }

  async #askOnce<Row>(text: string, values: readonly Parameter[]): Promise<readonly Row[]> {
    if (this.#isClosed) throw this.#closed();
    const opening = this.#client ?? this.#open();
    try {
      return await askOver<Row>(await opening, text, values);
    } catch (cause) {
      // What the server refused has not harmed the connection, but for one that it is ending or that cannot write.
      const state = sqlState(cause);
      if ((state === undefined || isLost(state)) && this.#client === opening) this.#drop(opening);
      throw cause;
    }
  }

  #open(): Promise<Client> {
    const client = new Client(this.#config);
    const opening = this.#connect(client);
    // The end of an earlier one comes late, when another has taken its place.
    const forget = (): void => {
      if (this.#client === opening) this.#client = undefined;
    };
    client.on("error", forget).on("end", forget);
    opening.catch(forget);
    this.#client = opening;
    return opening;
  }

  async #connect(client: Client): Promise<Client> {
    try {
      await client.connect();
      await this.#prepare((text, values = []) => askOver(client, text, values));
      return client;
    } catch (cause) {
      void client.end().catch(() => undefined);
      throw cause;
    }
  }

  #drop(opening: Promise<Client>): void {
    this.#client = undefined;
    opening.then((client) => client.end()).catch(() => undefined);
  }

  #closed(): FairleadError {
    return new FairleadError({ code: "unavailable", message: `the connection to ${this.#place} is closed` });
  }

  #inWords(cause: unknown): FairleadError {
    if (cause instanceof FairleadError) return cause;
    const state = sqlState(cause);
    const why = cause instanceof Error ? cause.message || String(stateText(cause)) : String(cause);
    if (isRefusal(cause))
      return new FairleadError(
        {
          code: "failed_precondition",
          message: `${this.#place} refused the kernel: ${why}${state === undefined ? "" : ` (${state})`}`,
          hint: "look at `store.postgres` in the configuration, and at the rights of its user",
        },
        { cause },
      );
    if (state === undefined || isGone(state))
      return new FairleadError(
        {
          code: "unavailable",
          message: `${this.#place} cannot be reached: ${why}`,
          hint: "look whether it runs there and lets this machine in",
        },
        { cause },
      );
    return new FairleadError(
      {
        code: "unavailable",
        message: `${this.#place} refused the kernel: ${why} (${state})`,
        hint: "run `fairlead doctor` and see the server's log",
      },
      { cause },
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const opening = this.#client;
    this.#client = undefined;
    if (opening === undefined) return;
    await within(
      closeMs,
      opening.then((client) => client.end()),
    );
  }
}

const mostTries = 3;

const pause = (milliseconds: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, milliseconds);
  return promise;
};

const askOver = async <Row>(client: Client, text: string, values: readonly Parameter[]): Promise<readonly Row[]> => {
  const { rows } = await client.query({ text, values: [...values] });
  return rows as Row[];
};

/** The server's SQLSTATE; `undefined` for what the server did not say. */
const sqlState = (cause: unknown): string | undefined => {
  const code = stateText(cause);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) && cause instanceof Error && "severity" in cause
    ? code
    : undefined;
};

const stateText = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined;

/**
 * Whether it lets the kernel in only once somebody has changed something: the user, the password, the database, rights, certificates. What the client finds out by
 * itself has no SQLSTATE.
 */
const isRefusal = (cause: unknown): boolean => {
  const state = sqlState(cause);
  if (state !== undefined) return state.startsWith("28") || state === "3D000" || state === "42501";
  const code = stateText(cause) ?? "";
  if (/^(?:ERR_TLS_CERT|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_(?:GET|VERIFY|DECRYPT))/.test(code)) return true;
  return cause instanceof Error && /^SASL|does not support SSL|password must be a/.test(cause.message);
};

/** The server is stopping, starting or has no room: classes 08, 53 and 57. */
const isGone = (state: string): boolean => isLost(state) || state.startsWith("53");

/** The connection is of no more use: class 08, a server that stops or starts (57), or one that another has taken the place of and that only reads (25006). */
const isLost = (state: string): boolean => state === "25006" || state.startsWith("08") || state.startsWith("57");

/** Whether it may be back soon. */
const isAway = (cause: unknown): boolean => {
  if (cause instanceof FairleadError) return false;
  const state = sqlState(cause);
  return state === undefined ? !isRefusal(cause) : isGone(state);
};

/** A lost connection, a server that has just been stopped, a deadlock, a conflict. */
const mayPass = (cause: unknown): boolean => {
  if (cause instanceof FairleadError) return false;
  const state = sqlState(cause);
  if (state !== undefined) return state === "40P01" || state === "40001" || isLost(state);
  return (
    !isRefusal(cause) &&
    stateText(cause) !== "ECONNREFUSED" &&
    !(cause instanceof Error && cause.message.includes("timeout"))
  );
};

/** How `pg` reaches it. Throws a `FairleadError` for files that cannot be read. */
export const toClientConfig = (settings: PostgresSettings, env: Environment): ClientConfig => {
  const { host, port, database, user, passwordFile, tls } = settings;
  const password =
    env.FAIRLEAD_STORE_PASSWORD ??
    (passwordFile === undefined ? undefined : readSetting("passwordFile", passwordFile).trim());
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password }),
    application_name: "fairlead",
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    keepAlive: true,
    ssl: tls === undefined ? false : readTls(tls),
  };
};

const readTls = ({ caFile, certFile, keyFile }: NonNullable<PostgresSettings["tls"]>) => ({
  rejectUnauthorized: true,
  ...(caFile !== undefined && { ca: readSetting("tls.caFile", caFile) }),
  ...(certFile !== undefined && { cert: readSetting("tls.certFile", certFile) }),
  ...(keyFile !== undefined && { key: readSetting("tls.keyFile", keyFile) }),
});

/** What a file holds is in no message. */
const readSetting = (setting: string, path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new FairleadError(
      {
        code: "failed_precondition",
        message: `store.postgres.${setting} cannot be read: ${stateText(cause) ?? "it failed"} at ${path}`,
        hint: "name a file that this user can read",
      },
      { cause },
    );
  }
};
