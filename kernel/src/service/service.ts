/**
 * What a service is written against: `defineService` and the types of what a handler is given. Services with processes of their
 * own find those in `subprocess.ts`.
 *
 * A handler returns a value, a promise or an Effect; pure services never touch Effect. What `start` acquires in its scope is
 * released when the service stops. Not here: loading and running services (registry and dispatch).
 */
import "../call/version.ts";
import type {
  CallerInput,
  CallerOutput,
  Contract,
  DeclaredErrors,
  FairleadError,
  HandlerInput,
  HandlerOutput,
  ProcedureKind,
  ProcedureName,
  Schema,
  SchemaOutput,
} from "@fairlead/contracts";
import type { Effect, Scope, Stream } from "effect";
import type { CallRequest, Principal, Progress, Question } from "../call/call.ts";
import type { Reading, ReadOptions } from "../observe/events.ts";
import type { ChildStatus } from "../supervision/child-state.ts";

export { FairleadError } from "@fairlead/contracts";
export type { Principal, Progress, Question } from "../call/call.ts";
export type { KernelEvent, Reading, ReadOptions } from "../observe/events.ts";
export { longestPause, pauseBefore } from "../supervision/backoff.ts";
export type { Backoff, ChildState, ChildStatus, RestartKind } from "../supervision/child-state.ts";

/** What goes with a declared error besides its data. */
export interface FailureText {
  /** What failed and where, for people. */
  readonly message: string;
  /** The next thing to try; the declaration's hint when left out. */
  readonly hint?: string;
  /** True when nothing has happened yet, so that the same call may be sent again whatever its procedure does. */
  readonly retryable?: boolean;
}

/** What a handler knows about the call it serves. `P` is its procedure in the contract. */
export interface Call<P = unknown> {
  /** Fires on cancellation, deadline and shutdown. An Effect handler is interrupted instead. */
  readonly signal: AbortSignal;
  /** When the answer is due, in milliseconds since the epoch. `Infinity` for subscriptions. */
  readonly deadline: number;
  readonly principal: Principal;
  /** W3C `traceparent` to send onwards. */
  readonly traceparent: string;
  /** For subscriptions: the id of the last event that the client has seen. */
  readonly lastEventId: string | undefined;
  /** Tells a waiting client how far the work has come; costs nothing when nobody listens. */
  progress(progress: Progress): void;
  /** Asks the caller something; left out when it cannot be asked. The answer is unchecked, and as MCP says for that method. */
  readonly ask?: ((question: Question) => Promise<unknown>) | undefined;
  /** Makes an error that this procedure declares: `throw call.fail(...)`, or `yield*` it in an Effect handler. */
  fail<R extends keyof DeclaredErrors<P> & string>(
    reason: R,
    text: FailureText,
    ...data: DeclaredErrors<P>[R] extends undefined ? [] : [data: DeclaredErrors<P>[R]]
  ): FairleadError;
}

/** One event of a subscription with the id to resume from; an event without an id cannot be resumed from. */
export interface Tracked<T> {
  readonly id: string;
  readonly value: T;
}

const trackedItems = new WeakSet<object>();

/** Gives an event of a subscription an id. */
export const tracked = <T>(id: string, value: T): Tracked<T> => {
  const item = { id, value };
  trackedItems.add(item);
  return item;
};

export const isTracked = (item: unknown): item is Tracked<unknown> =>
  typeof item === "object" && item !== null && trackedItems.has(item);

/** A handler's answer: at once, later, or as an Effect that is interrupted on cancellation. */
export type HandlerResult<T> = T | Promise<T> | Effect.Effect<T, FairleadError>;

export type HandlerEvents<T> = AsyncIterable<T | Tracked<T>> | Stream.Stream<T | Tracked<T>, FairleadError>;

export type Handler<P> = P extends { readonly kind: "subscription" }
  ? (input: HandlerInput<P>, call: Call<P>) => HandlerEvents<HandlerOutput<P>>
  : (input: HandlerInput<P>, call: Call<P>) => HandlerResult<HandlerOutput<P>>;

/** One handler for every procedure of the contract: none missing, none besides. */
export type Handlers<C extends Contract> = { readonly [N in ProcedureName<C>]: Handler<C["procedures"][N]> };

/** How a service is, as it says itself. `degraded`: some procedures work, and the text says what would mend the rest. */
export type Condition =
  | { readonly state: "ready" }
  | { readonly state: "degraded"; readonly why: string; readonly fix: string };

/** A tool as MCP lists it. Whoever makes it answers for its shape. */
export type ToolDefinition = Readonly<Record<string, unknown>> & { readonly name: string };

/** Tools that a service finds while it runs. Each is called as `<service>.<name>`, on every transport. */
export interface Relay<Through extends string = string> {
  /** The procedure that takes the calls: its input is `{ tool, arguments }`, its output an MCP tool result that goes out as it is. */
  readonly through: Through;
  /** In the order to list them. */
  list(): readonly ToolDefinition[];
  /** The tool of that name; its name alone for one that is not listed now, but whose calls the procedure answers all the same. */
  find(name: string): ToolDefinition | undefined;
  /** Calls back whenever the list has changed, until the function it gives is called. */
  onChange(listener: () => void): () => void;
}

