/**
 * When a thread counts as blocked, and by which calls. Pure.
 *
 * A thread that does not answer may be busy with a call that still has time: no call is cut off before the deadline of its contract.
 * It is blocked once it has answered no look at it for a second, one of its calls is past its deadline, and none that has begun has time
 * left. A caller's own, shorter deadline counts for nothing here.
 */

/** A call that is with a thread. */
export interface ThreadWork {
  /** Its handler has been entered. */
  readonly hasBegun: boolean;
  /** When its contract's deadline is, on the clock of `performance.now()`; `Infinity` for subscriptions. */
  readonly due: number;
}

/** Milliseconds between two looks at a thread. */
export const lookEveryMs = 250;

/** Looks in a row without an answer after which a thread is silent. Looks and not time: the kernel itself may be late. */
const silentLooks = 4;

/** The calls that are likely to block a silent thread; `undefined` while it may go on. */
export const findBlocking = <W extends ThreadWork>(
  calls: readonly W[],
  { unanswered, now }: { readonly unanswered: number; readonly now: number },
): readonly W[] | undefined => {
  if (unanswered < silentLooks || !calls.some(({ due }) => due <= now)) return undefined;
  const begun = calls.filter(({ hasBegun }) => hasBegun);
  if (begun.some(({ due }) => now < due && due < Number.POSITIVE_INFINITY)) return undefined;
  const late = begun.filter(({ due }) => due <= now);
  return late.length > 0 ? late : begun;
};
