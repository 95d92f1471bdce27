/**
 * One run of a child: a start that is bounded even where it cannot be interrupted, its work drained, its resources released in
 * bounded time. Not here: when runs begin and end (`decide.ts`, `supervisor.ts`).
 */
import { FairleadError } from "@fairlead/contracts";
import * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Fiber from "effect/Fiber";
import * as Scope from "effect/Scope";
import type { ChildSpec, RunningChild } from "./child-spec.ts";
import type { Ending } from "./child-state.ts";

/** Runs an effect in a fiber of its own. */
export type Fork = <A, E>(effect: Effect.Effect<A, E>) => Fiber.Fiber<A, E>;

interface ChildRunParts {
  /** Holds what the start acquires; closed when the run is over. */
  readonly scope: Scope.Closeable;
  readonly fork: Fork;
  /** Called when the start is done. */
  readonly onReady: () => void;
  /** Called when the run ended by itself; after a start that failed, once what it had acquired is released. */
  readonly onEnd: (ending: Ending) => void;
}

/** Milliseconds after which a start that goes on is reported. */
export const slowStartMs = 5_000;
const defaultStartMs = 30_000;
const defaultShutdownMs = 5_000;

export class ChildRun {
  readonly #spec: ChildSpec;
  readonly #fork: Fork;
  readonly #scope: Scope.Closeable;
  #starting: Fiber.Fiber<RunningChild, FairleadError> | undefined;
  #child: RunningChild | undefined;
  /** Starts it, waits for its end and says what that was. */
  readonly #watch: Fiber.Fiber<void>;

  constructor(spec: ChildSpec, { scope, fork, onReady, onEnd }: ChildRunParts) {
    this.#spec = spec;
    this.#scope = scope;
    this.#fork = fork;
    const start = Effect.flatMap(Effect.exit(this.#start()), (started) => {
      if (Exit.isSuccess(started)) {
        this.#child = started.value;
        onReady();
        return Effect.map(started.value.ended ?? Effect.never, onEnd);
      }
      const ending = toEnding(started.cause, spec.id);
      return Effect.uninterruptible(Effect.map(this.#release(), () => onEnd(ending)));
    });
    this.#watch = fork(start);
  }

  /** What its start gave, once it is ready. */
  get child(): RunningChild | undefined {
    return this.#child;
  }

  /** Ends it, whatever it is doing: its work first, then its resources. */
  stop(): Effect.Effect<void> {
    return Effect.suspend(() => this.#child?.drain ?? Effect.void).pipe(
      Effect.andThen(Effect.suspend(() => this.#bounded(Fiber.interrupt(this.#watch)))),
      Effect.andThen(Effect.suspend(() => this.#release())),
    );
  }

  /** In a fiber of its own, so that its time is up even where it cannot be interrupted, as inside of `acquireRelease`. */
  #start(): Effect.Effect<RunningChild, FairleadError> {
    const { id, start, enter, startMs = defaultStartMs, onSlowStart } = this.#spec;
    const begin = () => this.#fork(Scope.provide(start, this.#scope));
    const starting = enter === undefined ? begin() : enter(begin);
    this.#starting = starting;
    const started = Fiber.join(starting);
    if (startMs === Number.POSITIVE_INFINITY) return started;
    const within = (ms: number): Effect.Effect<RunningChild, FairleadError> =>
      Effect.timeoutOrElse(started, { duration: ms, orElse: () => Effect.fail(notReady(id, startMs)) });
    if (onSlowStart === undefined || startMs <= slowStartMs) return within(startMs);
    const goOn = Effect.andThen(Effect.sync(onSlowStart), within(startMs - slowStartMs));
    return Effect.timeoutOrElse(started, { duration: slowStartMs, orElse: () => goOn });
  }

  /** Releases what the start acquired; what it still acquires after that is released at once, since the scope is closed. */
  #release(): Effect.Effect<void> {
    const { onStopFault, shutdownMs: ms = defaultShutdownMs } = this.#spec;
    const starting = this.#starting;
    const close = Effect.map(Effect.exit(Scope.close(this.#scope, Exit.void)), (closed) => {
      if (Exit.isFailure(closed) && !Cause.hasInterruptsOnly(closed.cause))
        onStopFault?.({ kind: "threw", error: Cause.squash(closed.cause) });
    });
    return Effect.gen({ self: this }, function* () {
      if (starting !== undefined && !(yield* this.#bounded(Fiber.interrupt(starting))))
        onStopFault?.({ kind: "deaf", ms });
      if (yield* this.#bounded(close)) return;
      onStopFault?.({ kind: "cut_off", ms, children: this.#child?.children?.() ?? [] });
    });
  }

  /** Waits for an effect no longer than the child's `shutdownMs`, and says whether it ended; the effect itself is never cut short. */
  #bounded(effect: Effect.Effect<unknown>): Effect.Effect<boolean> {
    const { shutdownMs = defaultShutdownMs } = this.#spec;
    const ended = Effect.suspend(() => Effect.as(Fiber.await(this.#fork(effect)), true));
    return shutdownMs === Number.POSITIVE_INFINITY
      ? ended
      : Effect.timeoutOrElse(ended, { duration: shutdownMs, orElse: () => Effect.succeed(false) });
  }
}

const notReady = (id: string, ms: number): FairleadError =>
  new FairleadError({
    code: "unavailable",
    message: `${id} was not ready after ${ms} ms`,
    hint: "look at its log; give it more time if it is only slow",
    retryable: true,
  });

/**
 * A failed precondition and a wrong setting are hopeless until they are corrected, unless the error says that it may pass; everything
 * else may pass.
 */
export const toEnding = (cause: Cause.Cause<FairleadError>, id: string): Ending => {
  const failure = Cause.findErrorOption(cause);
  if (failure._tag === "Some") {
    const error = failure.value.toJSON();
    const isFixable = error.code === "failed_precondition" || error.code === "invalid_argument";
    const mayPass = error.retryable || error.retryAfterMs !== undefined;
    return { kind: isFixable && !mayPass ? "hopeless" : "failed", error };
  }
  const defect = Cause.squash(cause);
  const message = `${id} failed to start: ${defect instanceof Error ? defect.message : String(defect)}`;
  return { kind: "failed", error: { code: "internal", message, retryable: false } };
};
