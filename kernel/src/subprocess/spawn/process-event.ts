/**
 * Where the events of a child or a thread become Effects: plain code reports an event once, Effects wait for it, before or after it happened.
 */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";

interface ProcessEvent<A, E = never> {
  /** Only the first of these two counts. */
  succeed(value: A): void;
  fail(error: E): void;
  readonly wait: Effect.Effect<A, E>;
}

export const makeProcessEvent = <A, E = never>(): ProcessEvent<A, E> => {
  const deferred = Deferred.makeUnsafe<A, E>();
  return {
    succeed: (value) => void Deferred.doneUnsafe(deferred, Effect.succeed(value)),
    fail: (error) => void Deferred.doneUnsafe(deferred, Effect.fail(error)),
    wait: Deferred.await(deferred),
  };
};
