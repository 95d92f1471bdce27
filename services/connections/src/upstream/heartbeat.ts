/**
 * Whether an upstream is still there: asked when nothing has been heard of it for a while, and when there is a doubt; then as often as
 * somebody wants to know. Not here: how it is asked, what follows from silence (`machine/machine.ts`).
 */
export interface HeartbeatOptions {
  /** Milliseconds of quiet, until it is asked. */
  readonly idleMs: number;
  /** Whether an answer came in time; `broken` when none can come any more, which is for others to tell. */
  readonly ping: () => Promise<"answered" | "silent" | "broken">;
  /** True while something is under way that will tell anyhow. */
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
    // Aimed at the end of the quiet, so that silence is asked about after that time and not up to twice as late.
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
