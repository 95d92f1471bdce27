/**
 * What a handler is: its input, what it may return, and the call that it serves. Plain handlers and Effect handlers side by side.
 *
 * Not here: the services they belong to (`service.ts`), their errors (`errors.ts`), running them (dispatch).
 */
import type {
  Answers,
  Contract,
  DeclaredErrors,
  FairleadError,
  HandlerInput,
  HandlerOutput,
  ProcedureName,
} from "@fairlead/contracts";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type * as Stream from "effect/Stream";
import type { ByteSource, ByteStream, ClientLog, Principal, Progress, Question, RunAttempt } from "../call/call.ts";
import type { DeclaredError, ErrorDataArgument, FailureText, ProcedureError } from "./errors.ts";

/**
 * The call that a handler serves. `P` is its procedure in the contract.
 *
 * A plain handler gets it as its second argument; an Effect handler gets it by `yield* Call`.
 */
export interface Call<P = unknown> {
  /** Fires on cancellation, deadline and shutdown. An Effect handler is interrupted instead. */
  readonly signal: AbortSignal;
  /** When the answer is due, in milliseconds since the epoch. `Infinity` for subscriptions. */
  readonly deadline: number;
  /** Who calls. Dispatch has already checked what it may do. */
  readonly principal: Principal;
  /** W3C `traceparent` to send onwards. */
  readonly traceparent: string;
  /** How often each call that is made for it may be tried, 1 or more; `Infinity` for as often as one likes. Peers and clients keep to it by themselves. */
  readonly innerAttempts: number;
  /** For subscriptions: the id of the last event that the client has seen. */
  readonly lastEventId: string | undefined;
  /** The file of an upload: read it with `for await`, or hand it to `saveFile` of `@fairlead/kernel/files`. Other procedures have none. */
  readonly file: P extends { readonly upload: object } ? ByteStream : ByteStream | undefined;
  /** Reports to a waiting client how far the work has come. Costs nothing when the client did not ask for it. */
  progress(progress: Progress): void;
  /** Adds a line to the log of the run that it is the work of, for whoever looks at that. Costs nothing in other calls. */
  log(line: string): void;
  /** The run that it is the work of; `undefined` in a call that somebody waits for. */
  readonly run: RunAttempt | undefined;
  /**
   * Asks a person what the contract declares under `questions`: yes or no, or a form. A run waits for the answer, also over restarts of the
   * kernel, where it may be resumed; a call asks its caller. Rejects where there is no one to ask, and where a form is declined.
   */
  question<N extends keyof Answers<P> & string>(name: N, message: string): Promise<Answers<P>[N]>;
  /** Asks the caller something; left out when it cannot be asked. The answer is unchecked, and as MCP says for that method. */
  readonly ask?: ((question: Question) => Promise<unknown>) | undefined;
  /** The log of the caller's client; left out when it wants none. Not the kernel's log, which is `host.log`. */
  readonly clientLog?: ClientLog | undefined;
  /** Names the caller's session or connection, where it has one: two calls with the same name are of one client. */
  readonly client?: string | undefined;
  /** How the caller's program calls itself, where it came by MCP and said so: `claude-code`, say. Its own word: for better defaults, and for no right. A handler in another process than its caller's kernel does not get it. */
  readonly app?: string | undefined;
  /** Makes an error that this procedure declares: `throw call.fail(...)`. Effect handlers use `declaredErrors`. */
  fail<R extends keyof DeclaredErrors<P> & string>(
    reason: R,
    text: FailureText,
    ...data: ErrorDataArgument<DeclaredErrors<P>[R]>
  ): DeclaredError<R, DeclaredErrors<P>[R]>;
}

/** The key under which an Effect handler finds its call. */
export const Call: Context.Service<Call, Call> = Context.Service("@fairlead/kernel/Call");

/** One event of a subscription with the id to resume from; an event without an id cannot be resumed from. */
export interface TrackedEvent<T> {
  readonly id: string;
  readonly value: T;
}

const trackedItems = new WeakSet<object>();

/** Gives an event of a subscription an id, which a client sends back to resume after it. */
export const tracked = <T>(id: string, value: T): TrackedEvent<T> => {
  const item = { id, value };
  trackedItems.add(item);
  return item;
};

/** True for what `tracked` made. */
export const isTracked = (item: unknown): item is TrackedEvent<unknown> =>
  typeof item === "object" && item !== null && trackedItems.has(item);

/** What a handler gives: the output, or of a download the file. */
export type HandlerValue<P> = P extends { readonly download: object } ? Blob | ByteSource : HandlerOutput<P>;

/** What a plain query or mutation returns: the output at once, later, or as an Effect that needs nothing and is interrupted on cancellation. */
export type HandlerResult<T> = T | Promise<T> | Effect.Effect<T, FairleadError>;

/** What a plain subscription returns. */
export type HandlerEvents<T> = AsyncIterable<T | TrackedEvent<T>> | Stream.Stream<T | TrackedEvent<T>, FairleadError>;

/** A plain handler of procedure `P`. */
export type Handler<P> = P extends { readonly kind: "subscription" }
  ? (input: HandlerInput<P>, call: Call<P>) => HandlerEvents<HandlerOutput<P>>
  : (input: HandlerInput<P>, call: Call<P>) => HandlerResult<HandlerValue<P>>;

/** One plain handler for every procedure of the contract, and no others. */
export type Handlers<C extends Contract> = { readonly [N in ProcedureName<C>]: Handler<C["procedures"][N]> };

/**
 * An Effect handler of procedure `P`. `R`: what it may need from its context. It returns an Effect, or a Stream for a subscription,
 * and nothing else: where an output may be any value at all, a forgotten dependency would otherwise pass for one.
 */
export type EffectHandler<P, R> = P extends { readonly kind: "subscription" }
  ? (input: HandlerInput<P>) => Stream.Stream<HandlerOutput<P> | TrackedEvent<HandlerOutput<P>>, ProcedureError<P>, R>
  : (input: HandlerInput<P>) => Effect.Effect<HandlerValue<P>, ProcedureError<P>, R>;

/** One Effect handler for every procedure of the contract, and no others. */
export type EffectHandlers<C extends Contract, R> = {
  readonly [N in ProcedureName<C>]: EffectHandler<C["procedures"][N], R>;
};

/** A handler as dispatch calls it: the contract's types end where a service starts, which checks them. */
export type AnyHandler = (input: unknown, call: Call<never>) => unknown;

/** The handler of that name, if there is one. */
export const findHandler = (handlers: object, name: string): AnyHandler | undefined => {
  const handler: unknown = Object.hasOwn(handlers, name) ? (handlers as Record<string, unknown>)[name] : undefined;
  return typeof handler === "function" ? (handler as AnyHandler) : undefined;
};
