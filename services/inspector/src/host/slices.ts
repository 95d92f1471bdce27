/**
 * A question that gives the thread back between slices. A slice ends at the first step beyond half its time, and is ended from outside,
 * host's code and all, when a single step takes the whole. What was asked changes nothing, so a slice that the machine did not let
 * run is no failure: the question begins anew.
 */
import { LinqError } from "../linq/error.ts";
import type { Turns } from "../linq/turns.ts";
import { timed } from "./timed.ts";

/** Runs the next slice of at most so many milliseconds; undefined while there is more to do. */
export type Slice<T> = (ms: number) => { readonly value: T } | undefined;

/** How often a question begins anew, each time with twice as much time for the machine to let it run. */
const patience = 6;

/** Milliseconds of the processor that this thread has used. */
const used = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

export const sliced = <T>(begin: () => Turns<T>, failed: (error: LinqError) => T): Slice<T> => {
  let work = begin();
  let restarts = 0;
  return (ms) => {
    const before = used();
    try {
      return timed(ms * 2 ** restarts, () => untilHalf(work, ms));
    } catch (error) {
      if (!(error instanceof LinqError)) throw error;
      const isStalled = error.code === "deadline" && used() - before < ms * 0.9;
      if (!isStalled || restarts === patience) return { value: failed(error) };
      restarts++;
      work = begin();
      return undefined;
    }
  };
};

const untilHalf = <T>(work: Turns<T>, ms: number): ReturnType<Slice<T>> => {
  const until = performance.now() + ms / 2;
  do {
    const step = work.next();
    if (step.done === true) return { value: step.value };
  } while (performance.now() < until);
  return undefined;
};
