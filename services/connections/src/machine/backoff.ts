/**
 * How long to wait before the next attempt: 100 ms, doubled up to 3 s, for ever, with full jitter. Pure.
 *
 * Not here: when to try sooner because somebody waits, and how many may try at once (`machine.ts`).
 */

/** Milliseconds: the bound of the first pause, and the longest bound. */
export const backoff = { baseMs: 100, capMs: 3_000 } as const;

/** The upper bound of the pause after that many failures in a row, in milliseconds. `failures` counts from 1. */
export const boundMs = (failures: number): number =>
  Math.min(backoff.capMs, backoff.baseMs * 2 ** Math.min(Math.max(failures, 1) - 1, 16));

/** The pause itself, in whole milliseconds: anywhere between nothing and its bound. `chance` is in [0, 1). */
export const pauseMs = (failures: number, chance: number): number => Math.floor(boundMs(failures) * chance);
