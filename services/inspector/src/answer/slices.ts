/**
 * A question that gives the thread back between slices. A slice ends at the first step beyond its time. A step that blocks the thread for
 * longer than any may, host's code and all, is ended from outside, and the question with it: nothing of the host runs twice for one answer.
 */
import { LinqError, type Resumable } from "@fairlead/linq";
import { runWithTimeLimit } from "../host/time-limit.ts";
import type { Slice } from "../protocol/registered-inspector.ts";
import { runSlice, type SliceClock } from "./slice-clock.ts";

interface SliceOptions<T> {
  /** The time of the work, which asks it whether to pause. */
  readonly clock: SliceClock;
  /** Milliseconds that one slice may block the thread at most. */
  readonly holdMs: number;
  /** The outcome of work that was ended. */
  readonly failed: (error: LinqError) => T;
}

export const createSlices =
  <T>(work: Resumable<T>, { clock, holdMs, failed }: SliceOptions<T>): Slice<T> =>
  (ms) => {
    clock.begin(ms);
    try {
      return runWithTimeLimit(holdMs, () => runSlice(work, clock));
    } catch (error) {
      if (!(error instanceof LinqError)) throw error;
      return { value: failed(error) };
    } finally {
      clock.end();
    }
  };
