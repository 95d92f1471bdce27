/**
 * The typed client: a method a procedure, made from a generated descriptor. Here live the deadline of a whole call, repeats
 * where the contract allows them, idempotency keys, and the resumption of subscriptions.
 *
 * Not here: how a call travels (`transport.ts` and what implements it) and when to repeat (`retry.ts`).
 */

import { inherited } from "./ambient.ts";
import { canceledError, deadlineExceeded } from "./attempt-limits.ts";
import type { DescriptorFor, ProcedureDescriptor, ServiceTypes } from "./descriptor.ts";
import { ClientError, type DeclaresErrors } from "./error.ts";
import type { CallOptions, DownloadOptions, SubscribeOptions } from "./options.ts";
import { eachItem, eachPage, type PageItem } from "./pages.ts";
import { pauseAfter, type RetryOptions, type RetryPlan, randomKey, retryPlan } from "./retry.ts";
import { makeRun, type RunCalls, type RunHandle, type StartOptions, startRun } from "./run.ts";
import type { Attempt, DownloadedFile, FileRange, Transport, UploadFile } from "./transport.ts";

type Arguments<I, O> = Record<never, never> extends I ? [input?: I, options?: O] : [input: I, options?: O];

/** Calls a query or a mutation. Rejects with a `ClientError`. */
export interface Call<I, O, E> extends DeclaresErrors<E> {
  (...args: Arguments<I, CallOptions>): Promise<O>;
  readonly procedure: ProcedureDescriptor;
}

/** Calls a query or a mutation, or starts it as a run, which goes on without its caller. */
export interface RunnableCall<I, O, E, Q> extends Call<I, O, E> {
  /** Starts it and gives its handle. Rejects for whatever a call is rejected for before its handler begins. */
  readonly start: (...args: Arguments<I, StartOptions>) => Promise<RunHandle<O, E, Q>>;
  /** The handle of a run that was started before. Nothing is sent. */
  readonly run: (id: string) => RunHandle<O, E, Q>;
}

/** Opens a subscription. Nothing is sent before the loop begins; leaving the loop closes it. */
export interface Subscribe<I, O, E> extends DeclaresErrors<E> {
  (...args: Arguments<I, SubscribeOptions>): AsyncIterable<O>;
  readonly procedure: ProcedureDescriptor;
}

/** Calls a query that gives a list in pages: one page by itself, or all of them. */
export interface PaginatedCall<I, O, E> extends Call<I, O, E> {
  /** Every item from the input's `cursor` on, page after page. The options are each page's. Throws a `ClientError`. */
  readonly items: (...args: Arguments<I, CallOptions>) => AsyncIterable<PageItem<O>>;
  /** The same, a page at a time. */
  readonly pages: (...args: Arguments<I, CallOptions>) => AsyncIterable<O>;
}

/** Sends a file with its input. Bytes that come as a stream are sent once: such a call is never made again. */
export interface UploadCall<I, O, E> extends DeclaresErrors<E> {
  (input: I, file: UploadFile, options?: CallOptions): Promise<O>;
  readonly procedure: ProcedureDescriptor;
}

/** Gets a file. `timeoutMs` is the time until its bytes begin; the signal ends them, too. */
export interface DownloadCall<I, E> extends DeclaresErrors<E> {
  (...args: Arguments<I, DownloadOptions>): Promise<DownloadedFile>;
  readonly procedure: ProcedureDescriptor;
}

/** A method a procedure: `client.forecast(input, options)`. A subscription's gives an `AsyncIterable`, all others a promise. */
export type Client<T extends ServiceTypes<T>> = {
  readonly [N in keyof T]: T[N] extends { readonly kind: "subscription" }
    ? Subscribe<T[N]["input"], T[N]["output"], T[N]["errors"]>
    : T[N] extends { readonly paginated: true }
      ? PaginatedCall<T[N]["input"], T[N]["output"], T[N]["errors"]>
      : T[N] extends { readonly upload: true }
        ? UploadCall<T[N]["input"], T[N]["output"], T[N]["errors"]>
        : T[N] extends { readonly download: true }
          ? DownloadCall<T[N]["input"], T[N]["errors"]>
          : T[N] extends { readonly run: true }
            ? RunnableCall<T[N]["input"], T[N]["output"], T[N]["errors"], QuestionsIn<T[N]>>
            : Call<T[N]["input"], T[N]["output"], T[N]["errors"]>;
};