/** One thing that a service needs of this machine, as it finds it: a row of `fairlead doctor`. */
export interface SelfCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What was found, or what is missing. */
  readonly detail: string;
  /** The command or the setting that mends it. */
  readonly fix?: string;
}

/** A running service. */
export interface StartedService<C extends Contract> {
  /** The handlers, or how to read them when a call first needs one: `start` costs then what must be there from the start. */
  readonly handlers: Handlers<C> | (() => Promise<Handlers<C>>);
  /** Tools besides the contract's procedures. */
  readonly relay?: Relay<ProcedureName<C>>;
  /** Procedures that are switched off, with the reason: not listed anywhere, refused with `unimplemented`. Read at each listing. */
  off?(): Readonly<Partial<Record<ProcedureName<C>, string>>>;
  /** Refuses a decoded input that this principal may not send, with the reason. */
  authorise?(attempt: {
    readonly procedure: string;
    readonly input: unknown;
    readonly principal: Principal;
  }): string | undefined;
  /** Read by `kernel.services` and `/readyz`; `ready` when left out. */
  condition?(): Condition;
  /** The service's own children, like subprocesses, for the supervision tree. */
  children?(): readonly ChildStatus[];
  /** More about the service for `kernel.info`: versions found, paths used. Never secrets. */
  info?(): Readonly<Record<string, unknown>>;
  /** What the service needs of this machine; `kernel.info` shows it as `checks`, and `fairlead doctor` row by row. */
  checks?(): readonly SelfCheck[] | Promise<readonly SelfCheck[]>;
}

/** What a service passes on of the call that it serves. */
export type PeerOptions = Pick<CallRequest, "signal" | "timeoutMs" | "trace" | "onProgress" | "ask">;

/** Another service as its contract types it; the calls take the one path, as this service's principal. */
export type Peer<C extends Contract> = {
  readonly [N in ProcedureName<C>]: (
    input: CallerInput<C["procedures"][N]>,
    options?: PeerOptions,
  ) => C["procedures"][N]["kind"] extends Exclude<ProcedureKind, "subscription">
    ? Promise<CallerOutput<C["procedures"][N]>>
    : AsyncIterable<CallerOutput<C["procedures"][N]>>;
};

export type LogLevel = "debug" | "info" | "warn" | "error";

/** What a service gets from the kernel when it starts. `Settings` is what its `config` schema gives; nothing without one. */
export interface Host<Settings = unknown> {
  /** This service's section of the configuration, decoded; what does not fit was refused before the start. */
  readonly config: Settings;
  /** The environment variables the service may read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False in a kernel that is opened for one call and ends with it: nothing is to be begun there that no call has asked for. */
  readonly stays: boolean;
  /** A folder of the service's own for what must survive a restart. Created by `stateDir()` on first use. */
  stateDir(): string;
  /** Writes one structured line; known secrets are redacted. */
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /** Records a numbered event; `kernel.events` subscribers see it. Never throws. */
  event(type: string, data: Readonly<Record<string, unknown>>): void;
  /** Reads the kernel's numbered events as `kernel.events` does, those of this service alone. */
  events(options: ReadOptions): Reading;
  peer<C extends Contract>(contract: C): Peer<C>;
}

export interface Service<C extends Contract = Contract> {
  readonly contract: C;
  readonly start: (host: Host) => StartedService<C> | Effect.Effect<StartedService<C>, FairleadError, Scope.Scope>;
  /** What its section of the configuration may hold; it takes none when left out. An object's schema, since none is `{}`. */
  readonly config?: Schema;
  /** Imports what `start` leaves for the first call, so that a kernel that wants all of it at once can refuse what is broken. */
  readonly code?: () => Promise<unknown>;
}

type StartResult<C extends Contract> = ReturnType<Service<C>["start"]>;

type Excess<C extends Contract, H> = { readonly [N in Exclude<keyof H, ProcedureName<C>>]: never };

/** Refuses handlers that the contract does not know; TypeScript looks for excess properties nowhere in what a function returns. */
type NoExcessHandlers<C extends Contract, R> = R extends { readonly handlers: infer H }
  ? { readonly handlers: H extends () => Promise<infer Late> ? () => Promise<Excess<C, Late>> : Excess<C, H> }
  : unknown;

/** What a service may declare besides its start. */
export interface Declarations<S extends Schema | undefined> extends Pick<Service, "code"> {
  readonly config?: S;
}

type Settings<S> = S extends Schema ? SchemaOutput<S> : undefined;

/**
 * Ties a contract to its implementation. A missing, extra or wrongly typed handler does not compile.
 *
 * `config`: the schema of the service's section of the configuration. `code`: the import of what is read at the first call, for a
 * service whose `handlers` are a function.
 */
export const defineService = <C extends Contract, R extends StartResult<C>, S extends Schema | undefined = undefined>(
  contract: C,
  start: (host: Host<Settings<S>>) => R & NoExcessHandlers<C, R>,
  { config, code }: Declarations<S> = {},
): Service<C> => ({
  contract,
  // The kernel gives `start` what `config` decoded, and nothing else.
  start: start as (host: Host) => R,
  ...(config !== undefined && { config }),
  ...(code !== undefined && { code }),
});
