/** A supervisor as a child of another, so that services and their subprocesses form one tree. */
import * as Effect from "effect/Effect";
import type { ChildSpec } from "./child-spec.ts";
import type { Ending, RestartKind } from "./child-state.ts";
import { makeSupervisor, type SupervisorOptions } from "./supervisor.ts";

/** Ready at once, with its children starting; ended when its group gives up, for its parent to decide. */
export const nested = (options: SupervisorOptions, restart: RestartKind = "permanent"): ChildSpec => ({
  id: options.id,
  restart,
  startMs: Number.POSITIVE_INFINITY,
  shutdownMs: Number.POSITIVE_INFINITY,
  start: Effect.gen(function* () {
    const inner = yield* makeSupervisor(options);
    inner.start();
    return {
      children: () => inner.children(),
      ended: Effect.map(inner.gaveUp, (error): Ending => ({ kind: "failed", error })),
    };
  }),
});