/** What may be asked, by name, and what it is answered with. */
type QuestionsIn<T> = T extends { readonly questions: infer Q } ? Q : Record<never, never>;

/** Defaults of every call of a client. */
export interface ClientOptions {
  /** For every call that does not say its own; procedures that may not be repeated never are. */
  readonly retry?: RetryOptions | false;
  /** For every call that does not say its own, in milliseconds. */
  readonly timeoutMs?: number;
  /** Time and chance, for tests. */
  readonly clock?: Clock;
}

/** Time and chance, as the client uses them. */
export interface Clock {
  /** Milliseconds; only differences matter. */
  now(): number;
  /** Resolves after `ms`, or as soon as the signal fires. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** In [0, 1). */
  random(): number;
}

const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
  random: () => Math.random(),
};

/** Makes the client of one service: `createClient<RulesTypes>(rules, fetchTransport({ url }))`. */
export const createClient = <T extends ServiceTypes<T>>(
  service: DescriptorFor<T>,
  transport: Transport,
  options: ClientOptions = {},
): Client<T> => {
  const methods = Object.entries<ProcedureDescriptor>(service.procedures).map(([name, procedure]) => {
    const caller = new Caller(procedure, transport, options);
    const more = {
      procedure,
      ...(procedure.paginated === true && iterators(caller, procedure)),
      ...(procedure.run === true && starters(procedure, { transport, options })),
    };
    return [name, Object.assign(makeMethod(caller, procedure), more)];
  });
  // The boundary between descriptor and types: `DescriptorOf` has checked that they fit.
  return Object.freeze(Object.fromEntries(methods)) as Client<T>;
};

const makeMethod = (caller: Caller, { kind, upload, download }: ProcedureDescriptor) => {
  if (kind === "subscription")
    return (input: unknown, more?: SubscribeOptions) => caller.subscribe(input ?? {}, more ?? {});
  if (download === true) return (input?: unknown, more?: DownloadOptions) => caller.download(input ?? {}, more ?? {});
  if (upload === true)
    return (input: unknown, file: UploadFile, more?: CallOptions) => caller.call(input ?? {}, { ...more, file });
  return (input: unknown, more?: CallOptions) => caller.call(input === undefined ? {} : input, more ?? {});
};

const iterators = (caller: Caller, { name }: ProcedureDescriptor) => {
  const pages = (input?: unknown, more: CallOptions = {}) => eachPage(name, input, (page) => caller.call(page, more));
  return { pages, items: (input?: unknown, more?: CallOptions) => eachItem(pages(input, more)) };
};

interface CallerParts {
  readonly transport: Transport;
  readonly options: ClientOptions;
}

const starters = (procedure: ProcedureDescriptor, { transport, options }: CallerParts) => {
  const calls: RunCalls = {
    call: (own, input, more) => new Caller(own, transport, options).call(input, more),
    // Each event is all there is to know, so nothing is lost by opening the stream again.
    watch: (own, input, more) => new Caller(own, transport, options).subscribe(input, { ...more, isWhole: true }),
  };
  return {
    start: (input?: unknown, more?: StartOptions) => startRun(calls, procedure, { ...more, input: input ?? {} }),
    run: (id: string) => makeRun(calls, procedure, id),
  };
};

/** Options of a subscription whose every event is all there is to know. */
interface StreamOptions extends SubscribeOptions {
  readonly isWhole?: boolean;
}

class Caller {
  readonly #procedure: ProcedureDescriptor;
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #clock: Clock;

  constructor(procedure: ProcedureDescriptor, transport: Transport, options: ClientOptions) {
    this.#procedure = procedure;
    this.#transport = transport;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async call(value: unknown, more: CallOptions & { readonly file?: UploadFile }): Promise<unknown> {
    const { values } = this.#procedure;
    const send = (attempt: Attempt): Promise<unknown> => this.#transport.call(attempt);
    if (values === undefined) return this.#callWire(value, more, send);
    return values.decodeOutput(await this.#callWire(values.encodeInput(value), more, send));
  }

  download(value: unknown, more: DownloadOptions): Promise<DownloadedFile> {
    const { values } = this.#procedure;
    return this.#callWire(values === undefined ? value : values.encodeInput(value), more, async (attempt) => {
      if (this.#transport.download !== undefined) return this.#transport.download(attempt);
      throw new ClientError(
        { code: "unimplemented", message: "this transport carries no files", retryable: false },
        this.#procedure.name,
      );
    });
  }

