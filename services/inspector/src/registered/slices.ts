/**
 * A question that gives the thread back between slices. A slice ends at the first step beyond its time. A step that blocks the thread for
 * longer than any may, host's code and all, is ended from outside, and the question with it: nothing of the host runs twice for one answer.
 */
import { LinqError, type Resumable } from "@fairlead/linq";
import { runWithTimeLimit } from "../host/time-limit.ts";

/** Runs the next slice, which ends at a step after so many milliseconds; undefined while there is more to do. */
export type Slice<T> = (ms: number) => { readonly value: T } | undefined;

interface SliceOptions<T> {
  /** Milliseconds that one slice may block the thread at most. */
  readonly holdMs: number;
  /** The outcome of work that was ended. */
  readonly failed: (error: LinqError) => T;
}

export const createSlices =
  <T>(work: Resumable<T>, { holdMs, failed }: SliceOptions<T>): Slice<T> =>
  (ms) => {
    try {
      return runWithTimeLimit(holdMs, () => runSlice(work, ms));
    } catch (error) {
      if (!(error instanceof LinqError)) throw error;
      return { value: failed(error) };
    }
  };

const runSlice = <T>(work: Resumable<T>, ms: number): ReturnType<Slice<T>> => {
  const until = performance.now() + ms;
  let othersRan = true;
  do {
    const step = work.next(othersRan);
    if (step.done === true) return { value: step.value };
    othersRan = false;
  } while (performance.now() < until);
  return undefined;
};
