/**
 * The tables of a store on PostgreSQL, made by the kernel that comes first. Later versions add steps; a kernel that finds more steps than it knows does not
 * write.
 */
import { FairleadError } from "@fairlead/contracts";
import type { Ask } from "./connection.ts";

const steps = [
  `CREATE TABLE SCHEMA.answers (
     name text COLLATE "C" PRIMARY KEY,
     principal text NOT NULL,
     procedure text NOT NULL,
     key text NOT NULL,
     input text NOT NULL,
     kernel uuid NOT NULL,
     number bigint NOT NULL,
     reply text,
     at timestamptz NOT NULL DEFAULT now()
   )`,
  "CREATE INDEX answers_at ON SCHEMA.answers (at)",
];

/** Any number, the same for all kernels: one makes tables at a time. */
const lock = 7_261_942;

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Tables that belong together, and where it is kept how far they are. */
export interface TableSteps {
  readonly table: string;
  /** Each is run once, in order. `SCHEMA` is the quoted name of the schema. */
  readonly steps: readonly string[];
}

const answerSteps: TableSteps = { table: "steps", steps };

/** Makes what is missing. Runs on each new connection, and asks once where all is there. */
export const prepareSchema = async (ask: Ask, name: string, wanted = answerSteps): Promise<void> => {
  const { table, steps: all } = wanted;
  await refuseLoss(ask);
  const schema = quoted(name);
  const [there] = await ask<{ readonly found: string | null }>("SELECT to_regclass($1)::text AS found", [
    `${schema}.${table}`,
  ]);
  if (there?.found != null && (await countSteps(ask, schema, table)) === all.length) return;
  await ask("BEGIN");
  try {
    await ask("SELECT pg_advisory_xact_lock($1)", [lock]);
    // Even for one that is there it would need the right to make others.
    const [own] = await ask<{ readonly found: boolean }>("SELECT to_regnamespace($1) IS NOT NULL AS found", [schema]);
    if (own?.found !== true) await ask(`CREATE SCHEMA ${schema}`);
    await ask(
      `CREATE TABLE IF NOT EXISTS ${schema}.${table} (step int PRIMARY KEY, at timestamptz NOT NULL DEFAULT now())`,
    );
    const done = await countSteps(ask, schema, table);
    if (done > all.length) throw tooNew(name);
    for (const [at, step] of all.entries()) {
      if (at < done) continue;
      await ask(step.replaceAll("SCHEMA", schema));
      await ask(`INSERT INTO ${schema}.${table} (step) VALUES ($1)`, [at + 1]);
    }
    await ask("COMMIT");
  } catch (cause) {
    // Where the connection is lost, the server does so by itself.
    await ask("ROLLBACK").catch(() => undefined);
    throw cause;
  }
};

const countSteps = async (ask: Ask, schema: string, table: string): Promise<number> => {
  const [row] = await ask<{ readonly count: number }>(`SELECT count(*)::int AS count FROM ${schema}.${table}`);
  return row?.count ?? 0;
};

/** What is acknowledged has to be on the disk of the server, and every character of an answer has to have a place there. */
export const refuseLoss = async (ask: Ask): Promise<void> => {
  const [row] = await ask<{ readonly commit: string; readonly encoding: string }>(
    "SELECT current_setting('synchronous_commit') AS commit, current_setting('server_encoding') AS encoding",
  );
  if (row?.commit === "off")
    throw new FairleadError({
      code: "failed_precondition",
      message: "PostgreSQL acknowledges what it may lose: synchronous_commit is off for this user",
      hint: "ALTER ROLE <user> SET synchronous_commit = on",
    });
  if (row !== undefined && row.encoding !== "UTF8")
    throw new FairleadError({
      code: "failed_precondition",
      message: `the database keeps texts in ${row.encoding}, which has no place for many characters of answers`,
      hint: "CREATE DATABASE <name> ENCODING 'UTF8' TEMPLATE template0, and name it in `store.postgres.database`",
    });
};

const tooNew = (name: string): FairleadError =>
  new FairleadError({
    code: "failed_precondition",
    message: `the tables in the schema ${name} were made by a later version of Fairlead`,
    hint: "use that version on all machines, or another schema",
  });
