/**
 * Writes events down, so that a reader after a restart gets what led to it: all but quiet lines of log, in batches, in the kernel's state. Only
 * kernels that serve do; a single command leaves nothing behind.
 *
 * Not here: the file (`state/`), and reading what is in it (`event-reader.ts`).
 */
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Queue from "effect/Queue";
import type { EventHistory, Events, KernelEvent } from "./event.ts";
import { EventBatch } from "./events.ts";

/** Where events are stored. */
export interface EventStore extends EventHistory {
  /** Stores events of the kernel that was started at `start`. They are on the disk when the promise resolves. */
  append(start: number, events: readonly KernelEvent[]): Promise<void>;
  /** The same before it returns, for the end of the process, when nothing can be waited for. Those that are stored already are left out. */
  appendNow(start: number, events: readonly KernelEvent[]): void;
}

/** What is reported about the storing, once for a series of failures; events that the report causes are not stored. */
interface StoreReports {
  /** A batch could not be written. */
  readonly failed: (cause: unknown) => void;
  /** One could again; `lost` events were not. */
  readonly works: (lost: number) => void;
}

/** Milliseconds between two batches. */
const batchEveryMs = 100;
/** The same while none can be written: doubled with each failure, up to this. */
const longestPauseMs = 30_000;

/**
 * Stores events until its scope closes; then, and when the process ends by itself, what is left. A batch that could
 * not be written is lost, and counted.
 */
export const logEvents = (events: Events, store: EventStore, reports: StoreReports) =>
  Effect.gen(function* () {
    /** Rings when the first event of a batch has come. */
    const bell = yield* Queue.sliding<void>(1);
    const ring = Queue.offerUnsafe<void, never>;
    const waiting = new EventBatch(ring.bind(undefined, bell, undefined));
    let pauseMs = batchEveryMs;
    const report = (write: () => void): void => {
      waiting.isClosed = true;
      write();
      waiting.isClosed = false;
    };
    /** What is on its way to the store. */
    let sent: readonly KernelEvent[] = [];
    /** What waits, and a note of what was lost before. Its number is that of the last event; it comes after it. */
    const takeBatch = (): readonly KernelEvent[] => {
      const batch = waiting.take();
      const last = batch.at(-1);
      if (last === undefined || waiting.lost === 0) return batch;
      const count = waiting.lost;
      waiting.lost = 0;
      return [...batch, { ...last, type: "events.dropped", service: "kernel", data: { count } }];
    };
    const flush = Effect.suspend(() => {
      const missed = waiting.lost;
      sent = takeBatch();
      const count = sent.length;
      if (count === 0) return Effect.void;
      return Effect.matchCause(
        Effect.tryPromise({ try: () => store.append(events.start, sent), catch: (cause) => cause }),
        {
          onFailure: (cause) => {
            sent = [];
            waiting.lost += missed === 0 ? count : missed + count - 1;
            if (pauseMs === batchEveryMs) report(() => reports.failed(Cause.squash(cause)));
            pauseMs = Math.min(2 * pauseMs, longestPauseMs);
          },
          onSuccess: () => {
            sent = [];
            if (pauseMs !== batchEveryMs) report(() => reports.works(missed));
            pauseMs = batchEveryMs;
          },
        },
      );
    }).pipe(Effect.uninterruptible);
    const flushNow = (): void => {
      const batch = [...sent, ...takeBatch()];
      try {
        if (batch.length > 0) store.appendNow(events.start, batch);
      } catch {
        // The process ends, and its log with it.
      }
    };
    // What has led here is kept already.
    for (const event of events.kept()) waiting.add(event);
    const leave = events.onEvent(waiting.add);
    process.once("exit", flushNow);
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        leave();
        return flush;
      }).pipe(Effect.ensuring(Effect.sync(() => process.off("exit", flushNow)))),
    );
    events.remember(store);
    const pause = Effect.suspend(() => Effect.sleep(pauseMs));
    const batch = Queue.take(bell).pipe(Effect.andThen(pause), Effect.andThen(flush));
    yield* Effect.forkScoped(Effect.forever(batch));
  });
