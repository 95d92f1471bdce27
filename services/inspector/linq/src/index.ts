/**
 * Dynamic LINQ, read-only: one grammar for single expressions and for queries over collections. Pure; values are read through
 * the `HostAccess` that is passed in, and nothing else is reached.
 */

export {
  type CheckedExpression,
  type CheckedOrdering,
  check,
  checkOrdering,
  contextFor,
  type EvaluationSettings,
  rootScope,
  rowScope,
} from "./bind/expression.ts";
export { type CheckedQuery, checkQuery, defaultTake, type QueryOutline, type QueryText } from "./bind/query.ts";
export type { BoundNode } from "./bind/tree/bound.ts";
export type { Argument } from "./bind/tree/context.ts";
export { compileToEnd as compile } from "./closures/compile-long.ts";
export { type ErrorCode, errorCodes, fault, LinqError } from "./core/error.ts";
export {
  type CompiledCode as Code,
  type ElapsedClock as Clock,
  Frame,
  type PauseBudget,
  runCode,
} from "./core/frame.ts";
export { defaultLimits, type Limits } from "./core/limits.ts";
export { locateInText, locateStepsInText } from "./core/place.ts";
export { locateInPart, locateStepsInPart, QueryError, type QueryPart } from "./core/query-error.ts";
export { type Resumable, runToEnd } from "./core/resumable.ts";
export { didYouMean, nearest } from "./core/suggest.ts";
export { type EvaluationResult, evaluate, startEvaluation } from "./run/evaluate.ts";
export { executeQuery } from "./run/execute.ts";
export { type QueryCode, readRows } from "./run/prepared-query.ts";
export { runQuery, startQuery } from "./run/query.ts";
export type { QueryResult } from "./run/row-sink.ts";
export type { Node } from "./syntax/ast.ts";
export { parse } from "./syntax/parser.ts";
export { print } from "./syntax/printer.ts";
export { predefinedType, scopeWords } from "./syntax/words.ts";
export * from "./type/host.ts";
export { type PlainHostOptions, plainHost } from "./type/plain-host.ts";
export * from "./type/type.ts";
