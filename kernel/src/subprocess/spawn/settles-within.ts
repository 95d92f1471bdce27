/** Waiting with an end: whether something happens within so many milliseconds. */
import { setTimeout as pause } from "node:timers/promises";

/** True when the promise settled in time. */
export const settlesWithin = async (promise: Promise<unknown>, ms: number): Promise<boolean> => {
  const stop = new AbortController();
  const late = pause(ms, false, { signal: stop.signal }).catch(() => false);
  const settled = await Promise.race([promise.then(() => true), late]);
  stop.abort();
  return settled;
};
