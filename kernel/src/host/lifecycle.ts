/**
 * Services as children of one supervision tree: started at once, side by side, restarted when they fail, stopped in reverse. What a
 * service acquires in its scope is released before it is started again.
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Scope from "effect/Scope";
import type { Log } from "../observe/log.ts";
import type { Host } from "../service/host.ts";
import type { Service } from "../service/service.ts";
import { type ChildSpec, type RunningChild, toEnding } from "../supervision/child-spec.ts";
import type { ChildChange, ChildStatus } from "../supervision/child-state.ts";
import { makeSupervisor } from "../supervision/supervisor.ts";
import type { CodeLoading, ServiceInstance } from "./service-instance.ts";
import { attempt, startService } from "./start-service.ts";

export interface ServiceRun {
  readonly instance: ServiceInstance;
  readonly service: Service;
  readonly host: Host;
  readonly code: CodeLoading;
}

/** Services that are kept running. */
export interface Lifecycle {
  /** Stops a service, if it runs, and starts it; forgives one that had failed too often. */
  restart(id: string): void;
  status(id: string): ChildStatus | undefined;
  /** Stops all, last started first. */
  stop(): Promise<void>;
}

/** Starts services and keeps them running. `onChange` hears of every change of state. */
export const superviseServices = (
  runs: readonly ServiceRun[],
  log: Log,
  onChange: (change: ChildChange) => void,
): Lifecycle => {
  const scope = Scope.makeUnsafe();
  const children = runs.map((run) => childOf(run, log));
  const supervisor = Effect.runSync(
    makeSupervisor({ id: "services", startup: "at-once", children }).pipe(Scope.provide(scope)),
  );
  const instances = new Map(runs.map(({ instance }) => [instance.id, instance]));
  supervisor.onChange((change) => {
    instances.get(change.id)?.follow(change.state);
    if ("error" in change.state) log("error", "service failed", { service: change.id, error: change.state.error });
    onChange(change);
  });
  supervisor.start();
  return {
    restart: (id) => supervisor.restart(id),
    status: (id) => supervisor.status(id),
    stop: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
};

const childOf = ({ instance, service, host, code }: ServiceRun, log: Log): ChildSpec => ({
  id: instance.id,
  start: Effect.gen(function* () {
    const running = yield* startService(service, host, log);
    // Attached before its code is read: calls of what it relays find it, and wait.
    yield* attempt(() => instance.attach(running));
    yield* Effect.addFinalizer(() => Effect.sync(() => instance.detach()));
    if (code === "all") yield* readHandlers(instance);
    const broken = Effect.map(
      Effect.promise(() => instance.broken),
      (error) => toEnding(Cause.fail(error), instance.id),
    );
    const child: RunningChild = { ended: broken, children: () => running.children?.() ?? [] };
    return child;
  }),
});

/** It rejects with nothing but a `FairleadError`. */
const readHandlers = (instance: ServiceInstance): Effect.Effect<void, FairleadError> =>
  Effect.tryPromise({ try: () => instance.readHandlers(), catch: (cause) => cause as FairleadError });
