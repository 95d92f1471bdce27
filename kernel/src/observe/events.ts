/**
 * What happens in the kernel, numbered. Events are kept in rings and replayed to readers. Calls, repeats and log lines have rings of
 * their own, so that a busy service cannot push out the rare events.
 *
 * Not here: reading, which has a queue for each reader (`event-reader.ts`), and writing down what outlives a kernel (`event-log.ts`).
 */

import type { Redactor } from "@fairlead/contracts";
import type { EarlierPlace, EventHistory, EventSource, Events, KernelEvent, ReadOptions } from "./event.ts";

/** Types that are frequent; each has a ring of its own. */
export const callEvent = "call";
export const logEvent = "log";
export const retryEvent = "call.retry";
export const streamEvent = "stream.opened";

/** Types that come with every call, or many of them: they push out no others where events are stored. */
export const callEvents: ReadonlySet<string> = new Set([callEvent, retryEvent, streamEvent]);

interface EventsOptions {
  /** Takes secrets out of what happened, but for calls, whose events hold no text of a service, and lines of the log, which come without. */
  readonly redactor?: Redactor;
  readonly now?: () => number;
  /** Events kept, without calls and log lines. */
  readonly kept?: number;
  /** Events kept of each frequent type. */
  readonly keptFrequent?: number;
  /** Events waiting for one reader before the oldest is dropped. */
  readonly backlog?: number;
}

type KernelEventListener = (event: KernelEvent) => void;

export const makeEvents = (options: EventsOptions = {}): Events => {
  const { now = Date.now, redactor } = options;
  const rare = new Ring(options.kept ?? 4_096);
  const frequent = new Map([...callEvents, logEvent].map((type) => [type, new Ring(options.keptFrequent ?? 1_024)]));
  const listeners = new Set<KernelEventListener>();
  let seq = 0;
  let dropped = 0;
  let readers = 0;
  let history: EventHistory | undefined;

  const onEvent = (listener: KernelEventListener): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  const source: EventSource = {
    get seq() {
      return seq;
    },
    get history() {
      return history;
    },
    backlog: options.backlog ?? 1_024,
    now,
    onEvent: (listener) => {
      const leave = onEvent(listener);
      let isIn = true;
      readers += 1;
      return () => {
        if (isIn) readers -= 1;
        isIn = false;
        leave();
      };
    },
    missed: (count) => {
      dropped += count;
    },
    kept: (after, accepts) => {
      const rings = [rare, ...frequent.values()];
      return {
        events: rings.flatMap((ring) => ring.after(after)).toSorted((a, b) => a.seq - b.seq),
        lost: rare.lostAfter(after) || [...frequent].some(([type, ring]) => accepts(type) && ring.lostAfter(after)),
      };
    },
  };

  return {
    start: now(),
    get seq() {
      return seq;
    },
    get dropped() {
      return dropped;
    },
    get isRead() {
      return readers > 0;
    },
    emit(type, service, data) {
      seq += 1;
      const isClean = redactor === undefined || type === callEvent || type === logEvent;
      const event: KernelEvent = { seq, at: now(), type, service, data: isClean ? data : redactor.json(data) };
      (frequent.get(type) ?? rare).push(event);
      for (const listener of listeners) listener(event);
    },
    read(wanted) {
      const { after } = wanted;
      const isForeign = wanted.earlier !== undefined || (after !== undefined && after > seq);
      const from = isForeign ? 0 : (after ?? seq);
      const earlier = wanted.earlier ?? (isForeign && after !== undefined ? { seq: after } : undefined);
      return {
        after: from,
        [Symbol.asyncIterator]: () => readLater(source, { ...wanted, after: from, earlier }),
      };
    },
    kept: () => source.kept(0, () => true).events,
    onEvent,
    remember: (found) => {
      history = found;
    },
  };
};

interface LaterQuery extends Omit<ReadOptions, "earlier"> {
  readonly after: number;
  readonly earlier: EarlierPlace | undefined;
}

/**
 * What reads is loaded with the first reader: most kernels that are started have none. Nothing is lost until then, since a reader begins
 * in the rings.
 */
const readLater = (source: EventSource, query: LaterQuery): AsyncIterator<KernelEvent> => {
  let reading: Promise<AsyncGenerator<KernelEvent>> | undefined;
  const opened = (): Promise<AsyncGenerator<KernelEvent>> => {
    reading ??= import("./event-reader.ts").then(({ readEvents }) => readEvents(source, query));
    return reading;
  };
  return {
    next: () => opened().then((events) => events.next()),
    return: () =>
      reading === undefined
        ? Promise.resolve({ done: true, value: undefined })
        : reading.then((events) => events.return(undefined)),
  };
};

/** Events of calls that wait to be stored, and as many others; those beyond are counted. */
const mostWaiting = 1_000;

/** Events that wait to be stored together: all but quiet lines of log. Here, since each call passes it (`event-log.ts` stores them). */
export class EventBatch {
  /** Those that did not fit, or were lost. */
  lost = 0;
  /** While true, nothing is added. */
  isClosed = false;
  #waiting: KernelEvent[] = [];
  /** How many of them are of calls. */
  #calls = 0;
  readonly #ring: () => void;

  /** `ring` is called with the first event of each batch. */
  constructor(ring: () => void) {
    this.#ring = ring;
  }

  readonly add = (event: KernelEvent): void => {
    if (this.isClosed || (event.type === logEvent && isQuiet(event))) return;
    const isOfCall = callEvents.has(event.type);
    if ((isOfCall ? this.#calls : this.#waiting.length - this.#calls) >= mostWaiting) {
      this.lost += 1;
      return;
    }
    if (isOfCall) this.#calls += 1;
    if (this.#waiting.push(event) === 1) this.#ring();
  };

  /** What waits; nothing does after that. */
  take(): readonly KernelEvent[] {
    const taken = this.#waiting;
    this.#waiting = [];
    this.#calls = 0;
    return taken;
  }
}

const isQuiet = ({ data }: KernelEvent): boolean => data.level !== "warn" && data.level !== "error";

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
