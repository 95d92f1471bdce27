/** The place of an error: which character of which text it points at, where what was thrown does not say so itself. */
import { LinqError } from "./error.ts";
import type { Resumable } from "./resumable.ts";

/** An error with its place, if it is ours and has none; a too large string or list is ours too. */
export const locateError = (error: unknown, at: number): unknown => {
  if (error instanceof LinqError) return error.at(at);
  if (error instanceof RangeError)
    return new LinqError("too_many_items", "A value became too large, or the expression too deep", { position: at });
  return error;
};

/** Runs something that pauses, and that may fail at a place in a text. */
export const locateStepsInText = function* <T>(text: string, work: () => Resumable<T>): Resumable<T> {
  try {
    return yield* work();
  } catch (error) {
    return locateInText(text, () => {
      throw error;
    });
  }
};

/** Runs something that may fail at a place in a text. */
export const locateInText = <T>(text: string, run: () => T): T => {
  try {
    return run();
  } catch (error) {
    const ours = locateError(error, 0);
    throw ours instanceof LinqError ? ours.within(text) : ours;
  }
};
