/**
 * A question that gives the thread back between slices. A slice ends at the first step beyond a quarter of its time, and is ended from
 * outside, host's code and all, when a step takes the whole. What was asked changes nothing, so it can begin anew: with more time where the
 * machine did not let the thread run, with the same where it did, since what runs for the first time is slow.
 */
import { LinqError } from "../linq/error.ts";
import type { Turns } from "../linq/turns.ts";
import { timed } from "./timed.ts";

/** Runs the next slice of at most so many milliseconds; undefined while there is more to do. */
export type Slice<T> = (ms: number) => { readonly value: T } | undefined;

/** How often a question begins anew because the machine stood still, each time with twice as much wall time. */
const stalls = 6;
/** How often it does because the processor's time was used up. */
const overruns = 4;

/** Milliseconds of the processor that this thread has used. */
const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

export const sliced = <T>(begin: () => Turns<T>, failed: (error: LinqError) => T): Slice<T> => {
  let work = begin();
  let stalled = 0;
  let overrun = 0;
  return (ms) => {
    const before = used();
    try {
      return timed(ms * 2 ** stalled, () => untilQuarter(work, ms));
    } catch (error) {
      if (!(error instanceof LinqError)) throw error;
      if (error.code !== "deadline") return { value: failed(error) };
      if (used() - before < ms * 0.9) stalled++;
      else overrun++;
      if (stalled > stalls || overrun > overruns) return { value: failed(error) };
      work = begin();
      return undefined;
    }
  };
};

const untilQuarter = <T>(work: Turns<T>, ms: number): ReturnType<Slice<T>> => {
  const until = performance.now() + ms / 4;
  let othersRan = true;
  do {
    const step = work.next(othersRan);
    if (step.done === true) return { value: step.value };
    othersRan = false;
  } while (performance.now() < until);
  return undefined;
};
