/**
 * Puts a kernel together without any network: services in instances, procedures made ready, dispatch over them. The composition root
 * of every way in; `kernel.ts` adds the listening server, `memory.ts` nothing.
 */
import { join } from "node:path";
import { FairleadError } from "@fairlead/contracts";
import type { Dispatch } from "../call/call.ts";
import { LiveCatalog } from "../catalog/catalog.ts";
import { type Config, defaultStateDir, tokenFileOf } from "../config/config.ts";
import type { Sections } from "../config/sections.ts";
import { makeDispatch } from "../dispatch/dispatch.ts";
import { makeGate } from "../dispatch/gate.ts";
import { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import { Relays } from "../dispatch/relays.ts";
import { runDetached } from "../dispatch/run.ts";
import { hostFor } from "../host/host.ts";
import { type Lifecycle, superviseServices } from "../host/lifecycle.ts";
import type { CodeLoading } from "../host/service-instance.ts";
import { ServiceInstance } from "../host/service-instance.ts";
import type { Events } from "../observe/events.ts";
import type { Log } from "../observe/log.ts";
import { type Metrics, makeMetrics } from "../observe/metrics.ts";
import type { Tracer } from "../observe/trace.ts";
import { type Admission, type Bulkhead, makeAdmission } from "../policy/admission.ts";
import { Keyed } from "../policy/idempotency.ts";
import { Rates } from "../policy/rate.ts";
import type { Service } from "../service/service.ts";
import { lazyState } from "../state/lazy-state.ts";
import { connect } from "../transport/memory/memory.ts";
import type { Catalog } from "../transport/transport.ts";
import { kernelService } from "./kernel-service.ts";

export interface Parts {
  readonly config: Config;
  readonly services: readonly Service[];
  /** None where no service has settings. */
  readonly sections?: Sections;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly events: Events;
  readonly log: Log;
  readonly schema: (service: string) => Promise<string | undefined>;
  readonly tracer?: Tracer;
  /** Default `needed`. */
  readonly code?: CodeLoading;
  /** Default true. */
  readonly stays?: boolean;
}

/** A kernel without transports. */
export interface Composition {
  readonly dispatch: Dispatch;
  readonly catalog: Catalog;
  readonly instances: ReadonlyMap<string, ServiceInstance>;
  readonly metrics: Metrics;
  readonly events: Events;
  /** Where `fairlead token` keeps tokens. */
  readonly tokenFile: string;
  /** Ends running calls with `unavailable`. */
  endCalls(): void;
  /** Ends running calls, stops the services in reverse, closes the state. */
  close(): Promise<void>;
}

export const compose = ({
  config,
  services,
  sections,
  env,
  events,
  log,
  schema,
  tracer,
  code = "needed",
  stays = true,
}: Parts): Composition => {
  const metrics = makeMetrics();
  const admission = (procedure: string, bulkhead: Bulkhead): Admission =>
    makeAdmission(procedure, bulkhead, runDetached);
  const instances = new Map<string, ServiceInstance>();
  const procedures = new Map<string, HostedProcedure>();
  const stateDir = config.stateDir ?? defaultStateDir(env);
  const state = lazyState(join(stateDir, "kernel"));

  const ownService = kernelService({
    instances,
    procedures,
    relays: (): Relays => relays,
    metrics,
    events,
    startedAt: Date.now(),
    schema,
    lifecycle: (): Lifecycle => lifecycle,
  });
  const runs = [ownService, ...services].map((service) => {
    const instance = new ServiceInstance(service.contract, Date.now());
    instances.set(instance.id, instance);
    for (const name of Object.keys(instance.contract.procedures)) {
      const target = new HostedProcedure(instance, name, { metrics, admission });
      procedures.set(target.entry.name, target);
    }
    return { instance, service };
  });

  const relays = new Relays(instances, procedures);
  const catalog = new LiveCatalog(procedures, relays);
  const dispatch = makeDispatch({
    procedures,
    relays,
    gate: makeGate(new Rates()),
    keyed: new Keyed(state.answers),
    random: Math.random,
    events,
    log,
    logLevel: config.log.level,
    tracer,
  });
  const host = {
    sections,
    stays,
    stateDir,
    env: withoutSecrets(env),
    events,
    log,
    connect: connect.bind(undefined, dispatch),
  };
  const lifecycle = superviseServices(
    runs.map((run) => ({ ...run, code, host: hostFor(run.instance.id, host) })),
    log,
    ({ id, state: { tag, ...details } }) => {
      events.emit("service.state", id, { state: tag, ...details });
      if (tag === "Ready") catalog.refresh();
    },
  );

  const endCalls = (): void =>
    dispatch.shutdown(
      new FairleadError({
        code: "unavailable",
        message: "the kernel is shutting down",
        hint: "try again when it is back",
      }),
    );

  return {
    dispatch,
    catalog,
    instances,
    metrics,
    events,
    tokenFile: tokenFileOf(config, env),
    endCalls,
    close: async () => {
      endCalls();
      await lifecycle.stop();
      await state.close();
      await tracer?.close();
    },
  };
};

/** Services see the environment, but not the kernel's own secrets. */
const withoutSecrets = (
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> => Object.freeze({ ...env, FAIRLEAD_TOKEN: undefined });
