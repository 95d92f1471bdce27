/**
 * A service in Effects: a layer that gives what the handlers need, and handlers whose Effects have their contract's errors in the
 * type. Not here: the plain shape and what both have in common (`service.ts`).
 */
import type { Contract, FairleadError } from "@fairlead/contracts";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import type { Call, EffectHandlers } from "./handler.ts";
import { Host, Peers } from "./host.ts";
import { CurrentRun, linkedMemoMap } from "./linked-fibers.ts";
import { makePeers } from "./peers.ts";
import type { ServiceDetails, StartedService } from "./started-service.ts";

/** What a layer may need: the kernel provides both. */
export type LayerNeeds = Host | Peers;

/** A layer of a service. It fails with a `FairleadError`: `failed_precondition` and `invalid_argument` are not tried again. */
export type ServiceLayer<Provided> = Layer.Layer<Provided, FairleadError, LayerNeeds>;

/**
 * A service in Effects without a layer: its handlers need nothing but `Call`, `Host`, `Peers` and `Provided`. One that needs anything
 * else does not compile; neither does one that fails with an error which its procedure does not declare.
 */
export interface EffectService<C extends Contract, Provided = never> {
  /** The handlers, or how to read them when a call first needs one. */
  readonly handlers:
    | EffectHandlers<C, Provided | Call | LayerNeeds>
    | (() => Promise<EffectHandlers<C, Provided | Call | LayerNeeds>>);
  /** What the service offers in addition to its handlers, made once when it starts. */
  readonly details?: Effect.Effect<ServiceDetails<C>, FairleadError, Provided | LayerNeeds>;
}

/** A service in Effects whose handlers also find what its layer gives: `Provided`. `Settings`: what `host.config` is. */
export interface LayeredService<C extends Contract, Provided, Settings> extends EffectService<C, NoInfer<Provided>> {
  /** Built when the service starts and released when it stops. A function gets the host with its settings typed. */
  readonly layer: ((host: Host<Settings>) => ServiceLayer<Provided>) | ServiceLayer<Provided>;
}

/** Builds the layer in the service's scope and ties the handlers to what it gives. */
export const startEffectService = Effect.fnUntraced(function* <C extends Contract, Provided, Settings>(
  { layer, handlers, details }: EffectService<C, Provided> & Partial<LayeredService<C, Provided, Settings>>,
  host: Host<Settings>,
): Effect.fn.Return<StartedService<C>, FairleadError, Scope.Scope> {
  const ambient = Context.make(Host, host).pipe(Context.add(Peers, makePeers(host)));
  const own = typeof layer === "function" ? layer(host) : layer;
  const provided = own === undefined ? ambient : yield* buildLinked(Layer.provide(own, Layer.succeedContext(ambient)));
  const context = Context.merge(ambient, provided as Context.Context<Provided>);
  const shown = details === undefined ? {} : yield* Effect.provideContext(details, context);
  return {
    ...shown,
    // The named boundary: dispatch runs each handler's Effect in this context, with its call added.
    handlers: handlers as unknown as StartedService<C>["handlers"],
    context: context as Context.Context<never>,
  };
});

/** A fiber that fails in the background of a layer is reported as the service's failure; finalizers are known by name. */
const buildLinked = <A>(
  layer: Layer.Layer<A, FairleadError>,
): Effect.Effect<Context.Context<A>, FairleadError, Scope.Scope> =>
  Effect.gen(function* () {
    const memoMap = linkedMemoMap(yield* Layer.makeMemoMap, yield* CurrentRun);
    return yield* Layer.buildWithMemoMap(layer, memoMap, yield* Effect.scope);
  });
