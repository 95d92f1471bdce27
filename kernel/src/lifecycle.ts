/**
 * Starts services side by side, each in a scope of its own, and stops them in reverse. A service that fails to start is shown as
 * such and slows nobody else.
 */
import { type Contract, FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { Log } from "./log.ts";
import { checkHandlers } from "./registry.ts";
import type { Host, Running, Service } from "./service.ts";
import type { Slot } from "./slot.ts";

/** Milliseconds a service may take to stop before it is left behind. */
const stopMs = 5_000;

export interface ServiceRun {
  readonly slot: Slot;
  readonly service: Service;
  readonly host: Host;
}

/** Services being started or running. */
export interface Lifecycle {
  /** Stops all, last started first. */
  stop(): Promise<void>;
}

export const startAll = (runs: readonly ServiceRun[], log: Log): Lifecycle => {
  const started = runs.map((run) => ({ ...run, scope: Scope.makeUnsafe() }));
  for (const run of started) void start(run, log);
  return {
    stop: async () => {
      for (const { slot, scope } of started.toReversed()) {
        const { running } = slot;
        if (running !== undefined) slot.become({ tag: "Draining", running });
        const closing = Scope.close(scope, Exit.void).pipe(Effect.timeout(stopMs));
        const exit = await Effect.runPromiseExit(closing);
        if (Exit.isFailure(exit))
          log("warn", "service did not stop cleanly", { service: slot.id, error: Cause.squash(exit.cause) });
        slot.become({ tag: "Stopped" });
      }
    },
  };
};

const start = async (
  { slot, service, host, scope }: ServiceRun & { readonly scope: Scope.Closeable },
  log: Log,
): Promise<void> => {
  try {
    const running = await run(service, host, scope);
    checkHandlers(service.contract, running.handlers);
    slot.become({ tag: "Ready", running });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const fix = (cause instanceof FairleadError ? cause.hint : undefined) ?? "see the kernel's log";
    log("error", "service failed to start", { service: slot.id, error: cause });
    slot.become({ tag: "Failed", why, fix });
    await Effect.runPromiseExit(Scope.close(scope, Exit.void));
  }
};

const run = async (service: Service, host: Host, scope: Scope.Scope): Promise<Running<Contract>> => {
  const starting = service.start(host);
  if (!Effect.isEffect(starting)) return starting;
  const exit = await Effect.runPromiseExit(Scope.provide(starting, scope));
  if (Exit.isSuccess(exit)) return exit.value;
  throw Cause.squash(exit.cause);
};
