/** A query on its own: texts in, rows out. */
import type { EvaluationSettings } from "../bind/expression.ts";
import { checkQuery, type QueryText } from "../bind/query.ts";
import { type Resumable, runToEnd } from "../core/resumable.ts";
import { executeQuery } from "./execute.ts";
import { prepare } from "./prepare.ts";
import type { QueryResult } from "./row-sink.ts";

/** Checks and runs a query; it may be left alone between two steps. Throws `QueryError`. */
export const startQuery = function* (query: QueryText, settings: EvaluationSettings): Resumable<QueryResult> {
  const checked = checkQuery(query, settings);
  yield;
  const prepared = yield* prepare(checked);
  return yield* executeQuery(prepared);
};

/** The same in one go. */
export const runQuery = (query: QueryText, settings: EvaluationSettings): QueryResult =>
  runToEnd(startQuery(query, settings));
