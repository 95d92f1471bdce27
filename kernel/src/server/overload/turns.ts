/**
 * What happens to requests while the event loop cannot keep up: they wait in a queue for each principal, where what they wait can be seen, instead of in sockets that are not accepted or read yet. In each turn of the loop requests are begun
 * for about as long as reading and refusing took, one at least, and each handler's time is known before the next: principals in turn, small before large, in order of arrival.
 * Nothing is refused until there is more than can be served (`overload.ts`). Then the latest goes first, since who has waited longest has the least use of an answer, and who has waited too long is refused.
 *
 * While the loop keeps up, a request costs one look at the clock here. Not here: places of a procedure (`policy/admission.ts`), and how late the loop is (`delay.ts`).
 */
import { FairQueue } from "../../policy/fair-queue.ts";
import { Overload } from "./overload.ts";

interface TurnsOptions {
  /** Milliseconds that a request waits at least before it is refused. */
  readonly leastWaitMs: number;
  /** Milliseconds; see `Turns.limitMs`. */
  readonly limitMs: number;
  /** Milliseconds that the queue has to grow before a request is refused. */
  readonly growthMs: number;
  /** Milliseconds on a clock that never jumps. */
  readonly now: () => number;
  /** More requests arrive than are served, and so many wait: from now on those that wait too long are refused. */
  readonly onOverload: (waiting: number) => void;
  /** Calls back in the next turn of the event loop, after what has arrived by then was read; with false where connections still wait outside. */
  readonly nextTurn: (work: (areIn: boolean) => void) => void;
}

interface QueuedRequest extends Pick<TurnRequest, "run" | "refuse"> {
  readonly since: number;
  /** When its caller gives up. */
  readonly until: number;
}

/** One request: who sends it, how many bytes, and what becomes of it: one of the two is called, once. */
interface TurnRequest {
  readonly principal: string;
  readonly bytes: number;
  /** Milliseconds that its caller waits for an answer. */
  readonly timeoutMs?: number | undefined;
  readonly run: () => void;
  readonly refuse: () => void;
}

/** Milliseconds of a turn that begin requests, at least and at most. */
const leastWorkMs = 5;
const mostWorkMs = 50;
/** Part of that while connections wait outside: what waits there cannot be refused. */
const restOfWork = 0.5;
/** Requests of one principal that wait under overload; the oldest of more is refused at once. */
const mostOfOne = 256;
/** Milliseconds in which nothing had to wait for a second turn, after which the loop keeps up again. */
const calmMs = 500;
/** Connections that the system holds at most. Where more than that came before the queue was empty again, they are no burst that had waited there. */
const mostOutside = 4_096;
/** Bytes from which on a request is large, and what it costs then. */
const largeBytes = 65_536;
const largeCost = 4;

export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue = new FairQueue<QueuedRequest>();
  readonly #overload: Overload;
  /** True while requests are queued rather than begun. A field, since each request reads it. */
  isQueueing = false;
  /** When a timer last ran, which it does between two turns of the loop. While none does, nothing is late. */
  ticked = Number.POSITIVE_INFINITY;
  /** Milliseconds since then from which on the loop does not keep up, also in the midst of a turn. */
  readonly limitMs: number;
  #isScheduled = false;
  #calmSince = 0;
  /** Of a turn in which a request was begun, in milliseconds; follows the last few. */
  #turnMs = 0;
  #begunAt: number | undefined;
  /** Requests since the queue was last empty. */
  #arrived = 0;
  /** When the handlers of the last turn had begun. */
  #endedAt = 0;
  refused = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.limitMs = options.limitMs;
    this.#overload = new Overload(options);
  }

  /** Ends the spell after a while in which nothing waited. Where only handshakes and probes arrive, no turn is taken that could end it. */
  endWhenCalm(): void {
    if (this.#queue.size > 0 || this.#options.now() - this.#calmSince <= calmMs) return;
    this.isQueueing = false;
    this.#overload.end();
  }

  /** The event loop cannot keep up. */
  begin(): void {
    this.isQueueing = true;
    this.#calmSince = this.#options.now();
  }

  /** True while requests are refused that wait too long. */
  get isOverloaded(): boolean {
    return this.isQueueing && this.#overload.isOver;
  }

  /** Queues a request. Call it only while `isQueueing`. */
  add({ principal, bytes, timeoutMs, run, refuse }: TurnRequest): void {
    const since = this.#options.now();
    const queued = { since, until: since + (timeoutMs ?? Number.POSITIVE_INFINITY), run, refuse };
    this.#overload.arrived();
    this.#arrived += 1;
    this.#queue.add(principal, queued, bytes >= largeBytes ? largeCost : 1);
    if (this.#overload.isOver && this.#queue.count(principal) > mostOfOne)
      this.#refuse(this.#queue.dropLast(principal, "latest"));
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#options.nextTurn((areIn) => this.#turn(areIn));
  }

  #turn(areIn: boolean): void {
    this.#isScheduled = false;
    const now = this.#options.now();
    if (this.#begunAt !== undefined) this.#turnMs += (now - this.#begunAt - this.#turnMs) / 4;
    this.#begunAt = undefined;
    if (this.#overload.isOver) this.#refuseLate(now);
    const hasBegun = this.#beginSome(areIn ? 1 : restOfWork);
    this.#look(now, areIn);
    if (this.#queue.size > 0) this.#calmSince = now;
    if (hasBegun) this.#begunAt = now;
    else this.endWhenCalm();
    if (this.#queue.size > 0 || hasBegun) this.#schedule();
  }

  #look(now: number, areIn: boolean): void {
    if (this.#queue.size === 0) this.#arrived = 0;
    if (this.#overload.isOver) return;
    // Of a burst, more arrive than are begun until all are in.
    if (areIn || this.#arrived > mostOutside) this.#overload.look(now, this.#queue.size);
    else this.#overload.skip();
    if (this.#overload.isOver) this.#options.onOverload(this.#queue.size);
  }

  #refuseLate(now: number): void {
    // A principal that sends little gets its turn after one of each other.
    const longest = Math.max(this.#options.leastWaitMs, (this.#queue.principals + 1) * this.#turnMs);
    for (const late of this.#queue.removeAll(({ since }) => now - since > longest)) this.#refuse(late);
  }

  /** As many as take the time that went into reading and refusing since the last ones: one, where a handler takes long. */
  #beginSome(share: number): boolean {
    const { now } = this.#options;
    const began = now();
    const ends = began + Math.min(Math.max((began - this.#endedAt) * share, leastWorkMs), mostWorkMs);
    let next = this.#take();
    const hasBegun = next !== undefined;
    while (next !== undefined) {
      const at = now();
      this.#overload.begun(at - next.since);
      if (at < next.until) next.run();
      else this.#refuse(next);
      this.#endedAt = now();
      next = this.#endedAt < ends ? this.#take() : undefined;
    }
    return hasBegun;
  }

  #take(): QueuedRequest | undefined {
    return this.#queue.take(this.#overload.isOver ? "latest" : "first");
  }

  #refuse(request: QueuedRequest | undefined): void {
    if (request === undefined) return;
    this.refused += 1;
    this.#calmSince = this.#options.now();
    request.refuse();
  }
}
