/**
 * Whether a process may believe what is in its buffers. One that was paused (SIGSTOP, a suspended machine, a blocked event loop) or cut off finds messages
 * there that others have given up since. From the moment that it can have happened, what arrives is kept; it is let through once somebody has looked.
 *
 * A pause is seen by a clock that goes on in it: the next turn of the event loop comes late. Whatever comes first after a pause, a timer or a message, looks at
 * the clock before anything else. Not here: what is looked for (`nats/offer.ts`).
 */
interface GateOptions<T> {
  /** Says which of what is kept must not go on, when it is known. What is kept grows meanwhile. Begun again where another reason was seen. */
  readonly look: (kept: () => readonly T[]) => Promise<ReadonlySet<T>>;
  readonly pass: (item: T) => void;
  /** Milliseconds, on a clock that goes on in a pause. */
  readonly now?: () => number;
}

/** Milliseconds without a turn of the event loop above which others may have given up what is here. */
export const pauseMs = 2_000;
/** Milliseconds between two turns that are made on purpose. */
export const turnMs = 250;
/** What is kept at most; more is dropped, and its sender hears nothing of it. */
const mostKept = 20_000;

export class ArrivalGate<T> {
  readonly #options: GateOptions<T>;
  readonly #now: () => number;
  #turned: number;
  #kept: T[] | undefined;
  /** Counts what gave reason to doubt. */
  #reasons = 0;

  constructor(options: GateOptions<T>) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#turned = this.#now();
  }

  /** Whether something is being looked for. */
  get isOpen(): boolean {
    return this.#kept !== undefined;
  }

  /** To be called each `turnMs`. */
  turn(): void {
    const now = this.#now();
    const isLate = now - this.#turned > pauseMs;
    this.#turned = now;
    if (isLate) this.begin();
  }

  /** Passes it on at once, or once it is known that it may go on. */
  take(item: T): void {
    this.turn();
    if (this.#kept === undefined) this.#options.pass(item);
    else if (this.#kept.length < mostKept) this.#kept.push(item);
  }

  /** There is a reason: a connection was lost, or a turn came late. */
  begin(): void {
    this.#reasons += 1;
    if (this.#kept !== undefined) return;
    this.#kept = [];
    void this.#settle();
  }

  async #settle(): Promise<void> {
    const refused = new Set<T>();
    let reasons: number;
    do {
      reasons = this.#reasons;
      for (const item of await this.#options.look(() => this.#kept ?? [])) refused.add(item);
      this.turn();
    } while (reasons !== this.#reasons);
    const kept = this.#kept ?? [];
    this.#kept = undefined;
    for (const item of kept) if (!refused.has(item)) this.take(item);
  }
}
