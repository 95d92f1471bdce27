/** How often tools may be called whose policy says so: as many at once as in a minute, and then evenly. Pure but for the clock. */

interface Bucket {
  readonly left: number;
  readonly at: number;
}

const minuteMs = 60_000;

export class ToolRates {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  /** @param now milliseconds on a clock that never goes back */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Takes a call; or the milliseconds until one may be made. */
  take(tool: string, perMinute: number): number {
    const at = this.#now();
    const before = this.#buckets.get(tool) ?? { left: perMinute, at };
    const left = Math.min(perMinute, before.left + ((at - before.at) * perMinute) / minuteMs);
    if (left < 1) return Math.ceil(((1 - left) * minuteMs) / perMinute);
    this.#buckets.set(tool, { left: left - 1, at });
    return 0;
  }
}
