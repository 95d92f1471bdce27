/**
 * Runs a handler whatever it returns: a value at once, a promise, an Effect, an async iterable or a Stream. The only place
 * where the kernel's calls meet Effect's runtime: the border of the synchronous lane.
 *
 * An Effect that ends without waiting is answered like a value, and pays for no timer and no signal.
 */
import type { FairleadError } from "@fairlead/contracts";
import type { Stream } from "effect";
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import type { CallScope } from "../policy/call-scope.ts";
import { Call } from "../service/handler.ts";

/** What a handler runs in. */
export interface HandlerSetting {
  readonly scope: CallScope;
  readonly call: Call;
  /** What its service's layer gives. */
  readonly services: Context.Context<never>;
}

/** The value of what a handler returned, or a promise of it that lasts no longer than the call. */
export const settle = (result: unknown, setting: HandlerSetting): unknown => {
  if (Effect.isEffect(result)) return runEffect(result as Effect.Effect<unknown, FairleadError>, setting);
  if (isPromiseLike(result)) return setting.scope.run(result);
  return result;
};

/** A subscription handler's events, whatever form they come in. */
export const openEvents = async (
  events: unknown,
  { call, services }: HandlerSetting,
): Promise<AsyncIterable<unknown>> => {
  if (typeof events === "object" && events !== null && Symbol.asyncIterator in events)
    return events as AsyncIterable<unknown>;
  const { toAsyncIterableWith } = await import("effect/Stream");
  return toAsyncIterableWith(events as Stream.Stream<unknown, FairleadError>, Context.add(services, Call, call));
};

const runEffect = (
  effect: Effect.Effect<unknown, FairleadError>,
  { scope, call, services }: HandlerSetting,
): unknown => {
  const fiber = Effect.runForkWith(Context.add(services, Call, call))(effect);
  const exit = fiber.pollUnsafe();
  return exit === undefined ? scope.join(fiber).then((late) => exitValue(late, scope)) : exitValue(exit, scope);
};

/** Fails with the Effect's own error; a defect or an interruption fails with its cause. */
const exitValue = (exit: Exit.Exit<unknown, FairleadError>, scope: CallScope): unknown => {
  if (Exit.isSuccess(exit)) return exit.value;
  throw Cause.hasInterruptsOnly(exit.cause) && scope.ended !== undefined ? scope.ended : Cause.squash(exit.cause);
};

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
