/**
 * One start of a service as a child of the supervision tree: plain, promised or in an Effect, and how what it acquired is released.
 *
 * Not here: when services are started (`lifecycle.ts`).
 */

import type { Contract } from "@fairlead/contracts";
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Log } from "../observe/log.ts";
import type { Host } from "../service/host.ts";
import { CurrentRun, linkFibers } from "../service/linked-fibers.ts";
import type { Service, StartResult } from "../service/service.ts";
import type { StartedService } from "../service/started-service.ts";

type RunningStart = StartedService<Contract>;

/** Starts a service. When the scope closes, its `stop` is called; what that throws is logged. */
export const startService = (
  service: Service,
  host: Host,
  log: Log,
): Effect.Effect<RunningStart, FairleadError, Scope.Scope> => {
  const stop = (started: RunningStart): Effect.Effect<void> =>
    Effect.tryPromise(() => Promise.resolve(started.stop?.())).pipe(
      Effect.catch(({ cause }) =>
        Effect.sync(() =>
          log("error", "service did not stop cleanly", { service: service.contract.id, what, error: cause }),
        ),
      ),
    );
  return attempt(() => service.start(host)).pipe(
    Effect.flatMap((result) => settled(result, stop)),
    Effect.tap((started) => (started.stop === undefined ? Effect.void : addStop(stop(started)))),
  );
};

/** How the log calls it. */
const what = "its `stop`";

const addStop = (stop: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.flatMap(CurrentRun, ({ releases }) =>
    Effect.addFinalizer(() => Effect.asVoid(releases.watch(() => what, stop))),
  );

const settled = (
  result: StartResult<RunningStart>,
  stop: (started: RunningStart) => Effect.Effect<void>,
): Effect.Effect<RunningStart, FairleadError, Scope.Scope> => {
  if (Effect.isEffect(result)) return linked(result);
  return result instanceof Promise ? promised(result, stop) : Effect.succeed(result);
};

/** A fiber that it forks in its scope and that fails is reported as the service's failure. */
const linked = <A>(start: Effect.Effect<A, FairleadError, Scope.Scope>): Effect.Effect<A, FairleadError, Scope.Scope> =>
  Effect.gen(function* () {
    linkFibers(yield* Effect.scope, yield* CurrentRun);
    return yield* start;
  });

/** A start that was given up, but succeeds after all, is stopped at once. */
const promised = (
  result: Promise<RunningStart>,
  stop: (started: RunningStart) => Effect.Effect<void>,
): Effect.Effect<RunningStart, FairleadError> =>
  Effect.onInterrupt(
    Effect.callback((resume) => {
      result.then(
        (started) => resume(Effect.succeed(started)),
        (cause: unknown) => resume(failed(cause)),
      );
    }),
    () =>
      Effect.forkDetach(
        Effect.ignore(
          Effect.flatMap(
            Effect.tryPromise(() => result),
            stop,
          ),
        ),
      ),
  );

/** Runs plain code of a service: a `FairleadError` is a failure, anything else a defect. */
export const attempt = <A>(run: () => A): Effect.Effect<A, FairleadError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(run());
    } catch (cause) {
      return failed(cause);
    }
  });

const failed = (cause: unknown): Effect.Effect<never, FairleadError> =>
  cause instanceof FairleadError ? Effect.fail(cause) : Effect.die(cause);
