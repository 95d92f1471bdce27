/**
 * The signed calls that this worker has taken and whose signatures still hold: what comes a second time was recorded and sent again by another.
 *
 * Not here: signatures and how long they hold. Other workers of a queue group, and this one before its start, have lists of their own.
 */
export class SeenCalls {
  /** Milliseconds since 1970 until which a call could be sent again, by where its answer goes, in the order of their coming. */
  readonly #until = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(reply: string, until: number, now = Date.now()): "new" | "again" | "full" {
    if (this.#until.has(reply)) return "again";
    for (const [oldest, end] of this.#until) {
      if (end >= now) break;
      this.#until.delete(oldest);
    }
    if (this.#until.size >= this.#most) return "full";
    this.#until.set(reply, until);
    return "new";
  }
}
