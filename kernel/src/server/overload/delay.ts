/**
 * What can be seen of an event loop that cannot keep up: how late its timers are, and that connections wait outside.
 *
 * The system has accepted those and Node has not: Node takes one in each turn of the loop. They are a hidden queue, since a loop that serves one
 * request of 5 ms in each turn is never late. Not here: what becomes of requests meanwhile (`turns.ts`).
 */

interface ArrivalsOptions {
  /** Calls back after the event loop has polled its sockets once more. */
  readonly immediate: (work: () => void) => void;
  /** Connections wait outside. */
  readonly onBacklog: () => void;
}

/** Turns in a row that brought a connection each, from which on more of them wait. */
const backlogTurns = 4;
/** Turns that waiting connections get before requests do: each costs less than a tenth of a millisecond. */
const mostTurns = 512;

export class Arrivals {
  readonly #options: ArrivalsOptions;
  /** Connections that were ever accepted. */
  count = 0;
  #isWatching = false;

  constructor(options: ArrivalsOptions) {
    this.#options = options;
  }

  /** A connection was accepted. */
  add(): void {
    this.count += 1;
    if (this.#isWatching) return;
    this.#isWatching = true;
    this.#watch(0);
  }

  #watch(turns: number): void {
    const before = this.count;
    this.#options.immediate(() => {
      // The first look is in the turn of the connection itself.
      const goesOn = turns === 0 || this.count !== before;
      if (goesOn && turns < backlogTurns) {
        this.#watch(turns + 1);
        return;
      }
      this.#isWatching = false;
      if (goesOn) this.#options.onBacklog();
    });
  }

  /** Calls back when no turn brings a connection any more, or after so many turns; with true where all are in. */
  afterAll(work: (areIn: boolean) => void): void {
    this.#takeIn(work, mostTurns, -1);
  }

  #takeIn(work: (areIn: boolean) => void, left: number, before: number): void {
    this.#options.immediate(() => {
      const areIn = this.count === before;
      if (areIn || left === 0) work(areIn);
      else this.#takeIn(work, left - 1, this.count);
    });
  }
}

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
