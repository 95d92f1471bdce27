/**
 * A shard that this node owns: until when that is certain, and what runs by it. A node that slept through its lease finds that out here, by its own clocks, before
 * it answers anything.
 *
 * Not here: the lease in the store (`lease-table.ts`).
 */

/** On both clocks of this machine: one stands still while a machine sleeps, the other may be set. */
export interface Moment {
  readonly uptime: number;
  readonly wall: number;
}

type ClaimClock = () => Moment;

export const readClock: ClaimClock = () => ({ uptime: performance.now(), wall: Date.now() });

/** Milliseconds of a lease that are not counted on: clocks of two machines do not go at quite the same speed. */
const marginMs = 250;

export class ShardClaim {
  readonly shard: number;
  readonly epoch: number;
  readonly #lifeMs: number;
  readonly #clock: ClaimClock;
  /** When the renewal was asked for, which the store answered later. */
  #renewed: Moment;
  #running = 0;
  #isLeaving = false;
  #isOver = false;
  #whenIdle: (() => void) | undefined;
  readonly #whenLeaving = new Set<() => void>();

  constructor(own: { readonly shard: number; readonly epoch: number }, lease: LeaseTerms, renewed: Moment) {
    this.shard = own.shard;
    this.epoch = own.epoch;
    this.#lifeMs = lease.expiryMs - marginMs;
    this.#clock = lease.clock;
    this.#renewed = renewed;
  }

  /** True once it is being given to another: calls that run may end, and none begins. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether no other node can have it at this moment. */
  get isCertain(): boolean {
    if (this.#isOver) return false;
    const { uptime, wall } = this.#clock();
    return Math.max(uptime - this.#renewed.uptime, wall - this.#renewed.wall) < this.#lifeMs;
  }

  /** Whether a call may begin by it. */
  get isOpen(): boolean {
    return !this.isLeaving && this.isCertain;
  }

  renew(at: Moment): void {
    this.#renewed = at;
  }

  begin(): void {
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#whenIdle?.();
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /** Called once nothing runs by it. */
  onIdle(then: () => void): void {
    if (this.#running === 0) then();
    else this.#whenIdle = then;
  }

  /** Called when it is lost or about to be given away, at once where it is already: streams end then. Returns what ends that. */
  onLeaving(listener: () => void): () => void {
    if (this.#isLeaving) listener();
    else this.#whenLeaving.add(listener);
    return () => this.#whenLeaving.delete(listener);
  }

  leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    for (const listener of this.#whenLeaving) listener();
    this.#whenLeaving.clear();
  }

  /** It is another's now, or no node's. */
  lose(): void {
    this.#isOver = true;
    this.leave();
  }
}

export interface LeaseTerms {
  readonly expiryMs: number;
  readonly clock: ClaimClock;
}
