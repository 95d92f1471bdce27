/**
 * What happens to requests while the event loop cannot keep up: a queue for each principal instead of a refusal for all. In each turn of the loop requests are begun
 * for about as long as reading and refusing took, one at least, and each handler's time is known before the next: principals in turn, small before large, the latest first, since who has waited longest has the
 * least use of an answer. Who has waited too long is refused.
 *
 * While the loop keeps up, a request costs one look at the clock here. Not here: places of a procedure (`policy/admission.ts`), and how late the loop is (`lag.ts`).
 */
import { FairQueue } from "../policy/fair-queue.ts";

interface TurnsOptions {
  /** Milliseconds that a request waits at least before it is refused. */
  readonly leastWaitMs: number;
  /** Milliseconds; see `Turns.limitMs`. */
  readonly limitMs: number;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** Calls back in the next turn of the event loop, after what has arrived by then was read. */
  readonly nextTurn: (work: () => void) => void;
}

interface QueuedRequest {
  readonly since: number;
  readonly run: () => void;
  readonly refuse: () => void;
}

/** One request: who sends it, how many bytes, and what becomes of it: one of the two is called, once. */
interface TurnRequest {
  readonly principal: string;
  readonly bytes: number;
  readonly run: () => void;
  readonly refuse: () => void;
}

/** Milliseconds of a turn that begin requests, at least and at most. */
const leastWorkMs = 5;
const mostWorkMs = 50;
/** Requests of one principal that wait; the oldest of more is refused at once. */
const mostOfOne = 256;
/** Milliseconds without a refusal after which the loop keeps up again. */
const calmMs = 500;
/** Bytes from which on a request is large, and what it costs then. */
const largeBytes = 65_536;
const largeCost = 4;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue = new FairQueue<QueuedRequest>({ prefer: "latest" });
  /** True while requests are queued rather than begun. A field, since each request reads it. */
  isShedding = false;
  /** When a timer last ran, which it does between two turns of the loop. While none does, nothing is late. */
  ticked = Number.POSITIVE_INFINITY;
  /** Milliseconds since then from which on the loop does not keep up, also in the midst of a turn. */
  readonly limitMs: number;
  #isScheduled = false;
  #calmSince = 0;
  /** Of a turn in which a request was begun, in milliseconds; follows the last few. */
  #turnMs = 0;
  #begunAt: number | undefined;
  /** When the handlers of the last turn had begun. */
  #endedAt = 0;
  refused = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.limitMs = options.limitMs;
  }

  /** Ends the spell after a while without a refusal. Where only handshakes and probes arrive, no turn is taken that could end it. */
  endWhenCalm(): void {
    if (this.#queue.size === 0 && this.#options.now() - this.#calmSince > calmMs) this.isShedding = false;
  }

  /** The event loop cannot keep up. */
  shed(): void {
    this.isShedding = true;
    this.#calmSince = this.#options.now();
  }

  /** Queues a request. Call it only while `isShedding`. */
  add({ principal, bytes, run, refuse }: TurnRequest): void {
    const queued = { since: this.#options.now(), run, refuse };
    this.#queue.add(principal, queued, bytes >= largeBytes ? largeCost : 1);
    if (this.#queue.count(principal) > mostOfOne) this.#refuse(this.#queue.dropLast(principal));
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isScheduled = false;
    const now = this.#options.now();
    if (this.#begunAt !== undefined) this.#turnMs += (now - this.#begunAt - this.#turnMs) / 4;
    this.#begunAt = undefined;
    // A principal that sends little gets its turn after one of each other.
    const longest = Math.max(this.#options.leastWaitMs, (this.#queue.principals + 1) * this.#turnMs);
    for (const late of this.#queue.removeAll(({ since }) => now - since > longest)) this.#refuse(late);
    const hasBegun = this.#beginSome();
    if (hasBegun) this.#begunAt = now;
    else this.endWhenCalm();
    if (this.#queue.size > 0 || hasBegun) this.#schedule();
  }

  /** As many as take the time that went into reading and refusing since the last ones: one, where a handler takes long. */
  #beginSome(): boolean {
    const { now } = this.#options;
    const began = now();
    const ends = began + Math.min(Math.max(began - this.#endedAt, leastWorkMs), mostWorkMs);
    let next = this.#queue.take();
    const hasBegun = next !== undefined;
    while (next !== undefined) {
      next.run();
      this.#endedAt = now();
      next = this.#endedAt < ends ? this.#queue.take() : undefined;
    }
    return hasBegun;
  }

  #refuse(request: QueuedRequest | undefined): void {
    if (request === undefined) return;
    this.refused += 1;
    this.#calmSince = this.#options.now();
    request.refuse();
  }
}
