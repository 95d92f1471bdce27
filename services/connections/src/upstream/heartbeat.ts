/**
 * Finds out whether an upstream is still there: pings it after a time without a message, and when a failure makes it doubtful.
 * Not here: the ping itself, and what follows from silence (`machine/machine.ts`).
 */
import * as Effect from "effect/Effect";

/** Whether an answer came in time; `broken` when none can come any more, which is reported elsewhere. */
export type PingResult = "answered" | "silent" | "broken";

interface HeartbeatOptions {
  /** Milliseconds without a message, until it is pinged. */
  readonly idleMs: number;
  readonly ping: () => Promise<PingResult>;
  /** True while a call is open: its result will show it, unless the host is gone. */
  readonly isBusy: () => boolean;
  /** Whether its host is there, whatever its program does; left out where there is no host. A busy program need not answer pings. */
  readonly isHostThere?: () => Promise<boolean>;
  /** A ping went unanswered; the next goes out at once. */
  readonly missed: () => void;
  /** It answers again after a miss. */
  readonly heard: () => void;
}

export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #heardAt = performance.now();
  #isMissing = false;
  #isProbing = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Pings it after every quiet, until this is interrupted. */
  get run(): Effect.Effect<never> {
    const { idleMs, isBusy, isHostThere } = this.#options;
    const pause = Effect.sleep(idleMs);
    const untilPinged = Effect.suspend(() => {
      const quietMs = performance.now() - this.#heardAt;
      // Aimed at the end of the quiet, so that the ping goes out after that time and not up to twice as late.
      if (quietMs < idleMs) return Effect.sleep(idleMs - quietMs);
      if (!isBusy()) return Effect.andThen(this.probe, pause);
      return isHostThere === undefined ? pause : Effect.andThen(this.#lookForHost(isHostThere), pause);
    });
    return Effect.forever(untilPinged, { disableYield: true });
  }

  /** Pings it until it answers or none can come any more. Nothing while another probe does that. */
  get probe(): Effect.Effect<void> {
    const untilHeard = Effect.promise(this.#options.ping).pipe(
      Effect.tap((answer) => Effect.sync(() => this.#note(answer))),
      Effect.repeat({ until: (answer) => answer !== "silent" }),
    );
    const begin = Effect.sync(() => {
      const isFirst = !this.#isProbing;
      this.#isProbing = true;
      return isFirst;
    });
    const end = (isFirst: boolean) =>
      Effect.sync(() => {
        if (isFirst) this.#isProbing = false;
      });
    return Effect.acquireUseRelease(begin, (isFirst) => (isFirst ? Effect.asVoid(untilHeard) : Effect.void), end);
  }

  /** Once for each quiet: a network that changes over comes back within seconds, and open calls live on. */
  #lookForHost(isHostThere: () => Promise<boolean>): Effect.Effect<void> {
    return Effect.map(Effect.promise(isHostThere), (isThere) => {
      if (!isThere) this.#note("silent");
      else if (this.#isMissing) this.#note("answered");
    });
  }

  heard(): void {
    this.#heardAt = performance.now();
    if (!this.#isMissing) return;
    this.#isMissing = false;
    this.#options.heard();
  }

  #note(answer: PingResult): void {
    if (answer === "answered") this.heard();
    if (answer !== "silent") return;
    this.#isMissing = true;
    this.#options.missed();
  }
}
