/**
 * Whose code is running. The call that it serves: what peers' calls, requests to children and clients of other kernels inherit without being
 * handed anything. It follows promises, timers and fibers, and stays readable after the call is over.
 *
 * The store is found under a well-known symbol, so that a package which must not import the kernel (the client) can read it, and two
 * copies of the kernel in one process share it. Not here: who inherits what (`peers`, `subprocess`, the client).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type { CallRequest, Principal } from "./call.ts";
import type { OpenSpan } from "./span.ts";

/** The service that code belongs to. */
interface FaultOwner {
  readonly id: string;
  /** Ends its run because of an error that nothing caught. */
  crash(error: unknown): void;
  /** Where what happens to its children is reported, once it has begun to start. */
  readonly reporter?: StateReporter | undefined;
}

/** Where changes of state are reported: a service's host is one. */
export interface StateReporter {
  event(type: string, data: Readonly<Record<string, unknown>>): void;
  log(level: "info" | "warn", message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** What is inherited of a call. The client package reads `signal`, `deadline`, `traceparent` and `innerAttempts`: do not rename them. */
export interface AmbientCall {
  /** Fires when the call ends: cancelled, out of time, or answered. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; `Infinity` for subscriptions. */
  readonly deadline: number;
  readonly principal: Principal;
  /** W3C `traceparent` to send onwards. */
  readonly traceparent: string;
  /** How often each call that is made for it may be tried: 1 where it is repeated itself, `Infinity` where nothing repeats it. */
  readonly innerAttempts: number;
  /** The service that serves it. */
  readonly owner: FaultOwner;
  /** True once it was answered, or has failed. */
  readonly over: boolean;
  /** Set when spans are exported. */
  readonly span?: OpenSpan | undefined;
}

const key = Symbol.for("fairlead.call");

type GlobalStore = typeof globalThis & { [key]?: AsyncLocalStorage<AmbientCall | undefined> };

const shared: GlobalStore = globalThis;
shared[key] ??= new AsyncLocalStorage();

/** Where the call is found: `ambientCall.getStore()`. */
export const ambientCall: AsyncLocalStorage<AmbientCall | undefined> = shared[key];

type InheritedLimits = Pick<CallRequest, "signal" | "timeoutMs" | "trace" | "attempts"> & {
  readonly detached?: boolean | undefined;
};

/** What goes with a request that this code makes: what it was given, and what it inherits of the call that it serves. */
export const inherit = <Given extends InheritedLimits>(given: Given): Given & InheritedLimits => {
  const call = given.detached === true ? undefined : ambientCall.getStore();
  if (call === undefined) return given;
  const { signal, timeoutMs = Number.POSITIVE_INFINITY, trace = { traceparent: call.traceparent } } = given;
  const attempts = Math.min(given.attempts ?? call.innerAttempts, call.innerAttempts);
  const leftMs = Math.max(0, Math.min(timeoutMs, call.deadline - Date.now()));
  return {
    ...given,
    trace,
    signal: signal === undefined || signal === call.signal ? call.signal : AbortSignal.any([signal, call.signal]),
    ...(Number.isFinite(leftMs) && { timeoutMs: leftMs }),
    ...(Number.isFinite(attempts) && { attempts }),
  };
};

/**
 * Runs work that belongs to no call: it goes on after the caller's end, as the service itself and in a trace of its own. For an Effect,
 * fork what this returns in the scope that it is to live in.
 */
export const detached: {
  <T>(work: () => T): T;
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R>;
} = <A, E, R>(work: (() => A) | Effect.Effect<A, E, R>): A | Effect.Effect<A, E, R> =>
  Effect.isEffect(work) ? detachedEffect(work) : leaveCall(work);

/** Outside of the call, and still the service's: what it throws where nothing catches it ends that one's run. */
const leaveCall = <T>(work: () => T): T => {
  const owner = ambientCall.getStore()?.owner;
  return ambientCall.run(undefined, () => (owner === undefined ? work() : startedBy.run(owner, work)));
};

/** A fiber keeps the ambient call that it was started with, so what is detached gets a fiber of its own. */
const detachedEffect = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.contextWith((context: Context.Context<R>) =>
    Effect.callback<A, E>((resume) => {
      const fiber = leaveCall(() => Effect.runForkWith(context)(work));
      fiber.addObserver(resume);
      return Fiber.interrupt(fiber);
    }),
  );

/** The service that was being started or stopped when the running code was set going: its timers, promises and fibers. */
const startedBy = new AsyncLocalStorage<FaultOwner>();

/** Begins the start or the stop of a service, which inherits nothing of the call that asked for it. */
export const enterService = <T>(owner: FaultOwner, begin: () => T): T =>
  ambientCall.run(undefined, () => startedBy.run(owner, begin));

/**
 * Ends the run of the service whose code threw an error that nothing caught, so that it is restarted; for a listener to the process's
 * `uncaughtException`. Returns the service's id; nothing for an error that belongs to none, after which the process must end.
 */
export const ascribeFault = (error: unknown): string | undefined => {
  const owner = codeOwner();
  owner?.crash(error);
  return owner?.id;
};

/** The service whose code is running: in a call, a start, a stop, or what one of these set going. */
export const codeOwner = (): FaultOwner | undefined => ambientCall.getStore()?.owner ?? startedBy.getStore();
