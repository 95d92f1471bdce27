/**
 * What a schedule does next, by the clock on the wall, which may be set and may jump: the system sleeps, a virtual machine resumes. Pure.
 *
 * Not here: waiting, and starting the run (`schedules.ts`).
 */
import type { Cron } from "croner";

/** `last`: the tick that is due, or the time from which ticks count from now on. `waitMs`: milliseconds until the next tick. */
type ScheduleStep =
  | { readonly tag: "tick"; readonly last: Date }
  | { readonly tag: "wait"; readonly last: Date; readonly waitMs: number };

/** The next step of a schedule whose ticks up to `last` are done; `undefined` where no tick comes any more. */
export const nextStep = (clock: Cron, last: Date, now: Date): ScheduleStep | undefined => {
  // A clock that was ahead is set back: ticks count from now. One that comes again has the same key, so it is the same run.
  const since = last > now ? now : last;
  const next = clock.nextRun(since);
  if (next === null) return undefined;
  if (next > now) return { tag: "wait", last: since, waitMs: next.getTime() - now.getTime() };
  // After a night asleep one run is made, and not one for each tick of the night.
  const [latest] = clock.previousRuns(1, now);
  return { tag: "tick", last: latest !== undefined && latest > next ? latest : next };
};
