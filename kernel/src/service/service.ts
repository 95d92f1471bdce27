/**
 * `defineService`: what ties a contract to its implementation, in one of two shapes.
 *
 * **Plain**: `start(host)` returns or promises the handlers. They give values, promises or async iterables, and `stop` releases
 * what `start` acquired. No Effect in sight:
 *
 * ```ts
 * export default defineService(shop, async (host) => {
 *   const stock = await openStock(host.stateDir());
 *   return {
 *     handlers: {
 *       find: ({ name }, call) => {
 *         const found = stock.find(name);
 *         if (found === undefined) throw call.fail("sold_out", { message: `no ${name} is left` }, { until: 5 });
 *         return found;
 *       },
 *     },
 *     stop: () => stock.close(),
 *   };
 * });
 * ```
 *
 * **Effect**: a layer gives what the handlers need; handlers are `Effect<A, E, R>`, or `Stream<A, E, R>` for subscriptions. `R` is
 * within what the layer gives plus `Call`, `Host` and `Peers`; `E` within the procedure's declared errors and `InfrastructureError`.
 *
 * ```ts
 * const { sold_out } = declaredErrors(shop.procedures.find);
 *
 * export default defineService(shop, {
 *   layer: Stock.layer,
 *   handlers: {
 *     find: ({ name }) =>
 *       Effect.gen(function* () {
 *         const found = yield* (yield* Stock).find(name);
 *         return found ?? (yield* sold_out({ message: `no ${name} is left` }, { until: 5 }));
 *       }),
 *   },
 * });
 * ```
 *
 * Services with processes of their own find those in `@fairlead/kernel/subprocess`. Not here: loading and running services.
 */
import type { Contract, FairleadError, ProcedureName, Schema, SchemaOutput } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { SupervisionSettings } from "../supervision/settings.ts";
import type { EffectService, LayeredService } from "./effect-service.ts";
import type { Host } from "./host.ts";
import type { StartedService } from "./started-service.ts";

/** What a `start` may return: the started service, a promise of it, or a scoped Effect of it, whose scope closes when the service stops. */
export type StartResult<R> = R | Promise<R> | Effect.Effect<R, FairleadError, Scope.Scope>;

/** A service as the kernel loads it. Made by `defineService`. */
export interface Service<C extends Contract = Contract> {
  readonly contract: C;
  /** Starts it; called again after every stop and failure. It may take `startTimeoutMs`. */
  readonly start: (host: Host) => StartResult<StartedService<C>>;
  /** The schema of its section of the configuration; it takes none when left out. An object's schema, since no section is `{}`. */
  readonly config?: Schema;
  /** Imports what `start` leaves for the first call, so that a kernel that wants all of it at once can refuse what is broken. */
  readonly code?: () => Promise<unknown>;
  /** How it is started, stopped and restarted; an operator may override each setting. Default: see `SupervisionSettings`. */
  readonly supervision?: SupervisionSettings;
  /**
   * Where its code runs; an operator may override it. Default `local`, on the kernel's event loop. `thread`: in a thread of its own, for
   * handlers that compute for long; see docs/services.md for what that costs.
   */
  readonly placement?: "local" | "thread";
}

type ExcessHandlers<C extends Contract, H> = { readonly [N in Exclude<keyof H, ProcedureName<C>>]: never };

/** Refuses handlers that the contract does not know; TypeScript looks for excess properties nowhere in what a function returns. */
type NoExcessHandlers<C extends Contract, R> = R extends { readonly handlers: infer H }
  ? {
      readonly handlers: H extends () => Promise<infer Late>
        ? () => Promise<ExcessHandlers<C, Late>>
        : ExcessHandlers<C, H>;
    }
  : unknown;

/** What a service may declare in addition to its start. */
export interface Declarations<S extends Schema | undefined>
  extends Pick<Service, "code" | "supervision" | "placement"> {
  /** The schema of the service's section of the configuration; `host.config` is what it decodes. */
  readonly config?: S;
}

/** What `host.config` is for a service with this schema. */
export type Settings<S> = S extends Schema ? SchemaOutput<S> : undefined;

type Start<C extends Contract, R, S> = (host: Host<Settings<S>>) => StartResult<R & NoExcessHandlers<C, R>>;

/** See the head of this file for both shapes. A missing, extra or wrongly typed handler does not compile in either. */
export interface DefineService {
  /** The plain shape. */
  <C extends Contract, R extends StartedService<C>, S extends Schema | undefined = undefined>(
    contract: C,
    start: Start<C, R, S>,
    declarations?: Declarations<S>,
  ): Service<C>;
  /** The Effect shape with a layer. */
  <C extends Contract, Provided, S extends Schema | undefined = undefined>(
    contract: C,
    service: LayeredService<C, Provided, Settings<S>> & Declarations<S>,
  ): Service<C>;
  /** The plain shape, or the Effect shape without a layer. Last and of both, since TypeScript explains a mistake by the last signature. */
  <C extends Contract, R extends StartedService<C>, S extends Schema | undefined = undefined>(
    contract: C,
    service: Start<C, R, S> | (EffectService<C> & Declarations<S> & { readonly layer?: never }),
    declarations?: Declarations<S>,
  ): Service<C>;
}

/** Ties a contract to its implementation, in the plain or the Effect shape. */
export const defineService: DefineService = <C extends Contract>(
  contract: C,
  implementation:
    | ((host: Host<never>) => StartResult<StartedService<C>>)
    | (EffectService<C> & Partial<LayeredService<C, never, never>> & Declarations<Schema | undefined>),
  declarations?: Declarations<Schema | undefined>,
): Service<C> => {
  const isPlain = typeof implementation === "function";
  const { config, code, supervision, placement } = (isPlain ? declarations : implementation) ?? {};
  const start = isPlain
    ? implementation
    : (host: Host<never>) =>
        // Read when such a service starts: plain ones do without.
        Effect.flatMap(
          Effect.promise(() => import("./effect-service.ts")),
          ({ startEffectService }) => startEffectService(implementation, host),
        );
  return {
    contract,
    // The kernel gives `start` what `config` decoded, and nothing else.
    start: start as Service<C>["start"],
    ...(config !== undefined && { config }),
    ...(code !== undefined && { code }),
    ...(supervision !== undefined && { supervision }),
    ...(placement !== undefined && { placement }),
  };
};
