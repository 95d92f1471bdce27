/**
 * Dynamic LINQ, read-only: one grammar for single expressions and for queries over collections. Pure; values are read through
 * the `HostAccess` it is given and nothing else is reached.
 */

export {
  type Checked,
  type CheckedKey,
  check,
  checkOrdering,
  contextFor,
  rootScope,
  rowScope,
  type Settings,
} from "./bind/expression.ts";
export { type CheckedQuery, checkQuery, defaultTake, type Outline, type QueryText } from "./bind/query.ts";
export type { Bound } from "./bind/tree/bound.ts";
export type { Argument } from "./bind/tree/context.ts";
export { compile } from "./closures/compile.ts";
export { type ErrorCode, errorCodes, fault, LinqError } from "./core/error.ts";
export { type Clock, type Code, Frame } from "./core/frame.ts";
export { defaultLimits, type Limits } from "./core/limits.ts";
export { inText } from "./core/place.ts";
export { inPart, QueryError, type QueryPart } from "./core/query-error.ts";
export { didYouMean, nearest } from "./core/suggest.ts";
export { finished, type Turns } from "./core/turns.ts";
export { type Evaluated, evaluate } from "./run/evaluate.ts";
export { runQuery, startQuery } from "./run/query.ts";
export { type QueryResult, run } from "./run/run.ts";
export { type Parts, rowsOf } from "./run/runnable.ts";
export type { Node } from "./syntax/ast.ts";
export { parse } from "./syntax/parser.ts";
export { print } from "./syntax/printer.ts";
export { predefinedType, scopeWords } from "./syntax/words.ts";
export * from "./type/host.ts";
export * from "./type/type.ts";
