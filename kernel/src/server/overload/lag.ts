/**
 * Watches how late the event loop runs, to refuse calls while it cannot keep up. One timer; requests pay nothing.
 */

interface LagOptions {
  /** Milliseconds late that count as overload. */
  readonly limitMs: number;
  /** Milliseconds between looks. */
  readonly everyMs: number;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
}

/**
 * Starts watching, until the function it gives is called; does not keep the process alive. `report` is called at each look, with how late it is in milliseconds: true while the
 * loop has been late twice in a row, so that one pause of the collector refuses nothing.
 */
export const watchLag = (
  { limitMs, everyMs, now }: LagOptions,
  report: (isLate: boolean, lateMs: number) => void,
): (() => void) => {
  const isLate = createLagRule(limitMs);
  let due = now() + everyMs;
  const timer = setInterval(() => {
    const at = now();
    report(isLate(at - due), at - due);
    due = at + everyMs;
  }, everyMs).unref();
  return () => clearInterval(timer);
};

/** The rule alone: late twice in a row. Takes how late each look was, in milliseconds. */
export const createLagRule = (limitMs: number): ((lateMs: number) => boolean) => {
  let inARow = 0;
  return (lateMs) => {
    inARow = lateMs > limitMs ? inARow + 1 : 0;
    return inARow >= 2;
  };
};
