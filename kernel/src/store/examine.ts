/** What `fairlead doctor` finds of a store in PostgreSQL: whether it is reached, its version, the rights of its user, its clock, and how long it takes to answer. */
import type { PostgresSettings } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import type { OutsideView } from "../observe/outside-view.ts";
import { PostgresConnection, toClientConfig } from "./connection.ts";
import { quoted, refuseLoss } from "./schema.ts";

/** Versions that the suite was not run with are not refused. */
const leastVersion = 130_000;
/** Milliseconds that clocks may differ before it is said: nothing that is kept depends on it. */
const mostSkewMs = 5_000;
/** Milliseconds for an answer above which every keyed call is felt. */
const slowMs = 20;

interface ServerRow {
  readonly version: string;
  readonly number: number;
  readonly clock: number;
  readonly fsync: string;
  /** What is to be granted to its user, first to last; `null` where it may do what is needed: use the tables, or make them. */
  readonly missing: string | null;
}

/** The catalogue is asked by names: `to_regclass` fails for who may not use the schema. `$1` is its name, `$2` the same in quotes. */
const question = `
  SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
    (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS clock, current_setting('fsync') AS fsync,
    CASE
      WHEN space.oid IS NULL THEN
        CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
          THEN 'CREATE ON DATABASE ' || quote_ident(current_database()) END
      WHEN NOT has_schema_privilege(space.oid, 'USAGE') THEN 'USAGE ON SCHEMA ' || $2
      WHEN answers.oid IS NULL OR steps.oid IS NULL THEN
        CASE WHEN NOT has_schema_privilege(space.oid, 'CREATE') THEN 'CREATE ON SCHEMA ' || $2 END
      WHEN NOT (has_table_privilege(answers.oid, 'SELECT') AND has_table_privilege(answers.oid, 'INSERT')
        AND has_table_privilege(answers.oid, 'UPDATE') AND has_table_privilege(answers.oid, 'DELETE'))
        THEN 'SELECT, INSERT, UPDATE, DELETE ON ' || $2 || '.answers'
      WHEN NOT has_table_privilege(steps.oid, 'SELECT') THEN 'SELECT ON ' || $2 || '.steps'
    END AS missing
  FROM (SELECT 1) AS one
  LEFT JOIN pg_catalog.pg_namespace AS space ON space.nspname = $1
  LEFT JOIN pg_catalog.pg_class AS answers ON answers.relnamespace = space.oid AND answers.relname = 'answers'
  LEFT JOIN pg_catalog.pg_class AS steps ON steps.relnamespace = space.oid AND steps.relname = 'steps'`;

/** Throws a `FairleadError` where it cannot be reached or refuses the kernel. Changes nothing there. */
export const examinePostgres = async (settings: PostgresSettings, env: Environment): Promise<OutsideView> => {
  const connection = new PostgresConnection(toClientConfig(settings, env), refuseLoss);
  try {
    const schema = quoted(settings.schema);
    const names = [settings.schema, schema];
    await connection.ask<ServerRow>(question, names);
    const began = performance.now();
    const [row] = await connection.ask<ServerRow>(question, names);
    const milliseconds = performance.now() - began;
    if (row === undefined) return { detail: "it has answered nothing", problems: [] };
    const skew = Math.abs(row.clock - Date.now());
    const found = (is: boolean, problem: OutsideView["problems"][number]) => (is ? [problem] : []);
    return {
      detail: `PostgreSQL ${row.version} at ${settings.host}:${settings.port}, answers in ${milliseconds.toFixed(1)} ms`,
      problems: [
        ...found(row.missing !== null, {
          isFatal: true,
          detail: `${settings.user} may not make or use the tables in the schema ${schema}`,
          fix: `GRANT ${row.missing} TO ${quoted(settings.user)}`,
        }),
        ...found(row.fsync === "off", {
          isFatal: true,
          detail: "fsync is off: answers that were acknowledged are lost with the server's machine",
          fix: "set fsync = on in its postgresql.conf",
        }),
        ...found(row.number < leastVersion, {
          isFatal: false,
          detail: `version ${row.version} is older than any that was tried`,
          fix: "use PostgreSQL 13 or newer; the suite runs with 15",
        }),
        ...found(skew > mostSkewMs, {
          isFatal: false,
          detail: `its clock and this machine's differ by ${Math.round(skew / 1_000)} s`,
          fix: "set the clocks of both by NTP",
        }),
        ...found(milliseconds > slowMs, {
          isFatal: false,
          detail: `it takes ${milliseconds.toFixed(0)} ms to answer, and a keyed call asks it twice`,
          fix: "run it near the kernels",
        }),
      ],
    };
  } finally {
    await connection.close();
  }
};
