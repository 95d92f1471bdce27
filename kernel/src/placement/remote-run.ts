/**
 * One run of a service in a thread or a process of its own, on the kernel's side. What holds it up past a deadline is ended with it; what
 * ends it ends the run, and its supervisor starts another.
 *
 * Not here: the thread and the process (`thread.ts`, `process.ts`), what runs there (`thread-service.ts`), the decision that it is blocked (`blocked.ts`).
 */
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import * as Fiber from "effect/Fiber";
import type * as Scope from "effect/Scope";
import * as Stream from "effect/Stream";
import type { StreamItem } from "../call/call.ts";
import type { SelfCheck } from "../service/started-service.ts";
import { makeProcessEvent } from "../subprocess/spawn/process-event.ts";
import { findBlocking, lookEveryMs } from "./blocked.ts";
import type { Carrier, StartCarrier } from "./carrier.ts";
import { type Link, type LinkLost, type LinkMessage, makeLink } from "./link.ts";
import type { LostPlace, PlacedCall, PlacedDetails, Placement } from "./placement.ts";
import type { Ping, ThreadCall } from "./thread-protocol.ts";
import { serveThread, type ThreadOptions, type ThreadWorkItem } from "./thread-relay.ts";

/** A service in its place, and how that ends. */
export interface RemoteRun {
  readonly placement: Placement;
  /** Of its process; `undefined` for a thread. */
  readonly pid: number | undefined;
  /** True from the moment that nothing can be sent there any more. */
  readonly isLost: () => boolean;
  /** Fails when the run ends by itself. */
  readonly ended: Effect.Effect<never, Error>;
}

/** Starts what carries the service, and the service in it. Fails as the service's start does. */
export const openRemoteRun = Effect.fnUntraced(function* (
  options: ThreadOptions,
  startCarrier: StartCarrier,
): Effect.fn.Return<RemoteRun, FairleadError, Scope.Scope> {
  const { start, stopMs } = options;
  const ended = makeProcessEvent<never, Error>();
  let isLost = false;
  const end = (error: Error): void => {
    isLost = true;
    link.lose(error.message);
    ended.fail(error);
  };
  const link: Link = yield* makeLink((message) => carrier.post(message));
  const listener = { message: (message: unknown) => link.receive(message as LinkMessage), ended: end };
  const carrier: Carrier = yield* Effect.acquireRelease(
    Effect.sync(() => startCarrier(start, listener)),
    ({ kill }) => kill,
  );

  const work = new Map<number, ThreadWorkItem>();
  const watch = { unanswered: 0, details: noDetails };
  yield* Effect.forkScoped(
    link.serve(
      serveThread(options, {
        work,
        failed: end,
        pong: (details) => Object.assign(watch, { unanswered: 0, details }),
        note: (kind, body) => link.note(kind, body),
      }),
    ),
  );
  /** Waits at most so long for work that the thread does or that it is to end: it may answer never again. */
  const waitFor = (work: Fiber.Fiber<unknown, unknown>): Effect.Effect<unknown> =>
    Effect.timeoutOption(Effect.interruptible(Fiber.await(work)), stopMs);
  const started = Effect.forkDetach(link.request("start", { seq: options.events.seq } satisfies Ping)).pipe(
    Effect.flatMap((starting) =>
      Effect.onInterrupt(Fiber.join(starting), () =>
        Effect.andThen(Effect.forkDetach(Fiber.interrupt(starting)), waitFor(starting)),
      ),
    ),
    Effect.mapError((error) => startError(start.service, error)),
  );
  watch.details = (yield* started) as PlacedDetails;

  const look = Effect.suspend(() => {
    const now = performance.now();
    const blocking = findBlocking([...work.values()], { unanswered: watch.unanswered, now });
    watch.unanswered += 1;
    link.note("ping", { seq: options.events.seq } satisfies Ping);
    if (blocking === undefined) return Effect.void;
    const names = [...new Set(blocking.map(({ call }) => call.procedure))];
    for (const { call } of blocking) call.onBlocked();
    options.log("error", `a handler blocked its ${carrier.kind} past its deadline: the ${carrier.kind} is ended`, {
      service: start.service,
      procedures: names,
    });
    end(new Error(`${carrier.name} was blocked past the deadline of ${names.join(", ") || "its calls"}`));
    return carrier.kill;
  });
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(lookEveryMs), look)));

  let nextId = 1;
  const begin = (call: PlacedCall): { readonly item: ThreadWorkItem; readonly message: ThreadCall } => {
    const id = nextId++;
    const item = { call, hasBegun: false, due: performance.now() + call.deadlineMs };
    work.set(id, item);
    const { onProgress, ask, onLog: ___, onBlocked: _, deadlineMs: __, key: ____, ...rest } = call;
    return { item, message: { ...rest, id, progress: onProgress !== undefined, ask: ask !== undefined } };
  };
  const placement: Placement = {
    call: (call) =>
      Effect.suspend(() => {
        const { item, message } = begin(call);
        return link.request("call", message).pipe(
          Effect.mapError((error) => toLost(item.hasBegun)(error)),
          Effect.ensuring(Effect.sync(() => work.delete(message.id))),
        );
      }),
    subscribe: (call) =>
      Stream.suspend(() => {
        const { item, message } = begin(call);
        return link.stream("subscribe", message).pipe(
          Stream.map((event) => event as StreamItem),
          Stream.mapError((error) => toLost(item.hasBegun)(error)),
          Stream.ensuring(Effect.sync(() => work.delete(message.id))),
        );
      }),
    drain: Effect.forkDetach(link.request("stop", undefined)).pipe(
      Effect.flatMap(waitFor),
      Effect.andThen(Effect.sync(() => link.lose(`${carrier.name} was stopped`))),
    ),
    health: () => watch.details,
    checks: link.request("checks", undefined).pipe(
      Effect.map((checks) => checks as readonly SelfCheck[]),
      Effect.mapError(toLost(false)),
    ),
  };
  return { placement, pid: carrier.pid, isLost: () => isLost, ended: ended.wait };
});

const toLost =
  (sent: boolean) =>
  (error: FairleadError | LinkLost): FairleadError | LostPlace =>
    error instanceof FairleadError ? error : { _tag: "LostPlace", why: error.why, sent };

const noDetails: PlacedDetails = { condition: { state: "ready" }, off: {}, info: {}, children: [] };

const startError = (service: string, error: FairleadError | LinkLost): FairleadError =>
  error instanceof FairleadError
    ? error
    : new FairleadError({ code: "unavailable", message: `${service} did not start: ${error.why}` });
