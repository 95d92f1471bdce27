/**
 * The layers of a kernel without a network, one for each part. What a layer acquires is released in reverse: calls end first, then
 * services, then state and tracer.
 *
 * Not here: their order (`composition.ts`), the server and the transports (`network.ts`).
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type Contract, FairleadError } from "@fairlead/contracts";
import { kernel } from "@fairlead/contracts/kernel";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import { loadOnce } from "../call/load-once.ts";
import { connect } from "../call/memory-transport.ts";
import type { SpanKind } from "../call/span.ts";
import { LiveCatalog } from "../catalog/catalog.ts";
import { type Config, tokenFilePath } from "../config/config.ts";
import { secretVariables } from "../config/environment.ts";
import { readSections } from "../config/sections.ts";
import { makeDispatch } from "../dispatch/dispatch.ts";
import { makeGate, refuseEarly } from "../dispatch/gate.ts";
import { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import { Relays } from "../dispatch/relays.ts";
import { makeHost } from "../host/host.ts";
import { runServices, type ServiceRun, type ServiceSource } from "../host/lifecycle.ts";
import { trapExit } from "../host/module.ts";
import type { LoadedService } from "../host/registry.ts";
import { ServiceInstance } from "../host/service-instance.ts";
import { attempt } from "../host/start-service.ts";
import { makeMetrics } from "../observe/metrics.ts";
import { defaultStateDir } from "../owner/places.ts";
import { makeAdmission } from "../policy/admission.ts";
import type { Runs } from "../runs/open-runs.ts";
import type { Sessions } from "../service/sessions.ts";
import { type LazyState, lazyState } from "../state/lazy-state.ts";
import { completeSettings } from "../supervision/settings.ts";
import { makeSupervisor } from "../supervision/supervisor.ts";
import { kernelService } from "./kernel-service.ts";
import type { Outside } from "./outside/placing.ts";
import * as Parts from "./parts.ts";

export const metricsLayer = Layer.sync(Parts.KernelMetrics, () => makeMetrics());

/** The folder below which the kernel and its services keep what must survive a restart. */
const stateFolder = (config: Config, env: Readonly<Record<string, string | undefined>>): string =>
  config.stateDir ?? defaultStateDir(env);

export const stateLayer = Layer.effect(
  Parts.KernelState,
  Effect.gen(function* () {
    const { env, state: given, answers, isWorker = false } = yield* Parts.KernelInputs;
    const own = answers !== undefined && { answers: () => Promise.resolve(answers) };
    if (given !== undefined) return { ...given, ...own, scope: yield* Effect.scope };
    const config = yield* Parts.KernelConfig;
    const log = yield* Parts.KernelLog;
    const folder = join(stateFolder(config, env), "kernel");
    const state = yield* Effect.acquireRelease(
      Effect.sync(() => lazyState(folder, log)),
      ({ close }) => Effect.promise(close),
    );
    const { store } = config;
    const shared =
      store === undefined
        ? undefined
        : yield* Effect.acquireRelease(
            Effect.sync(() => shareAnswers({ settings: store.postgres, env, log, isWorker }, state)),
            ({ close }) => Effect.promise(close),
          );
    return { ...state, ...shared, ...own, close: state.close, scope: yield* Effect.scope };
  }),
);

/** What of the state is shared with other kernels, opened at once: `/readyz` says from the start that it cannot be used, the log and `fairlead doctor` why. */
const shareAnswers = (options: Parameters<StoreModule["openPostgresStore"]>[0], { problem }: LazyState) => {
  let opened: PostgresStore | undefined;
  let failed: FairleadError | undefined;
  const fail = (cause: FairleadError): never => {
    if (failed === undefined) options.log("error", "answers of keyed calls cannot be stored", { cause });
    failed = cause;
    // What is missing where is not the callers' to know.
    const message = "the shared store of answers cannot be used";
    throw new FairleadError(
      { code: cause.code, message, hint: "an operator finds why by `fairlead doctor`" },
      { cause },
    );
  };
  const open = loadOnce(() =>
    loadStore()
      .then(({ openPostgresStore }) => {
        opened = openPostgresStore(options);
        failed = undefined;
        return opened;
      })
      .catch(fail),
  );
  const first = open().then(
    ({ look }) => void look(),
    () => undefined,
  );
  const missing = () =>
    failed && {
      why: "answers of keyed calls cannot be stored: the shared store of answers cannot be used",
      fix: "run `fairlead doctor` and see the kernel's log",
    };
  return {
    answers: () => open().then(({ answers }) => answers),
    problem: () => missing() ?? opened?.problem() ?? problem(),
    close: () => first.then(() => opened?.close()),
  };
};

