/**
 * Jobs that are started in the transaction of what they are about: a table in the service's own database. What is committed is relayed to the
 * kernel's runs, once each, by key; what is rolled back never was. A relay that was cut off in the middle sends again, and finds that run.
 *
 * Not here: the runs (`runs/`).
 */
import { randomUUID } from "node:crypto";
import { type Contract, decoder, FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { issuesText } from "../limits/output-size.ts";
import type { Host } from "../service/host.ts";
import { startBackground } from "./background.ts";
import { findJob, type JobInput, type JobName, type JobRequest, makeStartJob, mayPass } from "./start-job.ts";

/** The part of a connection of better-sqlite3 that an outbox uses. */
export interface JobDatabase {
  readonly inTransaction: boolean;
  exec(sql: string): unknown;
  prepare(sql: string): {
    run(...values: unknown[]): unknown;
    all(...values: unknown[]): unknown[];
  };
}

/** How a job is started. */
export interface JobOptions {
  /** At most one job of a procedure with that key, while its run is kept (seven days after its end). Default: a new one each time. */
  readonly key?: string;
}

/** The outbox of one service. */
export interface JobOutbox<C extends Contract> {
  /** Notes a job in the present transaction of the database, or by itself where there is none. Throws for an input that does not fit. */
  enqueue<N extends JobName<C>>(procedure: N, input: JobInput<C, N>, options?: JobOptions): void;
  /** Ends the relay; what is left is relayed at the next start. Before the database is closed. */
  close(): Promise<void>;
}

/** What an outbox belongs to: the service's host, and its own connection. */
interface OutboxParts {
  readonly host: Host;
  readonly database: JobDatabase;
}

interface OutboxRow {
  readonly id: number;
  readonly procedure: string;
  readonly input: string;
  readonly key: string;
}

/** Rows that are relayed before the table is looked at again. */
const batch = 100;

/** How soon a transaction that is open on the connection is looked at again. */
const openPause = "10 millis";

/** How soon a kernel is tried again that takes no runs, or a database that fails: one second, two, up to half a minute. */
const again = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")]);

/** Opens the outbox of a service in its database: makes the table where there is none, and relays what an earlier run left. */
export const openOutbox = <C extends Contract>(contract: C, { host, database }: OutboxParts): JobOutbox<C> => {
  database.exec(`CREATE TABLE IF NOT EXISTS fairlead_outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    procedure TEXT NOT NULL,
    input TEXT NOT NULL,
    key TEXT NOT NULL,
    error TEXT
  ) STRICT`);
  const insert = database.prepare("INSERT INTO fairlead_outbox (procedure, input, key) VALUES (?, ?, ?)");
  const select = database.prepare(
    `SELECT id, procedure, input, key FROM fairlead_outbox WHERE error IS NULL ORDER BY id LIMIT ${batch}`,
  );
  const remove = database.prepare("DELETE FROM fairlead_outbox WHERE id = ?");
  const refuse = database.prepare("UPDATE fairlead_outbox SET error = ? WHERE id = ?");
  const start = makeStartJob(host);

  const relay = ({ id, procedure, input, key }: OutboxRow): Effect.Effect<void, FairleadError> =>
    Effect.gen(function* () {
      const request = Effect.try({
        try: (): JobRequest => ({ procedure: `${contract.id}.${procedure}`, input: JSON.parse(input), key }),
        catch: (cause) => new FairleadError({ code: "invalid_argument", message: `its input: ${String(cause)}` }),
      });
      const started = Effect.flatMap(request, start);
      const refusal = yield* Effect.match(started, { onSuccess: () => undefined, onFailure: (error) => error });
      if (refusal === undefined) return yield* fromDatabase(() => void remove.run(id));
      if (mayPass(refusal)) return yield* Effect.fail(refusal);
      const error = refusal.toJSON();
      host.log("error", "a job cannot be started, and stays in the outbox", { procedure, id, error });
      return yield* fromDatabase(() => void refuse.run(refusal.message, id));
    });

  /** Rows of a transaction that is open on this connection are seen by it, and may never be. */
  const committed = Effect.gen(function* () {
    while (database.inTransaction) yield* Effect.sleep(openPause);
    return yield* fromDatabase(() => select.all() as OutboxRow[]);
  });

  const relayAll = Effect.gen(function* () {
    for (let rows = yield* committed; rows.length > 0; rows = yield* committed)
      for (const row of rows) yield* relay(row);
  });

  const relayed = relayAll.pipe(
    Effect.tapError((error) =>
      Effect.sync(() => host.log("warn", "jobs wait in the outbox, and are tried again", { error: error.toJSON() })),
    ),
    Effect.retry({ schedule: again }),
  );
  const relaying = host.stays ? startBackground((woken) => Effect.forever(Effect.andThen(relayed, woken))) : undefined;

  return {
    enqueue: (procedure, input, { key = `outbox:${randomUUID()}` } = {}) => {
      const decoded = decoder(findJob(contract, procedure).input)(input);
      if (!decoded.ok)
        throw new TypeError(`the input of the job ${procedure} does not fit: ${issuesText(decoded.issues, input)}`);
      insert.run(procedure, JSON.stringify(input), key);
      relaying?.wake();
    },
    close: () => relaying?.close() ?? Promise.resolve(),
  };
};

/** Work on the database; what it throws is tried again. */
const fromDatabase = <T>(work: () => T): Effect.Effect<T, FairleadError> =>
  Effect.try({
    try: work,
    catch: (cause) => new FairleadError({ code: "internal", message: `the outbox: ${String(cause)}` }, { cause }),
  });
