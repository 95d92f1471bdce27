/** Holds Effect to what linking rests on: a forked fiber, or scope, is registered in its scope under itself. */
import * as Context from "effect/Context";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Layer from "effect/Layer";
import * as Scope from "effect/Scope";
import { expect, it } from "vitest";
import { linkedMemoMap, linkFibers, Releases, type RunWatch } from "./linked-fibers.ts";

const fell = new Error("fell");
const reportTo = (errors: unknown[]): RunWatch => ({
  fiberFailed: (error) => errors.push(error),
  releases: new Releases(),
});
const later = <A, E>(effect: Effect.Effect<A, E>) => Effect.andThen(Effect.yieldNow, effect);

/** What is reported of a fiber that is forked as `fork` says. */
const reported = (fork: (scope: Scope.Closeable) => Effect.Effect<unknown, unknown>): Promise<readonly unknown[]> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const errors: unknown[] = [];
      const scope = yield* Scope.make();
      linkFibers(scope, reportTo(errors));
      yield* Effect.exit(Scope.provide(fork(scope), scope));
      for (let i = 0; i < 20; i++) yield* Effect.yieldNow;
      yield* Scope.close(scope, Exit.void);
      return errors;
    }),
  );

it.each<[string, (scope: Scope.Closeable) => Effect.Effect<unknown, unknown, never>, readonly unknown[]]>([
  ["fails", (scope) => Effect.forkIn(later(Effect.fail(fell)), scope), [fell]],
  ["dies", (scope) => Effect.forkIn(later(Effect.die(fell)), scope), [fell]],
  ["fails at once", (scope) => Effect.forkIn(Effect.fail(fell), scope), [fell]],
  [
    "fails, is waited for and handled by who waits",
    (scope) =>
      Effect.flatMap(Effect.forkIn(later(Effect.fail(fell)), scope), (fiber) => Effect.exit(Fiber.join(fiber))),
    [fell],
  ],
  ["fails and handles it itself", (scope) => Effect.forkIn(Effect.ignore(later(Effect.fail(fell))), scope), []],
  [
    "is a child of another, fails and is handled there",
    () => Effect.flatMap(Effect.forkChild(later(Effect.fail(fell))), (fiber) => Effect.exit(Fiber.join(fiber))),
    [],
  ],
  ["ends well", (scope) => Effect.forkIn(later(Effect.void), scope), []],
  ["is interrupted with its scope", (scope) => Effect.forkIn(Effect.never, scope), []],
  ["is detached and fails", () => Effect.forkDetach(later(Effect.fail(fell))), []],
  [
    "fails in a scope that was forked",
    (scope) => Effect.flatMap(Scope.fork(scope), (inner) => Effect.forkIn(later(Effect.fail(fell)), inner)),
    [fell],
  ],
])("a fiber that %s", async (_, fork, errors) => {
  expect(await reported(fork)).toEqual(errors);
});

it("a layer's fibers are linked, of nested layers too, and its finalizers run in their order", async () => {
  const journal: string[] = [];
  const part = (name: string) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        yield* Effect.addFinalizer(() => Effect.sync(() => journal.push(`first of ${name}`)));
        yield* Effect.forkScoped(later(Effect.fail(name)));
        yield* Effect.addFinalizer(() => Effect.sync(() => journal.push(`second of ${name}`)));
      }),
    );
  const errors = await Effect.runPromise(
    Effect.gen(function* () {
      const found: unknown[] = [];
      const scope = yield* Scope.make();
      const memoMap = linkedMemoMap(yield* Layer.makeMemoMap, reportTo(found));
      yield* Layer.buildWithMemoMap(Layer.provide(part("outer"), part("inner")), memoMap, scope);
      for (let i = 0; i < 20; i++) yield* Effect.yieldNow;
      yield* Scope.close(scope, Exit.void);
      return found;
    }),
  );
  expect(errors.toSorted()).toEqual(["inner", "outer"]);
  expect(journal).toEqual(["second of outer", "first of outer", "second of inner", "first of inner"]);
});

class Stock extends Context.Service<Stock, object>()("shop/Stock") {}

/** A layer whose finalizer does `release`, added in a function of that name. */
const stockLayer = (release: Effect.Effect<void>) => {
  const open = Effect.fn("openStock")(function* () {
    yield* Effect.addFinalizer(() => release);
    return {};
  });
  return Layer.effect(Stock, open());
};

it("the finalizer that runs is known by what its layer gives and where it was added", async () => {
  const released = Deferred.makeUnsafe<void>();
  const [begun, running] = [Deferred.makeUnsafe<void>(), reportTo([])];
  const release = Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(released));
  await Effect.runPromise(
    Effect.gen(function* () {
      const scope = yield* Scope.make();
      linkFibers(scope, running);
      const memoMap = linkedMemoMap(yield* Layer.makeMemoMap, running);
      yield* Layer.buildWithMemoMap(stockLayer(release), memoMap, scope);
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void));
      yield* Deferred.await(begun);
      const place = /^a finalizer of its layer of shop\/Stock, added in openStock \(linked-fibers\.test\.ts:\d+:\d+\)$/;
      expect(running.releases.running).toEqual([expect.stringMatching(place)]);
      yield* Deferred.succeed(released, undefined);
      yield* Fiber.join(closing);
    }),
  );
  expect(running.releases).toMatchObject({ running: [], failed: [] });
});

it("the finalizer that has failed is known once, by its own name", async () => {
  const watch = reportTo([]);
  await Effect.runPromise(
    Effect.gen(function* () {
      const scope = yield* Scope.make();
      linkFibers(scope, watch);
      yield* Effect.addFinalizer(() => Effect.void).pipe(Scope.provide(scope));
      const memoMap = linkedMemoMap(yield* Layer.makeMemoMap, watch);
      yield* Layer.buildWithMemoMap(stockLayer(Effect.die(fell)), memoMap, scope);
      yield* Effect.exit(Scope.close(scope, Exit.void));
    }),
  );
  expect(watch.releases.failed).toEqual([expect.stringContaining("its layer of shop/Stock")]);
});
