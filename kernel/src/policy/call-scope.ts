/**
 * The scope of one call: from its arrival to its deadline, its caller's cancellation, or its end.
 *
 * Costs nothing until something waits: the timer, the listener and the abort signal are made on first need, so that a handler
 * which answers at once pays for none of them. It also knows whether work goes on that is waited for no more.
 */
import type { FairleadError } from "@fairlead/contracts";
import type * as Exit from "effect/Exit";
import type * as Fiber from "effect/Fiber";
import { failure } from "../call/error.ts";

export interface CallScopeOptions {
  /** Milliseconds from now; `Infinity` for none. */
  readonly deadlineMs: number;
  /** Fires when the caller gives up. */
  readonly outer?: AbortSignal | undefined;
  /** Work is waited for until it has really ended, also past the end of this scope: for work that several callers share. */
  readonly detached?: boolean;
}

/** Milliseconds after its end that work which ignores it keeps its place. */
const overdueMs = 10_000;

/** Timers take no more milliseconds than 2^31 - 1; and `overdueMs` comes on top. */
const longestTimerMs = 2_000_000_000;

export class CallScope {
  /** When it began, and when it is due, on the clock of `performance.now()`; `Infinity` for subscriptions. */
  readonly started: number;
  readonly due: number;
  readonly #procedure: string;
  readonly #options: CallScopeOptions;
  #deadline: number | undefined;
  #over = false;
  #controller: AbortController | undefined;
  #timer: NodeJS.Timeout | undefined;
  #armed = false;
  #ended: FairleadError | undefined;
  #working = 0;
  #idle: (() => void) | undefined;
  #listeners: ((error: FairleadError) => void)[] | undefined;
  #onOuterAbort: (() => void) | undefined;

  constructor(procedure: string, options: CallScopeOptions) {
    this.#procedure = procedure;
    this.#options = options;
    this.started = performance.now();
    this.due = this.started + options.deadlineMs;
  }

  /** When it is due in milliseconds since the epoch; `Infinity` for subscriptions. */
  get deadline(): number {
    this.#deadline ??= Math.round(Date.now() + this.due - performance.now());
    return this.#deadline;
  }

  /** True once it is disposed of. */
  get over(): boolean {
    return this.#over;
  }

  /** Milliseconds left; never below 0. */
  get leftMs(): number {
    return Math.max(0, this.due - performance.now());
  }

