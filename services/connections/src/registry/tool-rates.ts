/** How often tools may be called whose policy says so: in whatever minute one looks at, no more often than that. Pure but for the clock. */

const minuteMs = 60_000;

/** When calls were let through, in their order; those before `first` are out of date. */
interface Calls {
  readonly times: number[];
  first: number;
}

export class ToolRates {
  readonly #now: () => number;
  readonly #calls = new Map<string, Calls>();

  /** @param now milliseconds on a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a call; or the milliseconds until one may be made. */
  take(tool: string, perMinute: number): number {
    const at = this.#now();
    const calls = this.#calls.get(tool) ?? { times: [], first: 0 };
    this.#calls.set(tool, calls);
    dropBefore(calls, at - minuteMs);
    const { times, first } = calls;
    if (times.length - first < perMinute) {
      times.push(at);
      return 0;
    }
    // The rate may have been lowered: so many of the oldest have to be out of date.
    const oldest = times[times.length - perMinute] ?? at;
    return Math.max(1, Math.ceil(oldest + minuteMs - at));
  }
}

/** Those that are out of date are cut off when they are the half: each call is moved once on average. */
const dropBefore = (calls: Calls, last: number): void => {
  const { times } = calls;
  while ((times[calls.first] ?? Number.POSITIVE_INFINITY) <= last) calls.first += 1;
  if (calls.first * 2 < times.length) return;
  times.splice(0, calls.first);
  calls.first = 0;
};