type StoreModule = typeof import("../store/open-answers.ts");
type PostgresStore = ReturnType<StoreModule["openPostgresStore"]>;

/** Rejects where PostgreSQL's client is not installed. */
const loadStore = (): Promise<StoreModule> =>
  import("../store/open-answers.ts").catch((cause: unknown) => {
    const message = "a store in PostgreSQL is configured, and its client cannot be loaded";
    const hint = "`npm install pg@8.23.1` in this project";
    throw new FairleadError({ code: "failed_precondition", message, hint }, { cause });
  });

/** A supervisor without children: `servicesLayer` adds them. Until they are down, none of them can end the process. */
export const supervisionLayer = Layer.effect(
  Parts.KernelSupervision,
  Effect.andThen(
    Effect.acquireRelease(Effect.sync(trapExit), (release) => Effect.sync(release)),
    makeSupervisor({ id: "services", startup: "at-once" }),
  ),
);

export const registryLayer = Layer.effect(
  Parts.KernelRegistry,
  Effect.gen(function* () {
    const { services, redactor } = yield* Parts.KernelInputs;
    const metrics = yield* Parts.KernelMetrics;
    const contracts = [kernel, ...services.map(({ contract }) => contract)];
    const instances = new Map(
      contracts.map((contract) => [contract.id, new ServiceInstance(contract, Date.now(), redactor)]),
    );
    const procedures = new Map<string, HostedProcedure>();
    const host = (instance: ServiceInstance): void => {
      for (const [name, hosted] of procedures) if (hosted.instance === instance) procedures.delete(name);
      for (const name of Object.keys(instance.contract.procedures)) {
        const procedure = new HostedProcedure(instance, name, { metrics, admission: makeAdmission });
        procedures.set(procedure.entry.name, procedure);
      }
    };
    for (const instance of instances.values()) host(instance);
    const relays = new Relays(instances, procedures);
    const adopt = (contract: Contract): void => {
      const instance = instances.get(contract.id);
      instance?.adopt(contract);
      if (instance !== undefined) host(instance);
    };
    return { instances, procedures, relays, adopt, catalog: new LiveCatalog(procedures, relays, instances) };
  }),
);

export const dispatchLayer = Layer.effect(
  Parts.KernelDispatch,
  Effect.gen(function* () {
    const { procedures, relays, catalog } = yield* Parts.KernelRegistry;
    const { answers } = yield* Parts.KernelState;
    const { open: tracer } = yield* Parts.KernelTracer;
    const { log: logs } = yield* Parts.KernelConfig;
    const { redactor } = yield* Parts.KernelInputs;
    return makeDispatch({
      procedures,
      relays,
      explain: (name) => catalog.explain(name),
      tracer,
      gate: makeGate((yield* Parts.KernelRates).calls),
      answers,
      events: yield* Parts.KernelEvents,
      log: yield* Parts.KernelLog,
      logs,
      ...(redactor !== undefined && { redactor }),
      random: Math.random,
    });
  }),
);

/** Milliseconds that a kernel has to start before it looks for runs that an earlier one left. */
const lookForRunsMs = 250;

