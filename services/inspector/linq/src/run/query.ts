/** A query on its own: texts in, rows out. */
import type { Settings } from "../bind/expression.ts";
import { checkQuery, type QueryText } from "../bind/query.ts";
import { finished, type Turns } from "../core/turns.ts";
import { prepare } from "./prepare.ts";
import { type QueryResult, run } from "./run.ts";

/** Checks and runs a query; it may be left alone between two steps. Throws `QueryError`. */
export const startQuery = function* (query: QueryText, settings: Settings): Turns<QueryResult> {
  const checked = checkQuery(query, settings);
  yield;
  const prepared = prepare(checked);
  yield;
  return yield* run(prepared);
};

/** The same in one go. */
export const runQuery = (query: QueryText, settings: Settings): QueryResult => finished(startQuery(query, settings));
