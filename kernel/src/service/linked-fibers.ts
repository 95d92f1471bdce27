/**
 * Links the fibers that are forked in a scope, as OTP links processes: one that fails ends the run of its service, also when another fiber
 * waits for it and handles its failure, since Effect does not say who observes a fiber. A failure that is expected is handled in the
 * fiber. `forkScoped` and `forkIn` link; `forkChild` and `forkDetach` do not. A fiber that ends well, or is interrupted, ends nothing else.
 *
 * Effect registers a forked fiber in its scope under the fiber itself, and a forked scope under that scope; `linked-fibers.test.ts` holds
 * it to that. Not here: what a failure does (`host/lifecycle.ts`).
 */
import * as Cause from "effect/Cause";
import * as Context from "effect/Context";
import * as Effect from "effect/Effect";
import type * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import type * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";

type Report = (error: unknown) => void;

/** Where the failure of a linked fiber is reported: to the run of the service that is being started. */
export const FiberFailure: Context.Reference<Report> = Context.Reference("@fairlead/kernel/FiberFailure", {
  defaultValue: (): Report => () => undefined,
});

type Finalizers = NonNullable<Scope.State.Open["finalizers"]>;
type Finalizer = (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<unknown>;

/** The finalizers of a scope, which sees who is registered. */
class LinkedFinalizers extends Map<object, Finalizer> {
  readonly #report: Report;

  constructor(report: Report) {
    super();
    this.#report = report;
    // Effect drops the map of a scope without finalizers: this one never runs out.
    super.set(this, () => Effect.void);
  }

  override set(key: object, finalizer: Finalizer): this {
    if (Fiber.isFiber(key)) key.addObserver((exit) => this.#ended(exit));
    else if (isScope(key)) linkFibers(key, this.#report);
    return super.set(key, finalizer);
  }

  #ended(exit: Exit.Exit<unknown, unknown>): void {
    if (exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause)) this.#report(Cause.squash(exit.cause));
  }
}

/** From now on the failure of a fiber that is forked in this scope, or in one that is forked from it, is reported. */
export const linkFibers = (scope: Scope.Scope, report: Report): void => {
  if (scope.state._tag === "Closed") return;
  const finalizers = new LinkedFinalizers(report);
  if (scope.state._tag === "Open") {
    const { finalizerKey, finalizer, finalizers: others = new Map() } = scope.state;
    if (finalizerKey !== undefined && finalizer !== undefined) finalizers.set(finalizerKey, finalizer);
    for (const [key, other] of others) finalizers.set(key, other);
  }
  scope.state = { _tag: "Open", finalizerKey: undefined, finalizer: undefined, finalizers: finalizers as Finalizers };
};

/** The same for the scopes of layers: each gets one of its own from the map that they are built with. */
export const linkedMemoMap = (inner: Layer.MemoMap, report: Report): Layer.MemoMap => {
  const linked: Layer.MemoMap = Object.create(inner, {
    getOrElseMemoize: {
      value: ((layer, scope, build) =>
        inner.getOrElseMemoize(layer, scope, (_, layerScope) => {
          linkFibers(layerScope, report);
          return build(linked, layerScope);
        })) satisfies Layer.MemoMap["getOrElseMemoize"],
    },
  });
  return linked;
};

const isScope = (key: object): key is Scope.Scope => "strategy" in key && "state" in key;
