/**
 * What a supervisor knows, what can happen to it, and what it can ask to be done: the alphabet of `decide.ts`.
 *
 * Every child has a wish (`up`, `down`, or `cycle`: down and up again) beside its state, because what is wanted and what is so
 * differ for a while.
 */
import type { WireError } from "@fairlead/contracts";
import type { Backoff, ChildRules, ChildState, Ending, Intensity, RestartKind, Strategy } from "./child-state.ts";

/** Whether first starts wait for those to the left. Only `one_for_one` can start all at once. */
export type Startup = "in-order" | "at-once";

/** Of the whole supervisor. `intensity` counts for a group that restarts together; under `one_for_one` each child has its own. */
export interface Rules {
  readonly strategy: Strategy;
  readonly startup: Startup;
  readonly intensity: Intensity;
  readonly backoff: Backoff;
}

export interface Member {
  readonly id: string;
  readonly restart: RestartKind;
  readonly rules: ChildRules;
  readonly state: ChildState;
  /** What a run that ended by itself becomes once its resources are released. */
  readonly outcome?: ChildState | undefined;
  readonly wish: "up" | "down" | "cycle";
  /** Number of its current run; events of an earlier run are ignored. */
  readonly life: number;
  /** Failures in a row since it was last healthy. */
  readonly attempt: number;
  /** Times of its restarts inside the window of the intensity. */
  readonly recent: readonly number[];
  /** Restarts since it was last asked for. */
  readonly restarts: number;
  /** True from being asked for until its first start has settled; only then do later children wait for it under `one_for_one`. */
  readonly fresh: boolean;
}

export interface SupervisorState {
  readonly rules: Rules;
  readonly members: readonly Member[];
}

export type SupervisorEvent = { readonly at: number } /** `rules` that are left out are the supervisor's. */ & (
  | { readonly kind: "add"; readonly id: string; readonly restart: RestartKind; readonly rules?: Partial<ChildRules> }
  /** Asks for all children, or one, to run. */
  | { readonly kind: "start"; readonly id?: string }
  | { readonly kind: "stop"; readonly id?: string }
  | { readonly kind: "restart"; readonly id: string }
  | { readonly kind: "ready"; readonly id: string; readonly life: number }
  /** A run ended by itself. The resources of a start that failed are released already. `roll` in [0, 1) draws the pause. */
  | {
      readonly kind: "ended";
      readonly id: string;
      readonly life: number;
      readonly ending: Ending;
      readonly roll: number;
    }
  /** A stop is done: one that was asked for, or that of a run that had ended by itself. */
  | { readonly kind: "drained"; readonly id: string; readonly life: number }
  /** A pause may be over. */
  | { readonly kind: "woke" }
);

export type SupervisorAction =
  | { readonly kind: "start"; readonly id: string; readonly life: number }
  | { readonly kind: "stop"; readonly id: string; readonly life: number }
  /** Send `woke` at this time. */
  | { readonly kind: "wake"; readonly at: number }
  /** The supervisor gave up, for the sake of this child: its parent should know. */
  | { readonly kind: "give-up"; readonly id: string; readonly error: WireError };

export interface Decision {
  readonly next: SupervisorState;
  readonly actions: readonly SupervisorAction[];
}
