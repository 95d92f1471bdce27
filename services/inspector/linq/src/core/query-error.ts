/** Errors of a query: they say which of its texts they are in. */

import { LinqError } from "./error.ts";
import type { CompiledExpression } from "./frame.ts";

export type QueryPart = "from" | "where" | "select" | "orderBy" | "groupBy";

/** An error of a query, with the part it is in. */
export class QueryError extends LinqError {
  readonly part: QueryPart;

  constructor(part: QueryPart, cause: LinqError) {
    super(cause.code, cause.message, {
      position: cause.position,
      length: cause.length,
      hint: cause.hint,
      ...(cause.text === undefined ? {} : { text: cause.text }),
    });
    this.part = part;
  }
}

/** Runs something of one part; its errors say so. */
export const locateInPart = <T>(part: QueryPart, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    throw error instanceof LinqError && !(error instanceof QueryError) ? new QueryError(part, error) : error;
  }
};

/** A part's code whose errors name the part and its text. */
export const locateCode =
  (part: QueryPart, text: string, code: CompiledExpression): CompiledExpression =>
  (frame) => {
    try {
      return code(frame);
    } catch (error) {
      return locateInPart(part, () => {
        throw error instanceof LinqError ? error.within(text) : error;
      });
    }
  };
