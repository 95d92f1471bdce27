/**
 * Puts a kernel together from its layers, without any network, and launches it. The composition root of every entry; `kernel.ts`
 * adds the listening server, `memory.ts` nothing.
 */
import type { WireError } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import type { Dispatch } from "../call/call.ts";
import { type Config, tokenFilePath } from "../config/config.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { Events } from "../observe/event.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Tracer } from "../observe/trace.ts";
import { Rates } from "../policy/rate.ts";
import type { Catalog } from "../transport/transport.ts";
import {
  dispatchLayer,
  metricsLayer,
  registryLayer,
  runsLayer,
  servicesLayer,
  shuttingDown,
  stateLayer,
  supervisionLayer,
} from "./layers.ts";
import * as Parts from "./parts.ts";

interface CompositionOptions extends Parts.Inputs {
  readonly config: Config;
  readonly events: Events;
  readonly log: Log;
  readonly tracer?: Tracer;
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
  /** All parts, for the layers of a network. */
  readonly parts: Context.Context<Parts.KernelParts>;
  /** Resolves when a service whose `exceeded` is `escalate` failed too often: the kernel is to be closed. */
  readonly gaveUp: Promise<WireError>;
  /** Ends running calls with `unavailable`. */
  endCalls(): void;
  /** Refuses calls, lets running ones finish for a while or ends them, stops the services, closes the state. */
  close(): Promise<void>;
}

/** The layers of a kernel. A test replaces one with `{ ...kernelLayers(options), metrics: fake }`. */
export const kernelLayers = ({ config, events, log, tracer, ...inputs }: CompositionOptions) => ({
  inputs: Layer.succeed(Parts.KernelInputs, inputs),
  config: Layer.succeed(Parts.KernelConfig, config),
  log: Layer.succeed(Parts.KernelLog, log),
  events: Layer.succeed(Parts.KernelEvents, events),
  metrics: metricsLayer,
  tracer: Layer.effect(
    Parts.KernelTracer,
    Effect.acquireRelease(Effect.succeed({ open: tracer }), ({ open }) =>
      open === undefined ? Effect.void : Effect.promise(() => open.close()),
    ),
  ),
  state: stateLayer,
  supervision: supervisionLayer,
  registry: registryLayer,
  dispatch: dispatchLayer,
  runs: runsLayer,
  rates: Layer.sync(Parts.KernelRates, () => ({ requests: new Rates(), calls: new Rates() })),
  fronts: Layer.sync(Parts.KernelFronts, () => ({ children: () => [], nodes: () => [] })),
  services: servicesLayer,
});

export type KernelLayers = ReturnType<typeof kernelLayers>;

/** All parts, each built after those it needs. */
const kernelLayer = (layers: KernelLayers): Layer.Layer<Parts.KernelParts> =>
  layers.services.pipe(
    Layer.provideMerge(layers.runs),
    Layer.provideMerge(layers.dispatch),
    Layer.provideMerge(layers.supervision),
    Layer.provideMerge(layers.registry),
    Layer.provideMerge(layers.state),
    Layer.provideMerge(
      Layer.mergeAll(layers.metrics, layers.tracer, layers.log, layers.events, layers.rates, layers.fronts),
    ),
    Layer.provideMerge(Layer.mergeAll(layers.inputs, layers.config)),
  );

/** Launches a kernel. Calls wait for services that are still starting. */
export const compose = (options: CompositionOptions): Composition => launch(kernelLayers(options), options);

/** Launches a kernel from layers of the caller's choice. */
export const launch = (
  layers: KernelLayers,
  { config, env }: Pick<CompositionOptions, "config" | "env">,
): Composition => {
  const scope = Scope.makeUnsafe();
  const parts = Effect.runSync(Layer.buildWithScope(kernelLayer(layers), scope));
  const dispatch = Context.get(parts, Parts.KernelDispatch);
  const { catalog, instances } = Context.get(parts, Parts.KernelRegistry);
  return {
    dispatch,
    catalog,
    instances,
    metrics: Context.get(parts, Parts.KernelMetrics),
    events: Context.get(parts, Parts.KernelEvents),
    tokenFile: tokenFilePath(config, env),
    parts,
    gaveUp: Effect.runPromise(Context.get(parts, Parts.KernelSupervision).gaveUp),
    endCalls: () => dispatch.endAll(shuttingDown()),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  };
};

/** Who asks for workers expects them to work; what may run in them is for contracts to say. */
export const warnOfIdleWorkers = (
  log: Log,
  { workers, placement }: Config,
  services: Parts.Inputs["services"],
): void => {
  if (workers === undefined) return;
  const canUse = services.some(
    ({ contract: { id, procedures }, placement: declared }) =>
      (placement[id] ?? declared ?? "local") === "local" &&
      Object.values(procedures).some(({ placement: where = "here" }) => where !== "here"),
  );
  if (canUse) return;
  log("warn", "no service can use workers, so none are started", {
    fix: 'give procedures `placement: "stateless"` or `{ keyedBy: ... }` in their contract',
  });
};
