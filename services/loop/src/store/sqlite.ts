/** better-sqlite3, loaded when the first database is opened: a start that opens none does not pay for it. */
import { createRequire } from "node:module";
import type BetterSqlite3 from "better-sqlite3";

const load = createRequire(import.meta.url);

export const sqlite = (): typeof BetterSqlite3 => load("better-sqlite3");