/** Runs are opened when one is started or asked for, and where an earlier kernel may have left some. */
export const runsLayer = Layer.effect(
  Parts.KernelRuns,
  Effect.gen(function* () {
    const dispatch = yield* Parts.KernelDispatch;
    const { procedures } = yield* Parts.KernelRegistry;
    const events = yield* Parts.KernelEvents;
    const { stays = true, hasFolder = true } = yield* Parts.KernelInputs;
    const claims = !stays ? "ends_with_caller" : hasFolder ? "yes" : "no_folder";
    const ownerId = randomUUID();
    const { runs: store, isThere } = yield* Parts.KernelState;
    let isOpen = false;
    const open = loadOnce(() => {
      isOpen = true;
      return import("../runs/open-runs.ts").then(({ openRuns }) =>
        openRuns({
          store,
          kernel: ownerId,
          claims,
          call: (request) => dispatch.call(request),
          find: (name) => {
            const target = procedures.get(name);
            return (
              target && {
                procedure: target.entry.procedure,
                access: target.access,
                check: (request) => refuseEarly(target, request),
              }
            );
          },
          isClosing: () => dispatch.open.closing !== undefined,
          isDraining: (name) => procedures.get(name)?.instance.state.tag === "Draining",
          onState: ({ id, procedure, state: { tag }, attempt }) =>
            events.emit("run.state", procedure.split(".")[0] ?? procedure, { id, procedure, state: tag, attempt }),
          uptime: () => performance.now(),
          now: Date.now,
          random: Math.random,
        }),
      );
    });
    const whenOpen = (use: (runs: Runs) => Promise<void>): Promise<void> =>
      isOpen
        ? open()
            .then(use)
            .catch(() => undefined)
        : Promise.resolve();
    yield* Effect.addFinalizer(() => Effect.promise(() => whenOpen((runs) => runs.close())));
    const look = Effect.suspend(() => (isOpen ? Effect.void : Effect.exit(Effect.tryPromise(open))));
    if (claims === "yes" && isThere())
      yield* Effect.forkScoped(Effect.andThen(Effect.sleep(lookForRunsMs), look), { startImmediately: true });
    return { open, interrupt: () => whenOpen((runs) => runs.interrupt()) };
  }),
);

const noPage = () => Promise.resolve(undefined);
const noTools = () => Promise.resolve([]);

/**
 * Starts the services, the kernel's own first. When the kernel closes, calls that wait for one are ended before anything stops; those
 * that run are drained service by service.
 */
export const servicesLayer = Layer.effect(
  Parts.KernelSources,
  Effect.gen(function* () {
    const { env, sections, supervision, schema, services, ...rest } = yield* Parts.KernelInputs;
    const { code = "needed", stays = true, hasFolder = true, redactor, starts, peers, page = noPage } = rest;
    const [events, log, metrics] = [yield* Parts.KernelEvents, yield* Parts.KernelLog, yield* Parts.KernelMetrics];
    const [dispatch, supervisor] = [yield* Parts.KernelDispatch, yield* Parts.KernelSupervision];
    const { instances, procedures, relays, catalog, adopt } = yield* Parts.KernelRegistry;
    const [lateRuns, fronts] = [yield* Parts.KernelRuns, yield* Parts.KernelFronts];
    const config = yield* Parts.KernelConfig;
    const { services: given } = config;
    const { open: tracer } = yield* Parts.KernelTracer;
    const own = kernelService({
      instances,
      procedures,
      relays,
      metrics,
      events,
      startedAt: events.start,
      contracts: () => [...instances.values()].map(({ contract }) => contract),
      dispatch,
      schema,
      tools: rest.tools ?? noTools,
      page,
      supervisor,
      redactor,
      runs: lateRuns.open,
      children: () => fronts.children(),
      nodes: () => fronts.nodes(),
      access: {
        file: hasFolder ? tokenFilePath(config, env) : undefined,
        configured: config.tokens,
        origins: config.origins,
        hosts: config.hosts,
      },
      spans: (traceId) => tracer?.kept?.(traceId) ?? [],
    });
    const { scope } = yield* Parts.KernelState;
    const openPlaces = yield* Effect.cached(
      Effect.flatMap(Effect.promise(loadPlacing), ({ openOutside }) =>
        openOutside({
          ...{ config, env, log, stays, isWorker: rest.isWorker === true, scope },
          ...{ dispatch, contract: (id) => instances.get(id)?.contract },
        }),
      ),
    );
    // Before the first service that is placed starts.
    let outside: Outside | undefined;
    const host = {
      sections,
      stays,
      ...(config.cluster !== undefined && { sessions: (id: string) => sessionsOutside(outside, id) }),
      stateDir: stateFolder(config, env),
      env: withoutSecrets(env),
      events,
      log,
      span: (name: string, kind: SpanKind) => tracer?.start(name, undefined, kind),
      connect: peers ?? connect.bind(undefined, dispatch),
    };
    /** Its settings are read by the schema that it declares now. */
    const reload = ({ contract: { id }, reload: load }: LoadedService): ServiceRun["reload"] =>
      load &&
      Effect.flatMap(load, (service) =>
        attempt(() => {
          if (instances.get(id)?.isLoaded === false) adopt(service.contract);
          const own = Object.hasOwn(given, id) ? { [id]: given[id] } : {};
          return { service, host: makeHost(id, { ...host, sections: readSections(own, [service], redactor) }) };
        }),
      );
    const sources = new Map<string, ServiceSource>();
    const runs = [own, ...services].flatMap((service: LoadedService): readonly ServiceRun[] => {
      const instance = instances.get(service.contract.id);
      if (instance === undefined) return [];
      const settings = supervision?.get(instance.id) ?? completeSettings(service.supervision);
      const source = { service, host: makeHost(instance.id, host) };
      sources.set(instance.id, source);
      return [{ instance, source, code, settings, reload: reload(service) }];
    });
    runServices(supervisor, runs, {
      log,
      place: (service, { stopMs }) =>
        service.contract.id === kernel.id || runsHere(service, config)
          ? Effect.succeed(service)
          : Effect.flatMap(openPlaces, (places) => {
              outside = places;
              fronts.nodes = places.nodes;
              return places.place(service, { ...host, stopMs });
            }),
      starts: starts && [kernel.id, ...starts],
      onSlowStart: (id, waitsFor) => events.emit("service.slow_start", id, { waitsFor }),
      drain: (instance, times) =>
        Effect.flatMap(
          Effect.promise(() => import("../dispatch/drain.ts")),
          ({ drain }) => drain(dispatch.open, instance, times),
        ),
      onChange: ({ id, state: { tag, ...details } }) => {
        events.emit("service.state", id, { state: tag, ...details });
        if (tag === "Backoff") metrics.restarts.set(id, (metrics.restarts.get(id) ?? 0) + 1);
        if (tag === "Ready") catalog.refresh();
      },
    });
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        dispatch.endWaiting(shuttingDown());
        return lateRuns.interrupt();
      }),
    );
    // Before its services: what they own goes to the others while they still run.
    yield* Effect.addFinalizer(() => Effect.suspend(() => outside?.leave ?? Effect.void));
    return { sources, hostWith: (id, changed) => makeHost(id, { ...host, sections: changed }) };
  }),
);

