/**
 * What a supervisor knows, what can happen to it, and what it can ask to be done: the alphabet of `decide.ts`.
 *
 * Every child has a wish (`up`, `down`, or `cycle`: down and up again) beside its state, because what is wanted and what is so
 * differ for a while.
 */
import type { WireError } from "@fairlead/contracts";
import type { Backoff, ChildState, Ending, Intensity, RestartKind, Strategy } from "./child-state.ts";

/** Whether first starts wait for those to the left. Only `one_for_one` can start all at once. */
export type Startup = "in-order" | "at-once";

export interface Rules {
  readonly strategy: Strategy;
  readonly startup: Startup;
  readonly intensity: Intensity;
  readonly backoff: Backoff;
}

export interface Member {
  readonly id: string;
  readonly restart: RestartKind;
  readonly state: ChildState;
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

export type SupervisorEvent = { readonly at: number } & (
  | { readonly kind: "add"; readonly id: string; readonly restart: RestartKind }
  /** Asks for all children, or one, to run. */
  | { readonly kind: "start"; readonly id?: string }
  | { readonly kind: "stop"; readonly id?: string }
  | { readonly kind: "restart"; readonly id: string }
  | { readonly kind: "ready"; readonly id: string; readonly life: number }
  /** A run ended by itself, while starting or later; its resources are released. `roll` in [0, 1) draws the pause. */
  | {
      readonly kind: "ended";
      readonly id: string;
      readonly life: number;
      readonly ending: Ending;
      readonly roll: number;
    }
  /** A stop that was asked for is done. */
  | { readonly kind: "drained"; readonly id: string; readonly life: number }
  /** A pause may be over. */
  | { readonly kind: "woke" }
);

export type SupervisorAction =
  | { readonly kind: "start"; readonly id: string; readonly life: number }
  | { readonly kind: "stop"; readonly id: string; readonly life: number }
  /** Send `woke` at this time. */
  | { readonly kind: "wake"; readonly at: number }
  /** The whole group gave up: the parent should know. */
  | { readonly kind: "give-up"; readonly id: string; readonly error: WireError };

export interface Decision {
  readonly next: SupervisorState;
  readonly actions: readonly SupervisorAction[];
}
