/**
 * Admission (bulkhead): so many calls of a procedure run at once, so many wait in order of arrival, the rest are refused at once.
 * A slow procedure can therefore never take the others' memory.
 */
import { failure } from "../call/error.ts";
import type { CallScope } from "./call-scope.ts";

export class Admission {
  readonly #procedure: string;
  readonly #concurrency: number;
  readonly #queue: number;
  readonly #waiting: Set<() => void> = new Set();
  #running = 0;

  constructor(procedure: string, concurrency: number, queue: number) {
    this.#procedure = procedure;
    this.#concurrency = concurrency;
    this.#queue = queue;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Takes a place if one is free. Every place taken must be given back with `leave`. */
  tryEnter(): boolean {
    if (this.#running >= this.#concurrency) return false;
    this.#running += 1;
    return true;
  }

  /** Waits for a place, at most as long as the call lives. Fails with `resource_exhausted` when the queue is full. */
  async enter(scope: CallScope): Promise<void> {
    if (this.tryEnter()) return;
    if (this.#waiting.size >= this.#queue) {
      throw failure(
        "resource_exhausted",
        `${this.#procedure} has ${this.#running} calls running and ${this.#queue} waiting`,
        {
          hint: "try again shortly",
          retryAfterMs: 1_000,
        },
      );
    }
    const place = Promise.withResolvers<void>();
    this.#waiting.add(place.resolve);
    try {
      await scope.wait(place.promise);
    } catch (cause) {
      // The place may have been handed over in the very turn in which the call ended: then it is ours to give back.
      if (!this.#waiting.delete(place.resolve)) this.leave();
      throw cause;
    }
  }

  /** Gives the place to the one that waited longest, or back. */
  leave(): void {
    const [next] = this.#waiting.size === 0 ? [] : this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
