/**
 * Runs an admitted call's handler, whatever it returns: a value at once, a promise, an Effect, an async iterable or a Stream. The one
 * border where the kernel's calls meet Effect's runtime.
 *
 * Two lanes: a value, or an Effect that ends without waiting, is answered without a fiber that lives on, a timer or a signal. What
 * waits is interrupted by the one timer of its call.
 */
import type { FairleadError } from "@fairlead/contracts";
import type { Stream } from "effect";
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import { ambientCall } from "../call/ambient.ts";
import { notAvailable, type Why } from "../call/error.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { Events } from "../observe/event.ts";
import { retryEvent } from "../observe/events.ts";
import { type Tracer, toServerFailure } from "../observe/trace.ts";
import type { CallScope } from "../policy/call-scope.ts";
import { type PolicyObserver, type Work, withPolicy } from "../policy/transformer.ts";
import type { AnyHandler } from "../service/handler.ts";
import { Call } from "../service/handler.ts";
import type { ActiveCall } from "./active-call.ts";
import type { HostedProcedure } from "./hosted-procedure.ts";

/** Runs a call: its checked output at once, or as a promise that lasts no longer than the call. */
export type Run = Work<ActiveCall>;

interface RunParts {
  readonly events: Events;
  /** Set when spans are exported. */
  readonly tracer: Tracer | undefined;
  /** Gives numbers in [0, 1), for the jitter of retries. */
  readonly random: () => number;
}

/** The work of one procedure with its policy around it. */
export const makeRun = (target: HostedProcedure, { events, tracer, random }: RunParts): Run => {
  const { entry, policy } = target;
  const work = policy.retry === undefined || tracer === undefined ? attempt : attemptWithSpan;
  return withPolicy(work, { name: entry.name, policy, random, run: runEffect, observer: observe(target, events) });
};

/** What is kept of a policy at work: figures, events, and what happened within the call's span. */
const observe = ({ entry, metrics }: HostedProcedure, events: Events): PolicyObserver<ActiveCall> => {
  const { name: procedure, service } = entry;
  return {
    retry: ({ span }, attempt, { code }) => {
      metrics.retries += 1;
      span?.event("retry", { "fairlead.attempt": attempt, "rpc.response.status_code": code });
      events.emit(retryEvent, service, { procedure, attempt, code });
    },
    refused: ({ span }) => {
      span?.event("breaker refused");
      span?.child("breaker", "internal", { "fairlead.breaker.state": "Open" }).end({}, { code: "unavailable" });
    },
    probe: ({ span }) => {
      const probe = span?.child("breaker", "internal", { "fairlead.breaker.state": "HalfOpen" });
      return probe && ((cause) => probe.end({}, cause === undefined ? undefined : toServerFailure(cause)));
    },
    breaker: (state, from) => {
      metrics.breakerBecame(state);
      if (from !== undefined) events.emit("breaker.state", service, { procedure, state, from });
    },
  };
};

/** One attempt, which finds its call wherever it goes. */
const attempt: Run = (call) => {
  const handler = findHandler(call.target);
  call.target.metrics.attempts += 1;
  call.attempts += 1;
  return ambientCall.run(call, handle, handler, call);
};

/** The same as a span of its own, where a call may have several attempts and spans are exported. */
const attemptWithSpan: Run = (call) => {
  const span = call.span?.child("attempt", "internal");
  if (span === undefined) return attempt(call);
  const failed = (cause: unknown): never => {
    span.end({}, toServerFailure(cause));
    throw cause;
  };
  const succeeded = (value: unknown): unknown => {
    span.end({});
    return value;
  };
  try {
    const value = attempt(call);
    return value instanceof Promise ? value.then(succeeded, failed) : succeeded(value);
  } catch (cause) {
    return failed(cause);
  }
};

/** The handler, then the check of what it returned. */
const handle = (handler: AnyHandler, call: ActiveCall): unknown => {
  const { target, input, scope } = call;
  const result = handler(input, call as never);
  const value = Effect.isEffect(result) ? runEffect(result as Effect.Effect<unknown>, call) : result;
  if (value instanceof Promise && value !== result) return value.then((late) => target.checked(late));
  if (isPromiseLike(value)) return scope.run(value).then((late) => target.checked(late));
  return target.checked(value);
};

/** The handler of a procedure whose service is up. */
export const findHandler = ({ instance, name, entry }: HostedProcedure): AnyHandler => {
  const handler = instance.handler(name);
  if (handler !== undefined) return handler;
  throw notAvailable(entry.name, explainDown(instance));
};

/** What is wrong with a service that is not up, when it may be back, and what helps where it does not come back by itself. */
const explainDown = ({ id, state }: ServiceInstance): Why => {
  const restart = `see \`fairlead services logs ${id}\`, then run \`fairlead services restart ${id}\``;
  switch (state.tag) {
    case "Failed":
      return { message: state.error.message, hint: state.error.hint ?? restart };
    case "Backoff": {
      const { message, hint } = state.error;
      return { message, hint, backInMs: Math.max(1, Math.ceil(state.until - Date.now())) };
    }
    case "Starting": {
      const { error } = state.waitsFor ?? {};
      if (error === undefined) return { message: "its service is starting", backInMs: 500 };
      return {
        message: error.message,
        hint: error.hint,
        backInMs: error.retryable ? (error.retryAfterMs ?? 1_000) : undefined,
      };
    }
    case "Stopped":
      return { message: "its service is stopped", hint: restart };
    default:
      return { message: `its service is ${state.tag.toLowerCase()}`, backInMs: 500 };
  }
};

/** Runs an Effect as a part of a call: its value, or a promise of it when it waits. Throws or rejects with its own error. */
export const runEffect = (effect: Effect.Effect<unknown, unknown>, call: ActiveCall): unknown => {
  const { scope } = call;
  const fiber = Effect.runForkWith(callContext(call))(effect);
  const exit = fiber.pollUnsafe();
  return exit === undefined ? scope.join(fiber).then((late) => exitValue(late, scope)) : exitValue(exit, scope);
};

/** A subscription handler's events, whatever form they come in. */
export const openEvents = (
  events: unknown,
  call: ActiveCall,
): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>> => {
  if (typeof events === "object" && events !== null && Symbol.asyncIterator in events)
    return events as AsyncIterable<unknown>;
  const stream = events as Stream.Stream<unknown, FairleadError>;
  return import("effect/Stream").then(({ toAsyncIterableWith }) => toAsyncIterableWith(stream, callContext(call)));
};

/** What the service's layer gives, and the call. */
const callContext = (call: ActiveCall): Context.Context<never> => Context.add(call.target.instance.context, Call, call);

/** Fails with the Effect's own error; a defect or an interruption fails with its cause. */
const exitValue = (exit: Exit.Exit<unknown, unknown>, scope: CallScope): unknown => {
  if (Exit.isSuccess(exit)) return exit.value;
  throw Cause.hasInterruptsOnly(exit.cause) && scope.ended !== undefined ? scope.ended : Cause.squash(exit.cause);
};

const isPromiseLike = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
