/**
 * When a failed attempt is made again, and after how long: exponential with full jitter, never sooner than the server asked.
 *
 * Pure: randomness is an argument. Not here: the waiting (`client.ts`).
 */
import type { ProcedureDescriptor } from "./descriptor.ts";
import type { ClientError } from "./error.ts";

/** How often and when a failed call is made again. Only errors that are `retryable`, and only procedures that may be repeated. */
export interface RetryOptions {
  /** Attempts in all, the first included. 1 means never again. Default 3; for subscriptions in a row without an event, 8. */
  readonly attempts?: number;
  /** Milliseconds; the upper bound of the first pause, doubled each time. Default 100. */
  readonly baseMs?: number;
  /** Milliseconds; the longest pause of our own choosing. Default 2,000. */
  readonly capMs?: number;
}

/** The options of one call, with their defaults. */
export interface RetryPlan {
  readonly attempts: number;
  readonly baseMs: number;
  readonly capMs: number;
}

/** True when a repeat does no harm, whatever became of the first attempt. */
export const mayRepeat = ({ retry }: ProcedureDescriptor): boolean => retry !== "unsafe";

/** The first argument that says something wins; an unsafe procedure is never repeated whatever they say. */
export const retryPlan = (
  procedure: ProcedureDescriptor,
  ...options: readonly (RetryOptions | false | undefined)[]
): RetryPlan => {
  const chosen = options.find((option) => option !== undefined) ?? {};
  const fallback = procedure.kind === "subscription" ? 8 : 3;
  const off = chosen === false || !mayRepeat(procedure);
  const { attempts = fallback, baseMs = 100, capMs = 2_000 } = chosen === false ? {} : chosen;
  return { attempts: off ? 1 : attempts, baseMs, capMs };
};

/** Milliseconds to wait after failed attempt number `attempt` (from 1), or `undefined` when it was the last. `random` is in [0, 1). */
export const pauseAfter = (
  plan: RetryPlan,
  failed: { readonly attempt: number; readonly error: Pick<ClientError, "retryable" | "retryAfterMs"> },
  random: number,
): number | undefined => {
  if (failed.attempt >= plan.attempts || !failed.error.retryable) return undefined;
  const bound = Math.min(plan.capMs, plan.baseMs * 2 ** (failed.attempt - 1));
  return Math.max(failed.error.retryAfterMs ?? 0, Math.floor(random * bound));
};

/** A fresh idempotency key. `randomUUID` is missing on pages that are not served securely; the bytes are there. */
export const randomKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
