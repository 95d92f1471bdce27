/** What `fairlead doctor` finds of a store in PostgreSQL: whether it is reached, its version, the rights of its user, its clock, and how long it takes to answer. */
import type { PostgresSettings } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import type { OutsideView } from "../observe/outside-view.ts";
import { PostgresConnection, toClientConfig } from "./connection.ts";
import { refuseLoss } from "./schema.ts";

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
  /** Whether the tables are there. */
  readonly there: boolean;
  /** Whether its user may do what is needed: use the tables, or make them. */
  readonly may: boolean;
}

/** Throws a `FairleadError` where it cannot be reached or refuses the kernel. Changes nothing there. */
export const examinePostgres = async (settings: PostgresSettings, env: Environment): Promise<OutsideView> => {
  const connection = new PostgresConnection(toClientConfig(settings, env), refuseLoss);
  try {
    const table = `"${settings.schema}".answers`;
    const question = `
      SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number,
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS clock, current_setting('fsync') AS fsync,
        to_regclass($1) IS NOT NULL AS there,
        CASE WHEN to_regclass($1) IS NULL
          THEN has_database_privilege(current_database(), 'CREATE')
          ELSE has_table_privilege(to_regclass($1), 'SELECT') AND has_table_privilege(to_regclass($1), 'INSERT')
            AND has_table_privilege(to_regclass($1), 'UPDATE') AND has_table_privilege(to_regclass($1), 'DELETE')
        END AS may`;
    await connection.ask<ServerRow>(question, [table]);
    const began = performance.now();
    const [row] = await connection.ask<ServerRow>(question, [table]);
    const milliseconds = performance.now() - began;
    if (row === undefined) return { detail: "it has answered nothing", problems: [] };
    const skew = Math.abs(row.clock - Date.now());
    const found = (is: boolean, problem: OutsideView["problems"][number]) => (is ? [problem] : []);
    return {
      detail: `PostgreSQL ${row.version} at ${settings.host}:${settings.port}, answers in ${milliseconds.toFixed(1)} ms`,
      problems: [
        ...found(!row.may, {
          isFatal: true,
          detail: `${settings.user} may not ${row.there ? `read and write ${table}` : `make the schema "${settings.schema}"`}`,
          fix: row.there
            ? `GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO "${settings.user}"`
            : `GRANT CREATE ON DATABASE "${settings.database}" TO "${settings.user}"`,
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
