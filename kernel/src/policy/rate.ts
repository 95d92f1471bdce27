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
  /** Calls that other processes of this kernel may still make of it. */
  lent: number;
}

/** What another process of this kernel may have of a principal's rate. */
export interface Loan {
  readonly calls: number;
  /** Calls at once. */
  readonly places: number;
}

/** What became of a loan: `spent` calls were made; the rest comes back. */
export interface Repayment extends Loan {
  readonly spent: number;
}

interface LoanTerms {
  /** Milliseconds of the same clock. */
  readonly now: number;
  /** Among so many what is free is divided. */
  readonly part: number;
  readonly most: Loan;
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
    const bucket = this.#filled(principal.id, rate, now);
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

  /** Lends a part of what is free now, at most so many calls; what is lent counts as used until it comes back. */
  lend({ id, rate }: Principal, { now, part, most }: LoanTerms): Loan {
    if (rate === undefined) return { calls: 0, places: 0 };
    const bucket = this.#filled(id, rate, now);
    const calls = Math.max(0, Math.min(most.calls, Math.floor(bucket.tokens / part)));
    const places = Math.max(0, Math.min(most.places, Math.floor((rate.concurrent - bucket.running) / part)));
    bucket.tokens -= calls;
    bucket.lent += calls;
    bucket.running += places;
    return { calls, places };
  }

  /** Takes back what is left of loans, and counts what was spent of them. */
  settle(id: string, { spent, calls, places }: Repayment): void {
    const bucket = this.#buckets.get(id);
    if (bucket === undefined) return;
    bucket.lent -= spent + calls;
    bucket.tokens += calls;
    bucket.running -= places;
  }

  /** With what came in since it was last looked at. What is lent is a part of the most that it may hold. */
  #filled(id: string, rate: Rate, now: number): Bucket {
    const capacity = Math.max(1, rate.perSecond);
    const bucket = this.#bucket(id, capacity, now);
    bucket.tokens = Math.min(capacity - bucket.lent, bucket.tokens + ((now - bucket.at) / 1_000) * rate.perSecond);
    bucket.at = now;
    return bucket;
  }

  #bucket(id: string, tokens: number, now: number): Bucket {
    const known = this.#buckets.get(id);
    if (known !== undefined) return known;
    if (this.#buckets.size >= maxBuckets) this.#forgetIdle(now);
    const fresh = { tokens, at: now, running: 0, streams: 0, lent: 0 };
    this.#buckets.set(id, fresh);
    return fresh;
  }

  #forgetIdle(now: number): void {
    for (const [id, bucket] of this.#buckets) {
      if (bucket.running === 0 && bucket.streams === 0 && bucket.lent === 0 && now - bucket.at > 60_000)
        this.#buckets.delete(id);
    }
  }
}

/** The rates that a request of a caller is counted in: as a request, and as the call that it makes. */
export interface CallerRates {
  readonly requests: Rates;
  readonly calls: Rates;
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
