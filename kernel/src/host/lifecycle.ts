/**
 * Services as children of one supervision tree: started at once, side by side, restarted when they fail, stopped in reverse. What a
 * service acquires in its scope is released before it is started again.
 */
import type { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import { enterService } from "../call/ambient.ts";
import type { Log } from "../observe/log.ts";
import type { Host } from "../service/host.ts";
import { CurrentRun, Releases } from "../service/linked-fibers.ts";
import type { Service } from "../service/service.ts";
import { slowStartMs, toEnding } from "../supervision/child-run.ts";
import type { ChildSpec, RunningChild, StopFault } from "../supervision/child-spec.ts";
import type { ChildChange, ChildState } from "../supervision/child-state.ts";
import type { ServiceSupervision } from "../supervision/settings.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import type { LoadedService } from "./registry.ts";
import { type CodeLoading, HandlerMismatch, listChildren, type ServiceInstance } from "./service-instance.ts";
import { attempt, startService } from "./start-service.ts";

/** The code of a service, and what that gets. Whoever puts other code here restarts the service. */
export interface ServiceSource {
  service: LoadedService;
  host: Host;
}

export interface ServiceRun {
  readonly instance: ServiceInstance;
  readonly source: ServiceSource;
  readonly code: CodeLoading;
  readonly settings: ServiceSupervision;
  /** Loads its module again, with its settings; `undefined` where it has none. */
  readonly reload?: Effect.Effect<ServiceSource, FairleadError> | undefined;
}

export interface RunOptions {
  readonly log: Log;
  /** Services that start at once, with those that they start after; the others start when something needs them. Default: all. */
  readonly starts?: readonly string[] | undefined;
  /** Lets the running calls of a service finish, or ends them; gives the procedures whose handlers go on after all. */
  readonly drain: (
    instance: ServiceInstance,
    times: { readonly graceMs: number; readonly stopMs: number },
  ) => Effect.Effect<readonly string[]>;
  /** The service as it runs in its place. */
  readonly place: (service: LoadedService, settings: ServiceSupervision) => Effect.Effect<LoadedService, FairleadError>;
  /** Called when a start goes on for long, with what it waits for. */
  readonly onSlowStart: (service: string, waitsFor: string) => void;
  /** Called at every change of a service's state. */
  readonly onChange: (change: ChildChange) => void;
}

/** Starts services as children of a supervisor, which keeps them running. */
export const runServices = (
  supervisor: Supervisor,
  runs: readonly ServiceRun[],
  { onChange, starts, ...options }: RunOptions,
): void => {
  const instances = new Map(runs.map(({ instance }) => [instance.id, instance]));
  const logs = new Map(runs.map(({ instance: { id } }) => [id, new FailureLog(id, options.log)]));
  supervisor.onChange((change) => {
    instances.get(change.id)?.follow(change.state);
    logs.get(change.id)?.follow(change.state);
    onChange(change);
  });
  for (const run of runs) {
    const failures = logs.get(run.instance.id) ?? new FailureLog(run.instance.id, options.log);
    supervisor.add(serviceChild(run, { ...options, failures }));
  }
  if (starts === undefined) {
    supervisor.start();
    return;
  }
  const startWithNeeds = (ids: readonly string[]): void => {
    for (const id of withNeeds(ids, runs)) supervisor.start(id);
  };
  for (const { instance } of runs) instance.defer(() => startWithNeeds([instance.id]));
  startWithNeeds(starts);
};

/** These services and those that they start after, which come first. */
const withNeeds = (ids: readonly string[], runs: readonly ServiceRun[]): ReadonlySet<string> => {
  const found = new Set(ids);
  // A set that grows while it is walked.
  for (const id of found) {
    const needs = runs.find(({ instance }) => instance.id === id)?.settings.rules.startAfter ?? [];
    for (const need of needs) found.add(need);
  }
  return new Set([...found].toReversed());
};

/**
 * What the log says of the failures of one service: one line for each, with its true error and when it is started again, and one when it
 * works again. The supervisor's states have no stack; the line has it, for whoever must find the fault.
 */
class FailureLog {
  readonly #service: string;
  readonly #log: Log;
  /** Of the start that has just failed. */
  #error: unknown;
  /** The failure of the run was logged when it happened. */
  #isLogged = false;
  /** Since when it has not worked. */
  #downSince: number | undefined;

  constructor(service: string, log: Log) {
    this.#service = service;
    this.#log = log;
  }

  atStart(cause: Cause.Cause<FairleadError>): void {
    this.#error = Cause.hasInterruptsOnly(cause) ? undefined : Cause.squash(cause);
  }

  /** At once: the run still has to be drained, and is not over when the kernel closes meanwhile. */
  whileRunning(error: unknown): void {
    this.#isLogged = true;
    this.#log("error", "service failed while it ran", { service: this.#service, error });
  }

  follow(state: ChildState): void {
    const service = this.#service;
    if (state.tag === "Starting") this.#isLogged = false;
    if ("error" in state) {
      const error = this.#error ?? state.error;
      const next = state.tag === "Backoff" ? { nextStartAt: new Date(state.until).toISOString() } : {};
      this.#downSince ??= state.since;
      if (!this.#isLogged) this.#log("error", "service did not start", { service, ...next, error });
      else if (state.tag === "Failed") this.#log("error", "service stays down", { service, error: state.error });
      this.#error = undefined;
      this.#isLogged = false;
    }
    if (state.tag !== "Ready" || this.#downSince === undefined) return;
    this.#log("info", "service works again", { service, downMs: state.since - this.#downSince });
    this.#downSince = undefined;
  }
}

interface LastRun {
  readonly instance: ServiceInstance;
  readonly releases: Releases;
}

/** What hung or threw, by name. */
const logStopFault = (fault: StopFault, { instance, releases }: LastRun, log: Log): void => {
  const { id: service, step } = instance;
  switch (fault.kind) {
    case "threw":
      log("error", "service did not stop cleanly", { service, what: words(releases.failed), error: fault.error });
      return;
    case "deaf":
      log("error", "the start of a service continues although it was interrupted", {
        service,
        ms: fault.ms,
        what: step,
      });
      return;
    case "cut_off": {
      const children = fault.children.map(({ id, state }) => `${id} (${state.tag})`);
      log("error", "service did not stop in time", { service, ms: fault.ms, what: words(releases.running), children });
    }
  }
};

const words = (names: readonly string[]): string => (names.length === 0 ? "what it acquired" : names.join("; "));

const serviceChild = (
  { instance, source, code, settings, reload }: ServiceRun,
  {
    log,
    drain,
    place,
    onSlowStart,
    failures,
  }: Omit<RunOptions, "onChange" | "starts"> & { readonly failures: FailureLog },
): ChildSpec => {
  const { id } = instance;
  let releases = new Releases();
  let isRestart = false;
  return {
    id,
    rules: settings.rules,
    startMs: settings.startMs,
    shutdownMs: settings.stopMs,
    enter: (begin) => enterService(instance, begin),
    onSlowStart: () => {
      const waitsFor = instance.waitsFor ?? "its start";
      log("warn", "service is still starting", { service: id, ms: slowStartMs, waitsFor });
      onSlowStart(id, waitsFor);
    },
    onStopFault: (fault) => logStopFault(fault, { instance, releases }, log),
    start: Effect.gen(function* () {
      const isBroken = !instance.isLoaded || instance.hasBrokenCode;
      instance.begin((error) => failures.whileRunning(error));
      const { crashed } = instance;
      releases = new Releases();
      const run = { fiberFailed: (error: unknown): void => instance.crash(error), releases };
      if (isRestart && isBroken && reload !== undefined) {
        instance.step = "its import";
        const noted = Effect.tapError(reload, () => Effect.sync(() => instance.noteBrokenCode()));
        Object.assign(source, yield* noted);
      }
      isRestart = true;
      const { host } = source;
      instance.reporter = host;
      const service = yield* place(source.service, settings);
      const running = yield* Effect.provideService(startService(service, host, log), CurrentRun, run);
      // Attached before its code is read: calls of what it relays find it, and wait.
      yield* namingPlace(
        attempt(() => instance.attach(running)),
        service,
      );
      yield* Effect.addFinalizer(() => Effect.sync(() => instance.detach()));
      instance.step = "the code of its handlers";
      if (code === "all") yield* namingPlace(readAllCode(instance, service), service);
      const child: RunningChild = {
        ended: Effect.map(
          Effect.promise(() => crashed),
          (error) => toEnding(Cause.fail(error), id),
        ),
        drain: Effect.map(drain(instance, settings), (procedures) => {
          if (procedures.length > 0)
            log("error", "handlers ignore that their service stops", { service: id, procedures });
        }),
        children: () => listChildren(running),
      };
      return child;
    }).pipe(Effect.tapCause((cause) => Effect.sync(() => failures.atStart(cause)))),
  };
};

/** Says of handlers that do not match their contract where they are. */
const namingPlace = <A>(work: Effect.Effect<A, FairleadError>, { module }: LoadedService) =>
  Effect.catch(work, (error) =>
    error instanceof HandlerMismatch
      ? Effect.flatMap(
          Effect.promise(() => import("./broken-code.ts")),
          ({ mismatched }) => Effect.fail(mismatched(error, module)),
        )
      : Effect.fail(error),
  );

/** What `start` leaves for the first call. It rejects with nothing but a `FairleadError`. */
const readAllCode = (instance: ServiceInstance, { code }: Service): Effect.Effect<void, FairleadError> =>
  Effect.tryPromise({
    try: () => instance.readHandlers().then(() => readCode(instance, code)),
    catch: (cause) => cause as FairleadError,
  });

const readCode = (instance: ServiceInstance, code: Service["code"]): Promise<unknown> | undefined =>
  code?.().catch((cause: unknown) =>
    import("./broken-code.ts").then(({ brokenCode }) => {
      instance.noteBrokenCode();
      throw brokenCode(`the service ${instance.id}`, cause, "install it again");
    }),
  );
