/**
 * When and how soon to repeat a failed attempt: exponential with full jitter, bounded by attempts, by the deadline and by a
 * budget shared by all calls of the procedure, so that a dead dependency is not hammered (gRPC's retry throttling).
 */
import type { FairleadError, Retry } from "@fairlead/contracts";
import * as Duration from "effect/Duration";
import * as Effect from "effect/Effect";
import * as Schedule from "effect/Schedule";
import { pauseBefore } from "../supervision/backoff.ts";

/** Milliseconds before attempt `attempt + 1`, drawn from zero to the exponential bound. `random` gives numbers in [0, 1). */
export const pauseMs = ({ baseMs = 100, capMs = 2_000 }: Retry, attempt: number, random: () => number): number =>
  pauseBefore(attempt, { baseMs, capMs }, random());

/** Tokens: a success earns a tenth, every failed attempt that could be repeated costs one, the last one too; retries stop while fewer than half are left. */
export class RetryBudget {
  static readonly capacity = 10;
  #tokens = RetryBudget.capacity;

  get allows(): boolean {
    return this.#tokens > RetryBudget.capacity / 2;
  }

  success(): void {
    if (this.#tokens < RetryBudget.capacity) this.#tokens = Math.min(RetryBudget.capacity, this.#tokens + 0.1);
  }

  failure(): void {
    this.#tokens = Math.max(0, this.#tokens - 1);
  }
}

export interface RetryRules {
  readonly retry: Retry;
  readonly budget: RetryBudget;
  /** Gives numbers in [0, 1). */
  readonly random: () => number;
  /** Milliseconds that the call has left. */
  readonly leftMs: () => number;
}

/**
 * The pauses between the attempts of one call. Over when the attempts or the budget are spent, and at once when the next pause would
 * not end before the deadline. A failure that says when to come back (`retryAfterMs`) is taken at its word.
 */
export const retrySchedule = ({
  retry,
  budget,
  random,
  leftMs,
}: RetryRules): Schedule.Schedule<number, FairleadError> =>
  Schedule.recurs(retry.attempts - 1).pipe(
    Schedule.setInputType<FairleadError>(),
    Schedule.map(({ input, attempt }) => input.retryAfterMs ?? pauseMs(retry, attempt, random)),
    Schedule.while(({ output }) => budget.allows && output < leftMs()),
    Schedule.modifyDelay(({ output }) => Effect.succeed(Duration.millis(output))),
  );
