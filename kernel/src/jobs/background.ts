/**
 * Work beside the calls of a service that is written with promises: it goes on until it is closed. The one place where such work is run.
 *
 * Not here: what the work is (`outbox.ts`, `schedules.ts`).
 */
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import * as Queue from "effect/Queue";

interface BackgroundWork {
  /** There is something to do. Several of these before the work looks are one. */
  wake(): void;
  /** Interrupts the work, and waits for its end. */
  close(): Promise<void>;
}

/** Begins at once. The work is given what waits until it is woken. */
export const startBackground = (work: (woken: Effect.Effect<void>) => Effect.Effect<void, unknown>): BackgroundWork => {
  const signal = Effect.runSync(Queue.sliding<void>(1));
  const fiber = Effect.runFork(work(Queue.take(signal)));
  return {
    wake: () => void Queue.offerUnsafe(signal, undefined),
    close: () => Effect.runPromise(Fiber.interrupt(fiber)),
  };
};
