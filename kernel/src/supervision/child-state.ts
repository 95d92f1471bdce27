/**
 * The words of supervision, after Erlang/OTP: restart kinds, strategies, and what state a child can be in.
 *
 * A child's state is one tagged union and nothing else; everything that shows a service's health reads it. Not here: how one
 * state becomes the next (`decide.ts`).
 */
import type { WireError } from "@fairlead/contracts";

/**
 * When a child that ended is started again.
 * - `permanent`: always.
 * - `transient`: only when it failed.
 * - `temporary`: never.
 */
export type RestartKind = "permanent" | "transient" | "temporary";

/**
 * Who else is restarted with it.
 * - `one_for_one`: no other child.
 * - `rest_for_one`: the children after it.
 * - `one_for_all`: all of them.
 */
export type Strategy = "one_for_one" | "rest_for_one" | "one_for_all";

/** How many quick restarts within how many milliseconds are borne. What one more does is `IntensityPolicy`. */
export interface Intensity {
  readonly restarts: number;
  readonly withinMs: number;
}

/** Pauses before restarts: none before the first, then random between 0 and `baseMs * 2^n`, never more than `capMs`. */
export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
  /** The cap once the intensity is exceeded and restarts go on slowly; pauses then come from the upper half. Default 30,000. */
  readonly slowMs?: number;
  /** Milliseconds of good health after which the count begins again. */
  readonly healthyMs: number;
}

/**
 * What happens to a child that failed more often than its intensity allows, or in a way that no restart can fix.
 * - `retry`: it is restarted slowly, for ever, unless no restart can fix it: then it stays down.
 * - `stay_down`: it stays down until it is started by request.
 * - `escalate`: it stays down, and its supervisor gives up.
 */
export type IntensityPolicy = "retry" | "stay_down" | "escalate";

/** By what rules one child is restarted, and which other children it depends on. */
export interface ChildRules {
  readonly intensity: Intensity;
  readonly backoff: Backoff;
  readonly exceeded: IntensityPolicy;
  /** Children that must be ready before it starts, and that stop only after it. Those of `restartWith` are among them. */
  readonly startAfter: readonly string[];
  /** Children whose restart restarts it. */
  readonly restartWith: readonly string[];
}

export const defaultIntensity: Intensity = { restarts: 5, withinMs: 60_000 };
export const defaultSlowMs = 30_000;
export const defaultBackoff: Backoff = { baseMs: 100, capMs: 3_000, slowMs: defaultSlowMs, healthyMs: 10_000 };

/** How a child's run ended by itself. */
export type Ending =
  | { readonly kind: "normal" }
  | { readonly kind: "failed"; readonly error: WireError }
  /** It was killed because it did not answer a caller in time: restarted as a failed one, but not counted in the intensity. */
  | { readonly kind: "unresponsive"; readonly error: WireError }
  /** It failed in a way that no restart can fix, like a program that is not installed. */
  | { readonly kind: "hopeless"; readonly error: WireError };

/** The children that a start waits for. */
export interface Obstacle {
  readonly ids: readonly string[];
  /** Set when one of them is down: waiting may take long. */
  readonly error?: WireError;
}

/** All times are milliseconds since the epoch; `since` is when the state was entered. */
export type ChildState =
  /** Down: asked to stop, ended normally, never started, or waiting its turn to start. */
  | { readonly tag: "Stopped"; readonly since: number; readonly last?: WireError }
  | {
      readonly tag: "Starting";
      readonly since: number;
      readonly life: number;
      /** Set while its run has not begun, because other children are not ready. */
      readonly waitsFor?: Obstacle;
    }
  | { readonly tag: "Ready"; readonly since: number; readonly life: number }
  /** Being stopped, or ended by itself and being released; nothing new is given to it. */
  | { readonly tag: "Draining"; readonly since: number; readonly life: number }
  /** It failed and will be started again at `until`. */
  | {
      readonly tag: "Backoff";
      readonly since: number;
      readonly until: number;
      readonly attempt: number;
      readonly error: WireError;
    }
  /** It failed too often, or hopelessly, and stays down until a restart is requested. */
  | { readonly tag: "Failed"; readonly since: number; readonly error: WireError };

export type StateTag = ChildState["tag"];

/** What the supervisor shows of one child. */
export interface ChildStatus {
  readonly id: string;
  readonly restart: RestartKind;
  readonly state: ChildState;
  /** Restarts since it was last asked for. */
  readonly restarts: number;
  /** Its process, while it runs; absent for a child that is not a process. */
  readonly pid?: number | undefined;
  /** Of a process that takes calls: those that are with it. */
  readonly calls?: number | undefined;
  /** The children of a nested supervisor. */
  readonly children?: readonly ChildStatus[];
}

/** One entry of the feed of changes. */
export interface ChildChange {
  readonly supervisor: string;
  readonly id: string;
  readonly from: StateTag;
  readonly state: ChildState;
}

/** True while a run of the child exists, whatever it is doing. */
export const isUp = (
  state: ChildState,
): state is Extract<ChildState, { readonly tag: "Starting" | "Ready" | "Draining" }> =>
  (state.tag === "Starting" && state.waitsFor === undefined) || state.tag === "Ready" || state.tag === "Draining";
