/** What is under way: for ending gracefully, when the last of it is done. */

export class PendingWork {
  readonly #under = new Set<Promise<void>>();

  /** Counts it until it settles; gives it back as it is. */
  add(work: Promise<void>): Promise<void> {
    this.#under.add(work);
    const done = (): void => void this.#under.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when all that is under way has settled, however it settles. */
  async ended(): Promise<void> {
    while (this.#under.size > 0) await Promise.allSettled(this.#under);
  }
}
