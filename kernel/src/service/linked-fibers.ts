/**
 * Watches the scopes that a service's run acquires things in.
 *
 * Links the fibers that are forked in them, as OTP links processes: one that fails ends the run of its service, also when another fiber
 * waits for it and handles its failure, since Effect does not say who observes a fiber. A failure that is expected is handled in the
 * fiber. `forkScoped` and `forkIn` link; `forkChild` and `forkDetach` do not. A fiber that ends well, or is interrupted, ends nothing else.
 *
 * Names what is being released, so that the log can say which finalizer hangs or has thrown: by what its layer gives, and by the
 * `Effect.fn` or the span that it was added in.
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
import { CurrentStackFrame, type StackFrame } from "effect/References";
import type * as Scope from "effect/Scope";

/** What the scopes of one run report. */
export interface RunWatch {
  /** A linked fiber has failed. */
  readonly fiberFailed: (error: unknown) => void;
  readonly releases: Releases;
}

/** A finalizer that runs. One that closes a scope with others is known by those. */
interface Release {
  readonly name: string;
  readonly parent: Release | undefined;
  /** Others within it that run. */
  inner: number;
  /** One within it has failed, which makes it fail as well. */
  hasFailedInner: boolean;
}

/** The finalizer that the running fiber is in, also one that was forked for it. */
const CurrentRelease: Context.Reference<Release | undefined> = Context.Reference("@fairlead/kernel/CurrentRelease", {
  defaultValue: (): Release | undefined => undefined,
});

/** Which finalizers run now, and which have failed, in words. */
export class Releases {
  readonly #running = new Set<Release>();
  readonly #failed: string[] = [];

  /** What hangs, if nothing ends any more. */
  get running(): readonly string[] {
    return [...this.#running].filter(({ inner }) => inner === 0).map(({ name }) => name);
  }

  get failed(): readonly string[] {
    return this.#failed;
  }

  /** A finalizer, which is known by its name while it runs. */
  watch(name: () => string, finalizer: Effect.Effect<unknown>): Effect.Effect<unknown> {
    return Effect.flatMap(CurrentRelease, (parent) => {
      const release: Release = { name: name(), parent, inner: 0, hasFailedInner: false };
      this.#running.add(release);
      if (parent !== undefined) parent.inner += 1;
      return Effect.provideService(finalizer, CurrentRelease, release).pipe(
        Effect.onExit((exit) => Effect.sync(() => this.#ended(release, isFault(exit)))),
      );
    });
  }

  #ended(release: Release, hasFailed: boolean): void {
    const { name, parent, hasFailedInner } = release;
    this.#running.delete(release);
    if (parent !== undefined) parent.inner -= 1;
    if (!hasFailed) return;
    if (parent !== undefined) parent.hasFailedInner = true;
    if (!hasFailedInner) this.#failed.push(name);
  }
}

const isFault = (exit: Exit.Exit<unknown, unknown>): exit is Exit.Failure<unknown, unknown> =>
  exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause);

/** Where the scopes of the service that is being started report. */
export const CurrentRun: Context.Reference<RunWatch> = Context.Reference("@fairlead/kernel/CurrentRun", {
  defaultValue: (): RunWatch => ({ fiberFailed: () => undefined, releases: new Releases() }),
});

type Finalizers = NonNullable<Scope.State.Open["finalizers"]>;
type Finalizer = (exit: Exit.Exit<unknown, unknown>) => Effect.Effect<unknown>;

/** Whose a scope is, in words. */
type ScopeOwner = () => string;

/** The finalizers of a scope, which sees who is registered. */
class LinkedFinalizers extends Map<object, Finalizer> {
  readonly #watch: RunWatch;
  readonly #owner: ScopeOwner;

  constructor(watch: RunWatch, owner: ScopeOwner) {
    super();
    this.#watch = watch;
    this.#owner = owner;
    // Effect drops the map of a scope without finalizers: this one never runs out.
    super.set(this, () => Effect.void);
  }

  override set(key: object, finalizer: Finalizer): this {
    if (isScope(key)) {
      linkFibers(key, this.#watch, this.#owner);
      return super.set(key, finalizer);
    }
    const isFiber = Fiber.isFiber(key);
    if (isFiber) key.addObserver((exit) => isFault(exit) && this.#watch.fiberFailed(Cause.squash(exit.cause)));
    const frame = currentFrame();
    const name = (): string => `${isFiber ? "a fiber" : "a finalizer"} of ${this.#owner()}${frameText(frame)}`;
    return super.set(key, (exit) =>
      this.#watch.releases.watch(
        name,
        Effect.suspend(() => finalizer(exit)),
      ),
    );
  }
}

/** The innermost `Effect.fn` or span that the running fiber is in. */
const currentFrame = (): StackFrame | undefined => {
  const fiber = Fiber.getCurrent();
  return fiber === undefined ? undefined : Context.get(fiber.context, CurrentStackFrame);
};

/** `, added in Stock.open (stock.ts:12:9)`, as far as it is known. */
const frameText = (frame: StackFrame | undefined): string => {
  if (frame === undefined) return "";
  const place = frame.stack()?.split("/").at(-1)?.split(")")[0];
  return `, added in ${frame.name}${place === undefined ? "" : ` (${place})`}`;
};

const start: ScopeOwner = () => "its start";

/** From now on what is registered in this scope, or in one that is forked from it, reports to the watch. */
export const linkFibers = (scope: Scope.Scope, watch: RunWatch, owner: ScopeOwner = start): void => {
  if (scope.state._tag === "Closed") return;
  const finalizers = new LinkedFinalizers(watch, owner);
  if (scope.state._tag === "Open") {
    const { finalizerKey, finalizer, finalizers: others = new Map() } = scope.state;
    if (finalizerKey !== undefined && finalizer !== undefined) finalizers.set(finalizerKey, finalizer);
    for (const [key, other] of others) finalizers.set(key, other);
  }
  scope.state = { _tag: "Open", finalizerKey: undefined, finalizer: undefined, finalizers: finalizers as Finalizers };
};

/** The same for the scopes of layers: each gets one of its own from the map that they are built with. */
export const linkedMemoMap = (inner: Layer.MemoMap, watch: RunWatch): Layer.MemoMap => {
  const linked: Layer.MemoMap = Object.create(inner, {
    getOrElseMemoize: {
      value: ((layer, scope, build) =>
        inner.getOrElseMemoize(layer, scope, (_, layerScope) => {
          let provided: readonly string[] = [];
          linkFibers(layerScope, watch, () =>
            provided.length === 0 ? "its layer" : `its layer of ${provided.join(", ")}`,
          );
          return Effect.tap(build(linked, layerScope), (context) =>
            Effect.sync(() => {
              provided = [...context.mapUnsafe.keys()];
            }),
          );
        })) satisfies Layer.MemoMap["getOrElseMemoize"],
    },
  });
  return linked;
};

const isScope = (key: object): key is Scope.Scope => "strategy" in key && "state" in key;
