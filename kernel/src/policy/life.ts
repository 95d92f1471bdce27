/**
 * The life of one call: from its arrival to its deadline, its caller's cancellation, or its end.
 *
 * Costs nothing until somebody waits: the timer, the listener and the abort signal are made on first need, so that a handler
 * which answers at once pays for none of them.
 */
import type { FairleadError } from "@fairlead/contracts";
import { failure } from "../error.ts";

export class Life {
  /** Milliseconds since the epoch; `Infinity` for subscriptions. */
  readonly deadline: number;
  readonly #procedure: string;
  readonly #deadlineMs: number;
  readonly #outer: AbortSignal | undefined;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #armed = false;
  #ended: FairleadError | undefined;
  readonly #listeners = new Set<(error: FairleadError) => void>();

  constructor(procedure: string, deadlineMs: number, outer: AbortSignal | undefined) {
    this.#procedure = procedure;
    this.#deadlineMs = deadlineMs;
    this.#outer = outer;
    this.deadline = deadlineMs === Number.POSITIVE_INFINITY ? deadlineMs : Date.now() + deadlineMs;
  }

  /** Why it ended before the answer, if it did. */
  get ended(): FairleadError | undefined {
    if (this.#ended === undefined) {
      if (this.#outer?.aborted === true) this.#end(canceled(this.#procedure));
      else if (Date.now() >= this.deadline) this.#end(this.#late());
    }
    return this.#ended;
  }

  /** Fires when the call ends early, or when it is disposed of. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#arm();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended);
    }
    return this.#controller.signal;
  }

  /** Waits for a promise, but no longer than this life. */
  race<T>(work: PromiseLike<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.ended !== undefined) {
        work.then(undefined, () => {});
        reject(this.ended);
        return;
      }
      const stop = this.onEnd(reject);
      work.then(
        (value) => {
          stop();
          resolve(value);
        },
        (cause) => {
          stop();
          reject(cause);
        },
      );
    });
  }

  /** Calls back once when the life ends early; returns how to stop listening. */
  onEnd(listener: (error: FairleadError) => void): () => void {
    this.#arm();
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the life for a reason of the kernel's own, like shutdown. */
  end(error: FairleadError): void {
    this.#end(error);
  }

  /** Releases the timer and the listener. What still runs sees its signal abort. */
  dispose(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener("abort", this.#onOuterAbort);
    this.#listeners.clear();
    this.#controller?.abort(this.#ended);
  }

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    if (this.#outer?.aborted === true) this.#end(canceled(this.#procedure));
    this.#outer?.addEventListener("abort", this.#onOuterAbort, { once: true });
    if (this.deadline === Number.POSITIVE_INFINITY) return;
    const left = Math.max(0, this.deadline - Date.now());
    this.#timer = setTimeout(() => this.#end(this.#late()), Math.min(left, 2 ** 31 - 1));
    this.#timer.unref();
  }

  readonly #onOuterAbort = (): void => this.#end(canceled(this.#procedure));

  #late(): FairleadError {
    return failure("deadline_exceeded", `${this.#procedure} did not answer within ${this.#deadlineMs} ms`, {
      hint: "allow more time, if the procedure's deadline permits it, or ask for less",
    });
  }

  #end(error: FairleadError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    clearTimeout(this.#timer);
    this.#controller?.abort(error);
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener(error);
  }
}

const canceled = (procedure: string): FairleadError =>
  failure("canceled", `the caller gave up on ${procedure} before it answered`);
