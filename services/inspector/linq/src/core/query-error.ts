/** Errors of a query: they say which of its texts they are in. */

import { LinqError } from "./error.ts";
import type { CompiledCode } from "./frame.ts";
import type { Resumable } from "./resumable.ts";

export type QueryPart = "from" | "where" | "select" | "orderBy" | "groupBy" | "having";

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

/** The same of something that pauses. */
export const locateStepsInPart = function* <T>(part: QueryPart, work: () => Resumable<T>): Resumable<T> {
  try {
    return yield* work();
  } catch (error) {
    return locateInPart(part, () => {
      throw error;
    });
  }
};

const within = (part: QueryPart, text: string, error: unknown): never =>
  locateInPart(part, () => {
    throw error instanceof LinqError ? error.within(text) : error;
  });

/** A part's code whose errors name the part and its text. */
export const locateCode = (part: QueryPart, text: string, code: CompiledCode): CompiledCode => {
  if (code.isLong)
    return {
      isLong: true,
      *run(frame) {
        try {
          return yield* code.run(frame);
        } catch (error) {
          return within(part, text, error);
        }
      },
    };
  return {
    isLong: false,
    run: (frame) => {
      try {
        return code.run(frame);
      } catch (error) {
        return within(part, text, error);
      }
    },
  };
};
