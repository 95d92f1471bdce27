/**
 * Runs a handler whatever it returns: a value at once, a promise, an Effect, an async iterable or a Stream. The only place
 * where the kernel's calls meet Effect's runtime.
 */
import type { FairleadError } from "@fairlead/contracts";
import type { Stream } from "effect";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { CallScope } from "../policy/life.ts";

/** A handler's answer, waited for no longer than the call lives. */
export const answerOf = (answer: unknown, life: CallScope): unknown => {
  if (Effect.isEffect(answer)) return runEffect(answer as Effect.Effect<unknown, FairleadError>, life);
  if (isPromiseLike(answer)) return life.run(answer);
  return answer;
};

/** A subscription handler's events, whatever form they come in. */
export const itemsOf = async (events: unknown): Promise<AsyncIterable<unknown>> => {
  if (typeof events === "object" && events !== null && Symbol.asyncIterator in events)
    return events as AsyncIterable<unknown>;
  const stream = await import("effect/Stream");
  return stream.toAsyncIterable(events as Stream.Stream<unknown, FairleadError>);
};

/** Fails with the Effect's own error; a defect or an interruption fails with its cause. */
const runEffect = async (effect: Effect.Effect<unknown, FairleadError>, life: CallScope): Promise<unknown> => {
  const exit = await life.run(Effect.runPromiseExit(effect, { signal: life.signal }));
  if (Exit.isSuccess(exit)) return exit.value;
  throw Cause.hasInterruptsOnly(exit.cause) && life.ended !== undefined ? life.ended : Cause.squash(exit.cause);
};

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
