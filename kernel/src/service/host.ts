/**
 * What the kernel gives a service when it starts: settings, a folder, a log, events and other services, all tied to its id.
 *
 * Not here: how the kernel makes it (`host/host.ts`).
 */
import type { CallerInput, CallerOutput, Contract, ProcedureKind, ProcedureName } from "@fairlead/contracts";
import * as Context from "effect/Context";
import type * as Effect from "effect/Effect";
import type { CallRequest } from "../call/call.ts";
import type { OpenSpan, SpanKind } from "../call/span.ts";
import type { Reading, ReadOptions } from "../observe/event.ts";
import type { ProcedureError } from "./errors.ts";
import type { Sessions } from "./sessions.ts";

/**
 * What goes with a peer's call in addition to what it inherits of the call that the service serves: deadline, cancellation, principal and trace.
 * `signal` and `timeoutMs` make its time shorter, never longer.
 */
export interface PeerOptions extends Pick<CallRequest, "signal" | "timeoutMs" | "trace" | "onProgress" | "ask"> {
  /** Inherits nothing: the call goes on after the caller's end, as the service itself and in a trace of its own. */
  readonly detached?: boolean;
}

/**
 * Another service as its contract types it; the calls take the one path. Inside of a call they are that call's: they end with it, and are
 * made for its principal. Elsewhere they are the service's own. Failures are a `FairleadError`.
 */
export type Peer<C extends Contract> = {
  readonly [N in ProcedureName<C>]: (
    input: CallerInput<C["procedures"][N]>,
    options?: PeerOptions,
  ) => C["procedures"][N]["kind"] extends Exclude<ProcedureKind, "subscription">
    ? Promise<CallerOutput<C["procedures"][N]>>
    : AsyncIterable<CallerOutput<C["procedures"][N]>>;
};

/** From the least to the most important. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/**
 * What a service gets from the kernel when it starts. `Settings` is what its `config` schema gives; `undefined` without one.
 *
 * A plain `start` gets it as its argument; layers and Effect handlers get it by `yield* Host`.
 */
export interface Host<Settings = unknown> {
  /** This service's section of the configuration, decoded; a section that does not fit was refused before the start. */
  readonly config: Settings;
  /** The environment variables the service may read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** False in a kernel that is opened for one call and ends with it: start nothing there that no call has asked for. */
  readonly stays: boolean;
  /** A folder of the service's own for what must survive a restart: its absolute path. Created on first use. */
  stateDir(): string;
  /** The state of its sessions, by the keys that its contract places calls by: outlives the process, and in a cluster the machine. */
  readonly sessions: Sessions;
  /** Writes one structured line; known secrets are redacted. */
  log(level: LogLevel, message: string, fields?: Readonly<Record<string, unknown>>): void;
  /**
   * Begins a span of work that is of no call: `span("connections.connect", "client")`. Nothing where spans go nowhere. Whoever begins one ends it.
   */
  span(name: string, kind?: SpanKind): OpenSpan | undefined;
  /** Records a numbered event; `kernel.events` subscribers see it. Never throws. */
  event(type: string, data: Readonly<Record<string, unknown>>): void;
  /** Reads the kernel's numbered events as `kernel.events` does, those of this service alone. */
  events(options: ReadOptions): Reading;
  /** Another service by its contract, with promises. Effect authors use `Peers`. */
  peer<C extends Contract>(contract: C): Peer<C>;
}

/** The key under which layers and Effect handlers find their host. */
export const Host: Context.Service<Host, Host> = Context.Service("@fairlead/kernel/Host");

/** Another service as its contract types it, in Effects. A subscription is an `AsyncIterable`: `Stream.fromAsyncIterable` takes it. */
export type PeerClient<C extends Contract> = {
  readonly [N in ProcedureName<C>]: C["procedures"][N]["kind"] extends "subscription"
    ? Peer<C>[N]
    : (
        input: CallerInput<C["procedures"][N]>,
        options?: Omit<PeerOptions, "signal">,
      ) => Effect.Effect<CallerOutput<C["procedures"][N]>, ProcedureError<C["procedures"][N]>>;
};

/** Where Effect authors get other services: `const { client } = yield* Peers`. */
export interface Peers {
  /** The service with this contract. It need not run yet; its calls wait for it. */
  client<C extends Contract>(contract: C): PeerClient<C>;
}

/** The key under which layers and Effect handlers find their peers. */
export const Peers: Context.Service<Peers, Peers> = Context.Service("@fairlead/kernel/Peers");