  async *subscribe(value: unknown, more: StreamOptions): AsyncGenerator<unknown> {
    const { values } = this.#procedure;
    if (values === undefined) return yield* this.#subscribeWire(value, more);
    for await (const item of this.#subscribeWire(values.encodeInput(value), more)) yield values.decodeOutput(item);
  }

  async #callWire<R>(
    input: unknown,
    { file, range, ...more }: CallOptions & { readonly file?: UploadFile; readonly range?: FileRange },
    send: (attempt: Attempt) => Promise<R>,
  ): Promise<R> {
    const isOnce = file !== undefined && !(file instanceof Blob);
    const { signal, leftMs, traceparent, mostAttempts = Number.POSITIVE_INFINITY } = inherited(more);
    const wanted = retryPlan(this.#procedure, isOnce ? false : more.retry, this.#options.retry);
    const plan = { ...wanted, attempts: Math.min(wanted.attempts, mostAttempts) };
    // Whoever repeats a call repeats alone.
    const attempts = plan.attempts > 1 ? 1 : mostAttempts;
    const own = more.timeoutMs ?? this.#options.timeoutMs;
    const timeoutMs = leftMs === undefined ? own : Math.min(leftMs, own ?? leftMs);
    const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() + timeoutMs;
    const key = more.idempotencyKey ?? (this.#procedure.retry === "keyed" ? randomKey() : undefined);
    for (let attempt = 1; ; attempt += 1) {
      const left = deadline - this.#clock.now();
      if (timeoutMs !== undefined && left <= 0) throw deadlineExceeded(this.#procedure, timeoutMs);
      try {
        return await send({
          procedure: this.#procedure,
          input,
          ...(file !== undefined && { file }),
          ...(range !== undefined && { range }),
          ...(signal !== undefined && { signal }),
          ...(traceparent !== undefined && { traceparent }),
          ...(timeoutMs !== undefined && { timeoutMs: left }),
          ...(Number.isFinite(attempts) && { attempts }),
          ...(leftMs !== undefined && leftMs === timeoutMs && { isTimeInherited: true }),
          ...(key !== undefined && { idempotencyKey: key }),
          ...(more.onProgress !== undefined && { onProgress: more.onProgress }),
        });
      } catch (error) {
        await this.#pause(plan, { attempt, error, deadline, signal });
      }
    }
  }

  async *#subscribeWire(input: unknown, more: StreamOptions): AsyncGenerator<unknown> {
    const plan = retryPlan(this.#procedure, more.retry, this.#options.retry);
    const { signal, traceparent } = inherited(more);
    let lastEventId = more.lastEventId;
    let resumable = true;
    for (let attempt = 1; ; attempt += 1) {
      const opened: Attempt = {
        procedure: this.#procedure,
        input,
        ...(signal !== undefined && { signal }),
        ...(traceparent !== undefined && { traceparent }),
        ...(lastEventId !== undefined && { lastEventId }),
      };
      try {
        for await (const item of this.#transport.subscribe(opened)) {
          attempt = 1;
          lastEventId = item.id;
          resumable = item.id !== undefined || more.isWhole === true;
          if (item.id !== undefined) more.onEventId?.(item.id);
          yield item.value;
        }
        return;
      } catch (error) {
        // Events without an id cannot be resumed from: reporting the break is honest, a silent gap is not.
        if (!resumable) throw error;
        await this.#pause(plan, { attempt, error, deadline: Number.POSITIVE_INFINITY, signal });
      }
    }
  }

  /** Waits until the next attempt, or throws when there is none. */
  async #pause(plan: RetryPlan, failed: FailedAttempt): Promise<void> {
    const { attempt, error, deadline, signal } = failed;
    if (!(error instanceof ClientError)) throw error;
    const pause = pauseAfter(plan, { attempt, error }, this.#clock.random());
    if (pause === undefined || this.#clock.now() + pause >= deadline) throw error;
    await this.#clock.sleep(pause, signal);
    if (signal?.aborted) throw canceledError(this.#procedure.name, signal.reason);
  }
}

interface FailedAttempt {
  readonly attempt: number;
  readonly error: unknown;
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
}
