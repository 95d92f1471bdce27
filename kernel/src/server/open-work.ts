/** The work that a mount has open: for ending gracefully, when the last of it is done. */

export class OpenWork {
  readonly #work = new Set<Promise<void>>();
  readonly #closing = new AbortController();

  /** Fires when the mount closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Counts it until it settles; gives it back as it is. */
  add(work: Promise<void>): Promise<void> {
    this.#work.add(work);
    const done = (): void => void this.#work.delete(work);
    work.then(done, done);
    return work;
  }

  /** Asks all open work to end; resolves when it has settled, however it settles. */
  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#work.size > 0) await Promise.allSettled(this.#work);
  }
}
