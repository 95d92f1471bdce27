/**
 * A child as its owner describes it. Not here: how one run of it begins and ends (`child-run.ts`), and when (`decide.ts`).
 */
import type { FairleadError } from "@fairlead/contracts";
import type * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { ChildRules, ChildStatus, Ending, RestartKind } from "./child-state.ts";

/** A started child. */
export interface RunningChild {
  /** Completes when the child ends by itself; a child without it runs until it is stopped. */
  readonly ended?: Effect.Effect<Ending>;
  /** Runs before its resources are released, also after it ended by itself: lets its work finish. Must end by itself. */
  readonly drain?: Effect.Effect<void>;
  /** For nested supervisors: what to show below this child. */
  readonly children?: () => readonly ChildStatus[];
}

/**
 * What went wrong while a run ended.
 * - `threw`: releasing failed; the error is the finalizer's own.
 * - `cut_off`: releasing took longer than `ms` and goes on unwatched; `children` are those of its own that were still up.
 * - `deaf`: a start that was interrupted went on for more than `ms`, in a region that cannot be interrupted. It goes on unwatched, and
 *   what it acquires is released at once.
 */
export type StopFault =
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "cut_off"; readonly ms: number; readonly children: readonly ChildStatus[] }
  | { readonly kind: "deaf"; readonly ms: number };

/** A child of a supervisor: how it starts, and when it is started again. */
export interface ChildSpec {
  readonly id: string;
  /** Completes when the child is ready for work. Its scope closes when the child stops. */
  readonly start: Effect.Effect<RunningChild, FairleadError, Scope.Scope>;
  /** Begins a start or a stop in a context of its own, which its timers, promises and fibers inherit. */
  readonly enter?: <T>(begin: () => T) => T;
  /** Default `permanent`. */
  readonly restart?: RestartKind;
  /** What differs from the supervisor's own rules. */
  readonly rules?: Partial<ChildRules>;
  /** Milliseconds that starting may take. Default 30,000. */
  readonly startMs?: number;
  /** Milliseconds that releasing is waited for; it goes on unwatched after that. Default 5,000; `Infinity` for supervisors. */
  readonly shutdownMs?: number;
  /** Called when a start has taken `slowStartMs`, once for each start. */
  readonly onSlowStart?: () => void;
  /** Called when a run does not end cleanly. */
  readonly onStopFault?: (fault: StopFault) => void;
}
