/**
 * Finds out whether an upstream is still there: pings it after a time without a message, and when a failure makes it doubtful.
 * Not here: the ping itself, and what follows from silence (`machine/machine.ts`).
 */
export interface HeartbeatOptions {
  /** Milliseconds without a message, until it is pinged. */
  readonly idleMs: number;
  /** Whether an answer came in time; `broken` when none can come any more, which is reported elsewhere. */
  readonly ping: () => Promise<"answered" | "silent" | "broken">;
  /** True while a call is open: its result will show it anyhow. */
  readonly isBusy: () => boolean;
  /** A ping went unanswered; the next goes out at once. */
  readonly missed: () => void;
  /** Heard of again after a miss. */
  readonly heard: () => void;
}

export class Heartbeat {
  readonly #parts: HeartbeatOptions;
  #heardAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #isAsking = false;
  #isMissing = false;

  constructor(parts: HeartbeatOptions) {
    this.#parts = parts;
  }

  /** Nothing, after its end. */
  start(): void {
    if (this.#isOver) return;
    const { idleMs, isBusy } = this.#parts;
    const quietMs = performance.now() - this.#heardAt;
    if (quietMs >= idleMs && !isBusy()) void this.probe();
    // Aimed at the end of the quiet, so that the ping goes out after that time and not up to twice as late.
    this.#timer = setTimeout(() => this.start(), quietMs < idleMs ? idleMs - quietMs : idleMs).unref();
  }

  /** For good. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#isOver = true;
  }

  heard(): void {
    this.#heardAt = performance.now();
    if (!this.#isMissing) return;
    this.#isMissing = false;
    this.#parts.heard();
  }

  /** Asks until there is an answer or none can come, or it is stopped. */
  async probe(): Promise<void> {
    if (this.#isAsking || this.#timer === undefined) return;
    this.#isAsking = true;
    try {
      while (!this.#isOver) {
        const answer = await this.#parts.ping();
        if (answer === "answered") return this.heard();
        if (answer === "broken" || this.#isOver) return;
        this.#isMissing = true;
        this.#parts.missed();
      }
    } finally {
      this.#isAsking = false;
    }
  }
}
