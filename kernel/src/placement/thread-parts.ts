/**
 * What a service in a thread gets of the kernel: the parts that its `Host` is made of, each over the link. What a service does without
 * waiting (a line of log, an event) is a note; what it waits for is a request.
 */

import { FairleadError } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import type { CallRequest, Principal, Reply, StreamItem } from "../call/call.ts";
import type { MemoryOptions, MemoryTransport } from "../call/memory-transport.ts";
import type { Events, KernelEvent } from "../observe/event.ts";
import { makeEvents } from "../observe/events.ts";
import type { Log } from "../observe/log.ts";
import type { Link, LinkLost } from "./link.ts";
import type { EventNote, EventsRequest, LogNote, PeerRequest } from "./thread-protocol.ts";

/** Runs an Effect for plain code, which waits for a promise. */
export type RunPromise = <A, E>(
  effect: Effect.Effect<A, E>,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<A>;

/** What is under way for the service, and what is known of the kernel. */
export interface ThreadState {
  /** Who wants to know how far a peer's call has come, by its number. */
  readonly progress: Map<number, NonNullable<CallRequest["onProgress"]>>;
  /** The number of the latest event, as far as it is known. */
  seq: number;
  /** The entry's. */
  readonly run: RunPromise;
}

export const relayLog =
  (link: Link): Log =>
  (level, message, fields) =>
    link.note("log", { level, message, fields: fields && sendable(fields) } satisfies LogNote);

/** Errors keep their stack; what a message cannot carry is as JSON has it, or a note. */
const sendable = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, cloneable(value)]));

/** The value, or what a message can carry of it. */
export const cloneable = (value: unknown): unknown => {
  try {
    structuredClone(value);
    return value;
  } catch {
    if (value instanceof Error)
      return Object.assign(new Error(value.message), { name: value.name, stack: value.stack });
    try {
      return JSON.parse(JSON.stringify(value) ?? "null");
    } catch {
      return String(value);
    }
  }
};

/** The kernel's events, as a service sees them: it adds its own and reads its own. */
export const relayEvents = (link: Link, state: ThreadState): Events => ({
  ...makeEvents(),
  emit: (type, _service, data) => link.note("event", { type, data: sendable(data) } satisfies EventNote),
  read: relayReading(link, state),
});

/** Reads the kernel's events, from the latest that is known on. */
export const relayReading =
  (link: Link, state: ThreadState): Events["read"] =>
  ({ signal, ...options }) => {
    const after = options.after ?? state.seq;
    const request: EventsRequest = options.earlier === undefined ? { ...options, after } : options;
    const events = readUntil(link.stream("events", request), signal);
    return { after, [Symbol.asyncIterator]: () => (events as AsyncIterable<KernelEvent>)[Symbol.asyncIterator]() };
  };

/** The memory transport of the kernel. */
export const relayConnect = (link: Link, state: ThreadState) => {
  let nextId = 1;
  const toRequest = (
    {
      principal,
      procedure,
      input,
    }: { readonly principal: Principal; readonly procedure: string; readonly input: unknown },
    { timeoutMs, attempts, trace, lastEventId, onProgress }: MemoryOptions,
  ): PeerRequest => {
    const id = nextId++;
    if (onProgress !== undefined) state.progress.set(id, onProgress);
    return {
      id,
      principal,
      procedure,
      input,
      progress: onProgress !== undefined,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(attempts !== undefined && { attempts }),
      ...(trace !== undefined && { trace }),
      ...(lastEventId !== undefined && { lastEventId }),
    };
  };
  return (principal: Principal = { id: "local", access: ["read", "call"] }): MemoryTransport => ({
    call: (procedure, input, options = {}) => {
      const request = toRequest({ principal, procedure, input }, options);
      const reply = link.request("peer", request).pipe(
        Effect.map((value) => value as Reply),
        Effect.catch((error) => Effect.succeed({ ok: false, error: toFairlead(error).toJSON() } as const)),
        Effect.ensuring(Effect.sync(() => state.progress.delete(request.id))),
      );
      return state.run(Effect.catchCause(reply, giveUp), { signal: options.signal }).catch(() => canceled);
    },
    subscribe: (procedure, input, options = {}) => {
      const events = Stream.suspend(() => {
        const request = toRequest({ principal, procedure, input }, options);
        return Stream.ensuring(
          link.stream("peer", request),
          Effect.sync(() => state.progress.delete(request.id)),
        );
      });
      const items = readUntil(events, options.signal);
      return Promise.resolve({ ok: true, items: items as AsyncIterable<StreamItem> });
    },
  });
};

const canceled: Reply = { ok: false, error: { code: "canceled", message: "the caller gave up", retryable: false } };

const giveUp = (): Effect.Effect<Reply> => Effect.succeed(canceled);

const readUntil = (stream: Stream.Stream<unknown, FairleadError | LinkLost>, signal: AbortSignal | undefined) => {
  const failing = Stream.mapError(stream, toFairlead);
  const ending = signal === undefined ? failing : Stream.interruptWhen(failing, aborted(signal));
  return Stream.toAsyncIterableWith(ending, Context.empty());
};

const aborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const listener = (): void => resume(Effect.void);
    if (signal.aborted) listener();
    signal.addEventListener("abort", listener, { once: true });
    return Effect.sync(() => signal.removeEventListener("abort", listener));
  });

const toFairlead = (error: FairleadError | LinkLost): FairleadError =>
  error instanceof FairleadError ? error : new FairleadError({ code: "unavailable", message: error.why });
