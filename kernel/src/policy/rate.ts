/**
 * Rate and concurrency of one principal over all procedures: a token bucket and a count. Principals without a rate (loopback
 * without a token) never come here. Idle buckets are forgotten.
 */
import type { FairleadError } from "@fairlead/contracts";
import type { Principal } from "../call/call.ts";
import { failure } from "../call/error.ts";

interface Bucket {
  tokens: number;
  at: number;
  running: number;
}

const maxBuckets = 10_000;

export class Rates {
  readonly #buckets = new Map<string, Bucket>();

  /** Takes one call at `now` (milliseconds of a clock that never goes back); gives back how to end it, or the refusal. */
  take(principal: Principal, now: number): { readonly leave: () => void } | FairleadError {
    const { rate } = principal;
    if (rate === undefined) return unlimited;
    const capacity = Math.max(1, rate.perSecond);
    const bucket = this.#bucket(principal.id, capacity, now);
    bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1_000) * rate.perSecond);
    bucket.at = now;
    if (bucket.running >= rate.concurrent) {
      return failure("resource_exhausted", `${principal.id} has ${rate.concurrent} calls running, which is its limit`, {
        hint: "wait for one to end",
        retryAfterMs: 100,
      });
    }
    if (bucket.tokens < 1) {
      return failure("resource_exhausted", `${principal.id} exceeds its ${rate.perSecond} calls a second`, {
        hint: "slow down",
        retryAfterMs: Math.ceil(((1 - bucket.tokens) / rate.perSecond) * 1_000),
      });
    }
    bucket.tokens -= 1;
    bucket.running += 1;
    return {
      leave: () => {
        bucket.running -= 1;
      },
    };
  }

  #bucket(id: string, tokens: number, now: number): Bucket {
    const known = this.#buckets.get(id);
    if (known !== undefined) return known;
    if (this.#buckets.size >= maxBuckets) this.#forgetIdle(now);
    const fresh = { tokens, at: now, running: 0 };
    this.#buckets.set(id, fresh);
    return fresh;
  }

  #forgetIdle(now: number): void {
    for (const [id, bucket] of this.#buckets) {
      if (bucket.running === 0 && now - bucket.at > 60_000) this.#buckets.delete(id);
    }
  }
}

const unlimited = { leave: (): void => {} };
