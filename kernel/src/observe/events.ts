/**
 * What happens in the kernel, numbered. Events are kept in rings, replayed to late readers, and a reader that is too slow learns
 * how many it missed. Calls and log lines have rings of their own, so that a busy service cannot push out the rare events.
 */

export interface KernelEvent {
  /** Grows by one over all types. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly service: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Which events to read, and from where. */
export interface ReadOptions {
  /** Only these types; all when left out. `events.dropped` always passes. */
  readonly types?: readonly string[];
  /** Only those of this service; all when left out. `events.dropped` always passes. */
  readonly service?: string;
  /**
   * Start after this number; only new events when left out. A number that no event has had yet is one of an earlier kernel: all that is
   * kept then, led by `events.dropped`, since what was missed is not known.
   */
  readonly after?: number;
  readonly signal: AbortSignal;
}

/** Events in their order, from the moment of the call on. */
export interface Reading extends AsyncIterable<KernelEvent> {
  /** The number after which it begins: what is as it was then, and what is read, are together the whole truth. */
  readonly after: number;
}

export interface Events {
  /** Records an event. Never throws. */
  emit(type: string, service: string, data: Readonly<Record<string, unknown>>): void;
  /** The number of the latest event; 0 before the first. */
  readonly seq: number;
  /** Replays what is kept, then follows. Ends when the signal fires. */
  read(options: ReadOptions): Reading;
}

/** Types that are frequent; each has a ring of its own. */
export const callEvent = "call";
export const logEvent = "log";

export interface EventsOptions {
  readonly now?: () => number;
  /** Events kept, without calls and log lines. */
  readonly kept?: number;
  /** Events kept of each frequent type. */
  readonly keptFrequent?: number;
  /** Events waiting for one reader before the oldest is dropped. */
  readonly backlog?: number;
}

export const makeEvents = (options: EventsOptions = {}): Events => {
  const now = options.now ?? Date.now;
  const rare = new Ring(options.kept ?? 4_096);
  const frequent = new Map([callEvent, logEvent].map((type) => [type, new Ring(options.keptFrequent ?? 1_024)]));
  const readers = new Set<Reader>();
  const backlog = options.backlog ?? 1_024;
  let seq = 0;

  return {
    get seq() {
      return seq;
    },
    emit(type, service, data) {
      seq += 1;
      const event: KernelEvent = { seq, at: now(), type, service, data };
      (frequent.get(type) ?? rare).push(event);
      for (const reader of readers) reader.offer(event);
    },
    read({ types, service, after, signal }) {
      const accepts = (event: KernelEvent): boolean =>
        (types === undefined || types.includes(event.type)) && (service === undefined || event.service === service);
      const reader = new Reader(accepts, backlog);
      const isForeign = after !== undefined && after > seq;
      const from = isForeign ? 0 : after;
      const kept = from === undefined ? [] : replay(from, accepts, { service: service ?? "", isForeign });
      const leave = (): void => {
        reader.close();
        readers.delete(reader);
      };
      if (signal.aborted) reader.close();
      else {
        readers.add(reader);
        signal.addEventListener("abort", leave, { once: true });
      }
      const items = follow(reader, kept, () => {
        signal.removeEventListener("abort", leave);
        leave();
      });
      return { after: from ?? seq, [Symbol.asyncIterator]: () => items };
    },
  };

  async function* follow(reader: Reader, kept: readonly KernelEvent[], leave: () => void): AsyncGenerator<KernelEvent> {
    try {
      yield* kept;
      while (!reader.closed) {
        const { missed, events } = await reader.take();
        if (missed > 0) yield dropped(missed, events);
        yield* events;
      }
    } finally {
      leave();
    }
  }

  /** What is kept after a number, led by a note of how many are not kept any more. The count is over all types. */
  function replay(
    after: number,
    accepts: (event: KernelEvent) => boolean,
    { service, isForeign }: { readonly service: string; readonly isForeign: boolean },
  ): KernelEvent[] {
    const rings = [rare, ...frequent.values()];
    const kept = rings.flatMap((ring) => ring.after(after)).toSorted((a, b) => a.seq - b.seq);
    const acceptsType = (type: string): boolean => accepts({ seq: 0, at: 0, type, service, data: {} });
    const lost =
      isForeign ||
      rare.lostAfter(after) ||
      [...frequent].some(([type, ring]) => acceptsType(type) && ring.lostAfter(after));
    const found = kept.filter(accepts);
    return lost ? [dropped(seq - after - kept.length, found), ...found] : found;
  }

  /** The note that so many were missed, under the number from which on nothing is. */
  function dropped(count: number, [next]: readonly KernelEvent[]): KernelEvent {
    return {
      seq: next === undefined ? seq : next.seq - 1,
      at: now(),
      type: "events.dropped",
      service: "kernel",
      data: { count },
    };
  }
};

/** The latest `size` events. */
class Ring {
  readonly #size: number;
  readonly #items: KernelEvent[] = [];
  #next = 0;
  #lostSeq = 0;

  constructor(size: number) {
    this.#size = size;
  }

  push(event: KernelEvent): void {
    this.#lostSeq = this.#items[this.#next]?.seq ?? this.#lostSeq;
    this.#items[this.#next] = event;
    this.#next = (this.#next + 1) % this.#size;
  }

  after(seq: number): KernelEvent[] {
    return this.#items.filter((event) => event.seq > seq);
  }

  /** True when an event after that number has been pushed out. */
  lostAfter(seq: number): boolean {
    return this.#lostSeq > seq;
  }
}

/** What one reader has not taken yet; the oldest goes first when it is too slow. */
class Reader {
  readonly #accepts: (event: KernelEvent) => boolean;
  readonly #backlog: number;
  #waiting: KernelEvent[] = [];
  #missed = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  constructor(accepts: (event: KernelEvent) => boolean, backlog: number) {
    this.#accepts = accepts;
    this.#backlog = backlog;
  }

  offer(event: KernelEvent): void {
    if (!this.#accepts(event)) return;
    if (this.#waiting.length >= this.#backlog) {
      this.#waiting.shift();
      this.#missed += 1;
    }
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** True once closed and emptied. */
  get closed(): boolean {
    return this.#closed && this.#waiting.length === 0;
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async take(): Promise<{ readonly missed: number; readonly events: readonly KernelEvent[] }> {
    while (this.#waiting.length === 0 && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const taken = { missed: this.#missed, events: this.#waiting };
    this.#waiting = [];
    this.#missed = 0;
    return taken;
  }
}
