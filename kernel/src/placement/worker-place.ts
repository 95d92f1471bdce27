/**
 * The place of one worker among those of a service: the run that is there, or how long a call has to wait for the next one.
 *
 * Not here: starting and restarting it (the supervisor), and which calls come here (`workers.ts`).
 */
import * as Deferred from "effect/Deferred";
import * as Effect from "effect/Effect";
import type { ChildState } from "../supervision/child-state.ts";
import type { LostPlace, Placement } from "./placement.ts";
import type { RemoteRun } from "./remote-run.ts";

/** Milliseconds that calls wait for a worker which is started again after a pause; a longer one fails them at once. */
const longestPauseMs = 1_000;

export class WorkerPlace {
  readonly id: string;
  /** Calls and streams that are with it. */
  inFlight = 0;
  #run: RemoteRun | undefined;
  /** Set while it is down for longer than calls wait. */
  #down: LostPlace | undefined;
  #next = Deferred.makeUnsafe<Placement, LostPlace>();
  readonly #tried = Deferred.makeUnsafe<void>();

  constructor(id: string) {
    this.id = id;
  }

  /** The run that is there; `undefined` while there is none. */
  get placement(): Placement | undefined {
    return this.#run?.isLost() === false ? this.#run.placement : undefined;
  }

  get pid(): number | undefined {
    return this.#run?.pid;
  }

  /** The run that is there, or the next one. Fails where that is far off: then nothing was sent. */
  get whenReady(): Effect.Effect<Placement, LostPlace> {
    return Effect.suspend(() => {
      const { placement } = this;
      if (placement !== undefined) return Effect.succeed(placement);
      return this.#down === undefined ? Deferred.await(this.#next) : Effect.fail(this.#down);
    });
  }

  /** Completes once its first start has come to an end, however that went. */
  get tried(): Effect.Effect<void> {
    return Deferred.await(this.#tried);
  }

  begin(run: RemoteRun): void {
    this.#run = run;
    this.#finishWait(Effect.succeed(run.placement));
  }

  end(): void {
    this.#run = undefined;
  }

  #finishWait(outcome: Effect.Effect<Placement, LostPlace>): void {
    Deferred.doneUnsafe(this.#next, outcome);
    this.#next = Deferred.makeUnsafe();
  }

  /** Follows the supervisor. */
  follow(state: ChildState): void {
    this.#down = undefined;
    if (state.tag === "Starting") return;
    Deferred.doneUnsafe(this.#tried, Effect.void);
    if (state.tag !== "Failed" && !(state.tag === "Backoff" && state.until - state.since > longestPauseMs)) return;
    this.#down = { _tag: "LostPlace", why: state.error.message, sent: false };
    this.#finishWait(Effect.fail(this.#down));
  }
}
