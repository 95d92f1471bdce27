/**
 * Services as children of one supervision tree: started at once, side by side, restarted when they fail, stopped in reverse. What a
 * service acquires in its scope is released before it is started again.
 */
import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import type { Log } from "../observe/log.ts";
import type { Host } from "../service/host.ts";
import type { Service } from "../service/service.ts";
import { type ChildSpec, type RunningChild, toEnding } from "../supervision/child-spec.ts";
import type { ChildChange } from "../supervision/child-state.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import type { CodeLoading, ServiceInstance } from "./service-instance.ts";
import { attempt, startService } from "./start-service.ts";

export interface ServiceRun {
  readonly instance: ServiceInstance;
  readonly service: Service;
  readonly host: Host;
  readonly code: CodeLoading;
}

export interface RunOptions {
  readonly log: Log;
  /** Called at every change of a service's state. */
  readonly onChange: (change: ChildChange) => void;
}

/** Starts services as children of a supervisor, which keeps them running. */
export const runServices = (
  supervisor: Supervisor,
  runs: readonly ServiceRun[],
  { log, onChange }: RunOptions,
): void => {
  const instances = new Map(runs.map(({ instance }) => [instance.id, instance]));
  supervisor.onChange((change) => {
    instances.get(change.id)?.follow(change.state);
    if ("error" in change.state) log("error", "service failed", { service: change.id, error: change.state.error });
    onChange(change);
  });
  for (const run of runs) supervisor.add(serviceChild(run, log));
  supervisor.start();
};

/** The supervisor's states have no stack; the log has it, for whoever must find the line. */
const logDefect =
  (service: string, log: Log) =>
  (cause: Cause.Cause<FairleadError>): Effect.Effect<void> =>
    Effect.sync(() => {
      if (Cause.hasInterruptsOnly(cause)) return;
      const error = Cause.squash(cause);
      if (!(error instanceof FairleadError) || error.cause !== undefined)
        log("error", "service did not start", { service, error });
    });

const serviceChild = ({ instance, service, host, code }: ServiceRun, log: Log): ChildSpec => ({
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
  }).pipe(Effect.tapCause(logDefect(instance.id, log))),
});

/** It rejects with nothing but a `FairleadError`. */
const readHandlers = (instance: ServiceInstance): Effect.Effect<void, FairleadError> =>
  Effect.tryPromise({ try: () => instance.readHandlers(), catch: (cause) => cause as FairleadError });
