/**
 * Rate and concurrency of one principal over all procedures: a token bucket, a count of calls, and one of open streams, so that streams
 * take no place from calls. Principals without a rate (loopback
 * without a token) never come here. Idle buckets are forgotten.
 */
import type { FairleadError } from "@fairlead/contracts";
import { defaultStreams, type Principal, type Rate } from "../call/call.ts";
import { failure } from "../call/error.ts";

interface Bucket {
  tokens: number;
  at: number;
  running: number;
  /** Open streams. */
  streams: number;
}

/** What a principal takes a place for. What is urgent needs none. */
export type RateUse = "call" | "stream" | "urgent";

const maxBuckets = 10_000;

export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /** Takes one call at `now` (milliseconds of a clock that never goes back); gives back how to end it, or the refusal. */
  take(principal: Principal, now: number, use: RateUse = "call"): { readonly leave: () => void } | FairleadError {
    const { rate } = principal;
    if (rate === undefined) return unlimited;
    const capacity = Math.max(1, rate.perSecond);
    const bucket = this.#bucket(principal.id, capacity, now);
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1_000) * rate.perSecond);
    bucket.at = now;
    const full = excess(principal.id, rate, { use, ...bucket });
    if (full !== undefined) return full;
    if (bucket.tokens < 1) {
      return failure("resource_exhausted", `${principal.id} exceeds its ${rate.perSecond} calls a second`, {
        hint: "slow down",
        retryAfterMs: Math.ceil(((1 - bucket.tokens) / rate.perSecond) * 1_000),
      });
    }
    bucket.tokens -= 1;
    const place = use === "stream" ? "streams" : "running";
    const places = use === "urgent" ? 0 : 1;
    bucket[place] += places;
    return {
      leave: () => {
        bucket[place] -= places;
      },
    };
  }

  #bucket(id: string, tokens: number, now: number): Bucket {
    const known = this.#buckets.get(id);
    if (known !== undefined) return known;
    if (this.#buckets.size >= maxBuckets) this.#forgetIdle(now);
    const fresh = { tokens, at: now, running: 0, streams: 0 };
    this.#buckets.set(id, fresh);
    return fresh;
  }

  #forgetIdle(now: number): void {
    for (const [id, bucket] of this.#buckets) {
      if (bucket.running === 0 && bucket.streams === 0 && now - bucket.at > 60_000) this.#buckets.delete(id);
    }
  }
}

const excess = (
  id: string,
  { concurrent, streams = defaultStreams }: Rate,
  bucket: { readonly use: RateUse; readonly running: number; readonly streams: number },
): FairleadError | undefined => {
  if (bucket.use === "call" && bucket.running >= concurrent) {
    return failure("resource_exhausted", `${id} has ${concurrent} calls running, which is its limit`, {
      hint: "wait for one to end",
      retryAfterMs: 100,
    });
  }
  if (bucket.use === "stream" && bucket.streams >= streams) {
    return failure("resource_exhausted", `${id} has ${streams} streams open, which is its limit`, {
      hint: "close a stream that is no longer read",
      retryAfterMs: 1_000,
    });
  }
  return undefined;
};

const unlimited = { leave: (): void => {} };