  /** Why it ended before the answer, if it did. */
  get ended(): FairleadError | undefined {
    if (this.#ended === undefined) {
      if (this.#options.outer?.aborted === true) this.#end(canceled(this.#procedure));
      else if (this.leftMs === 0) this.#end(this.#late());
    }
    return this.#ended;
  }

  /** Fires when the call ends early, or when it is disposed of. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (!this.#over) this.#arm();
      if (this.#over || this.#ended !== undefined) this.#controller.abort(this.#ended ?? over);
    }
    return this.#controller.signal;
  }

  /** Waits for something that is not this call's own work, but no longer than this scope. `settled` is called when it is done, even later. */
  wait<T>(event: PromiseLike<T>, settled: () => void = nothing): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const stop = this.onEnd(reject);
      event.then(
        (value) => {
          stop();
          settled();
          resolve(value);
        },
        (cause) => {
          stop();
          settled();
          reject(cause);
        },
      );
    });
  }

  /** Waits for something of its caller's, like the next part of a file, until the call is over: also one that was answered. */
  waitForCaller<T>(event: PromiseLike<T>): Promise<T> {
    const { signal } = this;
    return new Promise<T>((resolve, reject) => {
      const stop = (): void => reject(signal.reason);
      const settled = (): void => signal.removeEventListener("abort", stop);
      signal.addEventListener("abort", stop, { once: true });
      void event.then(resolve, reject).then(settled);
      if (signal.aborted) stop();
    });
  }

  /** Waits for the call's work, no longer than this scope unless it is detached; work that goes on after that is counted. */
  run<T>(work: PromiseLike<T>): Promise<T> {
    this.#working += 1;
    const ended = (): void => this.#workEnded();
    if (this.#options.detached !== true) return this.wait(work, ended);
    work.then(ended, ended);
    return Promise.resolve(work);
  }

  /**
   * Waits for a fiber that does the call's work. The call's end interrupts it: the one timer of the call is its timeout, where
   * `Effect.timeout` would take two more fibers and a race. Not waited for past the end of this scope unless it is detached.
   */
  join<A, E>(fiber: Fiber.Fiber<A, E>): Promise<Exit.Exit<A, E>> {
    return new Promise((resolve, reject) => {
      this.#working += 1;
      const stop = this.onEnd((error) => {
        if (this.#options.detached !== true) reject(error);
        fiber.interruptUnsafe();
      });
      fiber.addObserver((exit) => {
        stop();
        this.#workEnded();
        resolve(exit);
      });
    });
  }

  /**
   * Calls back once no work of this call goes on any more: at once, when it ends, or when it has been overdue for too long. Work that is
   * waited for no more is overdue, that of a detached scope from its deadline on.
   */
  whenIdle(callback: (overdue: boolean) => void): void {
    if (this.#working === 0) {
      callback(false);
      return;
    }
    const timer = setTimeout(() => {
      this.#idle = undefined;
      callback(true);
    }, this.#dueMs + overdueMs);
    timer.unref();
    this.#idle = () => {
      clearTimeout(timer);
      callback(false);
    };
  }

  /** Calls back once when the scope ends early, at once if it has; returns how to stop listening. */
  onEnd(listener: (error: FairleadError) => void): () => void {
    this.#arm();
    const { ended } = this;
    if (ended !== undefined) {
      listener(ended);
      return () => {};
    }
    const listeners = this.#listeners ?? [];
    this.#listeners = listeners;
    listeners.push(listener);
    return () => {
      const at = listeners.indexOf(listener);
      if (at >= 0) listeners.splice(at, 1);
    };
  }

  /** Ends the scope for a reason of the kernel's own, like shutdown. */
  end(error: FairleadError): void {
    this.#end(error);
  }

  /** Releases the timer and the listener. What still runs sees its signal abort. */
  dispose(): void {
    this.#over = true;
    clearTimeout(this.#timer);
    if (this.#onOuterAbort !== undefined) this.#options.outer?.removeEventListener("abort", this.#onOuterAbort);
    this.#listeners = undefined;
    this.#controller?.abort(this.#ended ?? over);
  }

  /** Milliseconds that its work still may go on. */
  get #dueMs(): number {
    return this.#options.detached === true && this.ended === undefined ? Math.min(this.leftMs, longestTimerMs) : 0;
  }

  #workEnded(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#idle?.();
  }

  #arm(): void {
    if (this.#armed) return;
    this.#armed = true;
    if (this.#options.outer?.aborted === true) this.#end(canceled(this.#procedure));
    if (this.#options.outer !== undefined) {
      this.#onOuterAbort = () => this.#end(canceled(this.#procedure));
      this.#options.outer.addEventListener("abort", this.#onOuterAbort, { once: true });
    }
    if (this.#options.deadlineMs === Number.POSITIVE_INFINITY) return;
    this.#timer = setTimeout(() => this.#end(this.#late()), Math.min(this.leftMs, longestTimerMs));
    this.#timer.unref();
  }

  #late(): FairleadError {
    return failure("deadline_exceeded", `${this.#procedure} did not answer within ${this.#options.deadlineMs} ms`, {
      hint: "allow more time, if the procedure's deadline permits it, or ask for less",
    });
  }

  #end(error: FairleadError): void {
    if (this.#ended !== undefined) return;
    this.#ended = error;
    clearTimeout(this.#timer);
    this.#controller?.abort(error);
    // One that ends may leave the list meanwhile, which must not hide the next.
    const listeners = [...(this.#listeners ?? [])];
    this.#listeners = undefined;
    for (const listener of listeners) listener(error);
  }
}

const nothing = (): void => {};

/** Why the signal of a call fires that was answered. Made once: an error that is not read would cost more than the call. */
const over = new DOMException("the call is over", "AbortError");

const canceled = (procedure: string): FairleadError =>
  failure("canceled", `the caller gave up on ${procedure} before it answered`);
