/** The events of a stream that a node gives for as long as it owns their key: its reader learns at once that another owns it now, whatever the handler waits for. */
import type { ShardClaim } from "./claim.ts";

export class GuardedEvents implements AsyncIterable<unknown>, AsyncIterator<unknown> {
  readonly #events: AsyncIterator<unknown>;
  readonly #claim: ShardClaim;
  readonly #moved: () => Error;
  readonly #leave: () => void;
  #fail: ((cause: Error) => void) | undefined;
  #isOver = false;

  constructor(events: AsyncIterable<unknown>, claim: ShardClaim, moved: () => Error) {
    this.#events = events[Symbol.asyncIterator]();
    this.#claim = claim;
    this.#moved = moved;
    claim.begin();
    this.#leave = claim.onLeaving(() => {
      this.#end();
      this.#fail?.(moved());
    });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<unknown>> {
    if (this.#isOver || !this.#claim.isCertain) {
      this.#end();
      throw this.#moved();
    }
    const next = await this.#read();
    if (next.done === true) this.#settle();
    else if (!this.#claim.isCertain) {
      this.#end();
      throw this.#moved();
    }
    return next;
  }

  return(): Promise<IteratorResult<unknown>> {
    this.#settle();
    return this.#events.return?.() ?? Promise.resolve({ done: true, value: undefined });
  }

  #read(): Promise<IteratorResult<unknown>> {
    return new Promise<IteratorResult<unknown>>((resolve, reject) => {
      this.#fail = reject;
      this.#events.next().then(resolve, (cause: unknown) => {
        this.#settle();
        reject(cause);
      });
    });
  }

  /** Its handler is not waited for: it may wait for what never comes. */
  #end(): void {
    this.#settle();
    void this.#events.return?.().catch(() => undefined);
  }

  #settle(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#leave();
    this.#claim.end();
  }
}
