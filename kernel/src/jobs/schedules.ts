/**
 * Jobs by the clock on the wall: cron expressions, each tick one run, whatever kernel is there at that time. Ticks that were missed while no
 * kernel ran, or while the system slept, are made up for once, by the latest of them; those before a schedule was there are none.
 *
 * Not here: what an expression means (croner), what is next by the clock (`next-step.ts`), which tick was the last (`last-ticks.ts`).
 */
import type { Contract } from "@fairlead/contracts";
import { Cron } from "croner";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import type { Host } from "../service/host.ts";
import { startBackground } from "./background.ts";
import { openLastTicks } from "./last-ticks.ts";
import { nextStep } from "./next-step.ts";
import { findJob, type JobInput, type JobName, makeStartJob, mayPass } from "./start-job.ts";

/** When a job is started, and with what. */
export type JobSchedule<C extends Contract> = {
  readonly [N in JobName<C>]: {
    /** Five fields, or six with seconds: `0 3 * * *` is every day at three. */
    readonly cron: string;
    /** IANA name, like `Europe/Berlin`. Default `UTC`. */
    readonly timeZone?: string;
    readonly procedure: N;
    readonly input: JobInput<C, N>;
    /** Start the latest tick that was missed since the schedule was first there, while no kernel ran. Default true. */
    readonly catchUp?: boolean;
  };
}[JobName<C>];

/** The schedules of a service at work. */
export interface JobSchedules {
  /** The next tick of each, by name; null for one that has none. */
  next(): Readonly<Record<string, Date | null>>;
  /** Ends them. */
  close(): Promise<void>;
}

/** A clock is looked at this often at least: the one on the wall may be set, and the system may sleep. */
const mostSleepMs = 60_000;

const again = Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")]);

/**
 * Begins with the schedules of a service, by name; the name is in the key of each run, so keep it. Throws for an expression or a time zone that is
 * none. The last tick of each is kept in the service's state folder. In a kernel that ends with its caller nothing is started.
 */
export const openSchedules = <C extends Contract>(
  contract: C,
  host: Host,
  schedules: Readonly<Record<string, JobSchedule<C>>>,
): JobSchedules => {
  const start = makeStartJob(host);
  for (const { cron, timeZone = "UTC", procedure } of Object.values(schedules)) {
    findJob(contract, procedure);
    // An unknown time zone is found at the first use.
    new Cron(cron, { timezone: timeZone, paused: true }).nextRun();
  }
  const lastTicks = host.stays ? openLastTicks(host.stateDir()) : undefined;
  const opened = Object.entries(schedules).map(
    ([name, { cron, timeZone = "UTC", procedure, input, catchUp = true }]) => {
      const clock = new Cron(cron, { timezone: timeZone, paused: true });
      /** A tick that is not noted is started again by the next kernel, with the same key. */
      const done = (at: Date): Effect.Effect<void> =>
        Effect.try({ try: () => lastTicks?.store(name, at), catch: String }).pipe(
          Effect.catch((error) =>
            Effect.sync(() => host.log("error", "the last tick cannot be stored", { schedule: name, error })),
          ),
        );

      const tick = (at: Date): Effect.Effect<void> =>
        start({ procedure: `${contract.id}.${procedure}`, input, key: `schedule:${name}:${at.toISOString()}` }).pipe(
          Effect.retry({ schedule: again, while: mayPass }),
          Effect.catch((error) =>
            Effect.sync(() =>
              host.log("error", "a scheduled job cannot be started", { schedule: name, error: error.toJSON() }),
            ),
          ),
          Effect.andThen(done(at)),
        );

      const before = lastTicks?.find(name);
      const follow = Effect.gen(function* () {
        let last = before ?? new Date();
        if (!catchUp) {
          const [missed] = clock.previousRuns(1, new Date());
          if (missed !== undefined && missed > last) yield* done(missed);
          last = new Date();
        }
        for (;;) {
          const step = nextStep(clock, last, new Date());
          if (step === undefined) return;
          last = step.last;
          if (step.tag === "tick") yield* tick(step.last);
          else yield* Effect.sleep(Math.min(mostSleepMs, step.waitMs));
        }
      });
      return { name, clock, following: host.stays ? startBackground(() => follow) : undefined };
    },
  );
  return {
    next: () => Object.fromEntries(opened.map(({ name, clock }) => [name, clock.nextRun()])),
    close: () => Promise.all(opened.map(({ following }) => following?.close())).then(() => lastTicks?.close()),
  };
};
