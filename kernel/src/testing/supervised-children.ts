/** Children that do what a test says, on a clock that stands still. */
import { FairleadError } from "@fairlead/contracts";
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import * as Layer from "effect/Layer";
import type * as Scope from "effect/Scope";
import * as TestClock from "effect/testing/TestClock";
import type { ChildSpec } from "../supervision/child-spec.ts";
import type { Ending } from "../supervision/child-state.ts";
import { Jitter } from "../supervision/supervisor.ts";

export const fell = new FairleadError({ code: "unavailable", message: "fell", retryable: true });

/** Children that do what the test says, and a journal of what happened to them. */
export const stage = () => {
  const journal: string[] = [];
  const ends = new Map<string, Deferred.Deferred<Ending>>();
  const child = (id: string, more: Partial<ChildSpec> = {}): ChildSpec => ({
    id,
    start: Effect.gen(function* () {
      journal.push(`start ${id}`);
      yield* Effect.addFinalizer(() => Effect.sync(() => journal.push(`release ${id}`)));
      const end = yield* Deferred.make<Ending>();
      ends.set(id, end);
      return { ended: Deferred.await(end) };
    }),
    ...more,
  });
  const crash = (id: string): Effect.Effect<void> =>
    Effect.suspend(() => {
      const end = ends.get(id);
      return end === undefined ? Effect.void : Deferred.succeed(end, { kind: "failed", error: fell.toJSON() });
    }).pipe(Effect.asVoid);
  return { journal, child, crash };
};

/** What every draw of a pause gives. */
export const roll = 0.75;
export const still = Layer.merge(
  TestClock.layer(),
  Layer.succeed(Jitter, () => roll),
);

export const inStillTime = <A, E>(effect: Effect.Effect<A, E, Scope.Scope>): Promise<A> =>
  Effect.runPromise(Effect.scoped(effect).pipe(Effect.provide(still)));
