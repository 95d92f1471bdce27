/**
 * Dynamic LINQ, read-only: one grammar for single expressions and for queries over collections. Pure; values are read through
 * the `HostAccess` it is given and nothing else is reached.
 */
export { type ErrorCode, errorCodes, LinqError } from "./error.ts";
export { type Evaluated, evaluate, type Settings } from "./evaluate.ts";
export type { Clock } from "./frame.ts";
export { glob, isPattern } from "./glob.ts";
export * from "./host.ts";
export { defaultLimits, type Limits } from "./limits.ts";
export { parse } from "./parser.ts";
export { print } from "./printer.ts";
export { QueryError, type QueryPart } from "./query/part.ts";
export { defaultTake, type QueryText } from "./query/plan.ts";
export { runQuery, startQuery } from "./query/query.ts";
export type { QueryResult } from "./query/run.ts";
export { didYouMean, nearest } from "./suggest.ts";
export { type Type, typeName } from "./type.ts";