/** Takes calls of a kernel's services over NATS for as long as the scope. */
export const offerOverNats = Effect.fnUntraced(function* (isOnlyDescribed: boolean) {
  const { loadNats, noNats } = yield* Effect.promise(loadPlacing);
  const { nats: settings = noNats } = yield* Parts.KernelConfig;
  const { env } = yield* Parts.KernelInputs;
  const { instances } = yield* Parts.KernelRegistry;
  const [log, dispatch] = [yield* Parts.KernelLog, yield* Parts.KernelDispatch];
  const load = Effect.tryPromise({ try: loadNats, catch: (cause) => cause as FairleadError });
  return yield* Effect.flatMap(load, ({ offerServices }) =>
    offerServices({ settings, env, log }, { instances, dispatch, isOnlyDescribed }),
  );
});

/** Why calls end when the kernel closes. */
export const shuttingDown = (): FairleadError =>
  new FairleadError({
    code: "unavailable",
    message: "the kernel is shutting down",
    hint: "try again when it is back",
  });

/** Read where a service is placed, or calls come over NATS. */
export const loadPlacing = () => import("./outside/placing.ts");

/** Whether nothing is configured by which it would run elsewhere. */
const runsHere = ({ contract, placement: own }: LoadedService, config: Config): boolean => {
  const { placement, workers, nats, cluster } = config;
  const place = (Object.hasOwn(placement, contract.id) ? placement[contract.id] : undefined) ?? own ?? "local";
  return place === "local" && workers === undefined && nats === undefined && cluster === undefined;
};

const sessionsOutside = (outside: Outside | undefined, service: string): Promise<Sessions> =>
  outside?.sessions?.(service) ?? Promise.reject(new Error(`${service} is not placed yet`));

/** Services see the environment, but not the kernel's own secrets. */
const withoutSecrets = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> =>
  Object.freeze({ ...env, ...Object.fromEntries(secretVariables.map((name) => [name, undefined])) });
