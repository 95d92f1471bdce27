/**
 * What happens to the calls of a service that stops: they may finish within a grace time, then they are ended, and whoever ignores that
 * is named. Read when a service stops for the first time.
 */
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type { ServiceInstance } from "../host/service-instance.ts";
import { type ActiveCall, endCalls } from "./active-call.ts";

/** The calls of a dispatch that are not over: unanswered ones, and those whose work goes on. */
export interface OpenCalls {
  readonly calls: ReadonlySet<ActiveCall>;
  /** Called with each call that is over. */
  readonly listeners: Set<(call: ActiveCall) => void>;
  /** Why calls end now, when the kernel closes. */
  readonly closing: FairleadError | undefined;
}

/** How long the running calls of a service that stops may take. */
interface DrainTimes {
  /** Milliseconds in which they may finish. */
  readonly graceMs: number;
  /** Milliseconds that those which ignore their end are waited for. */
  readonly stopMs: number;
}

/**
 * Completes when no handler of this service runs any more, or its time is up; gives the procedures whose handlers go on after all.
 * Streams, which have no end of their own, are ended at once, other calls after `graceMs`.
 */
export const drain = (
  open: OpenCalls,
  instance: ServiceInstance,
  { graceMs, stopMs }: DrainTimes,
): Effect.Effect<readonly string[]> => {
  const running = (): readonly ActiveCall[] =>
    [...open.calls].filter(({ admitted, target }) => admitted && target.instance === instance);
  const end = (calls: readonly ActiveCall[]): void => endCalls(calls, open.closing ?? stopping(instance.id));
  return Effect.gen(function* () {
    end(running().filter(({ target }) => target.entry.procedure.kind === "subscription"));
    if (yield* finishWithin(graceMs, running(), open)) return [];
    end(running());
    if (yield* finishWithin(stopMs, running(), open)) return [];
    return [...new Set(running().map(({ target }) => target.entry.name))];
  });
};

/** Whether all of them are over within so many milliseconds. */
const finishWithin = (ms: number, calls: readonly ActiveCall[], { listeners }: OpenCalls): Effect.Effect<boolean> => {
  const left = new Set(calls);
  if (left.size === 0) return Effect.succeed(true);
  const finished = Effect.callback<boolean>((resume) => {
    const listener = (call: ActiveCall): void => {
      if (!left.delete(call) || left.size > 0) return;
      listeners.delete(listener);
      resume(Effect.succeed(true));
    };
    listeners.add(listener);
    return Effect.sync(() => listeners.delete(listener));
  });
  return Effect.timeoutOrElse(finished, { duration: ms, orElse: () => Effect.succeed(false) });
};

const stopping = (id: string): FairleadError =>
  new FairleadError({
    code: "unavailable",
    message: `the service ${id} was stopped before it answered`,
    hint: "try again when it is back",
  });
