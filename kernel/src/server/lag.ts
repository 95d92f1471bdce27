/**
 * Watches how late the event loop runs, to refuse calls while it cannot keep up. One timer, and one comparison a request.
 */

export interface LagWatch {
  /** True while the loop has been late twice in a row: one pause of the collector sheds nothing. */
  readonly isLate: boolean;
  stop(): void;
}

export interface LagOptions {
  /** Milliseconds late that count as overload. */
  readonly limitMs: number;
  /** Milliseconds between looks. */
  readonly everyMs: number;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
}

/** Starts watching; does not keep the process alive. */
export const watchLag = ({ limitMs, everyMs, now }: LagOptions): LagWatch => {
  const lateness = makeLateness(limitMs);
  let due = now() + everyMs;
  const timer = setInterval(() => {
    const at = now();
    lateness.look(at - due);
    due = at + everyMs;
  }, everyMs).unref();
  return {
    get isLate() {
      return lateness.isLate;
    },
    stop: () => clearInterval(timer),
  };
};

/** The rule alone: late twice in a row. */
export const makeLateness = (limitMs: number): { readonly isLate: boolean; look(lateMs: number): void } => {
  let inARow = 0;
  return {
    get isLate() {
      return inARow >= 2;
    },
    look: (lateMs) => {
      inARow = lateMs > limitMs ? inARow + 1 : 0;
    },
  };
};
