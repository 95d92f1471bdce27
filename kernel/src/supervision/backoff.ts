/**
 * Small pure sums: how long to wait before a restart, and which restarts still count.
 *
 * The first restart is immediate, later ones draw from the full interval ("full jitter"), so that children which fell together do
 * not rise together. The random number is an argument.
 */
import { type Backoff, defaultSlowMs, type Intensity } from "./child-state.ts";

/** The longest pause that restart number `attempt` (0 is the first) can draw. */
export const longestPause = (attempt: number, { baseMs, capMs }: Pick<Backoff, "baseMs" | "capMs">): number =>
  attempt === 0 ? 0 : Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30));

/** Milliseconds to wait before restart number `attempt`. `roll` is in [0, 1). */
export const pauseBefore = (attempt: number, backoff: Pick<Backoff, "baseMs" | "capMs">, roll: number): number =>
  Math.floor(longestPause(attempt, backoff) * roll);

/** The longest pause of slow restarts: the same curve, to a higher cap, and never 0. */
export const longestSlowPause = (attempt: number, { baseMs, slowMs = defaultSlowMs }: Backoff): number =>
  longestPause(Math.max(1, attempt), { baseMs, capMs: slowMs });

/** Milliseconds to wait before a slow restart: from the upper half, since full jitter could draw a quick one. */
export const slowPause = (attempt: number, backoff: Backoff, roll: number): number =>
  Math.floor((longestSlowPause(attempt, backoff) / 2) * (1 + roll));

/** Those of the given times that still count. */
export const insideWindow = (times: readonly number[], at: number, { withinMs }: Intensity): readonly number[] =>
  times.filter((time) => at - time < withinMs);
