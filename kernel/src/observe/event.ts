/** What an event is, how events are read, and what readers and the history of earlier kernels are made of. Types alone. */

export interface KernelEvent {
  /** Grows by one over all types. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly service: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** When the kernel was started that numbered it, in milliseconds since the epoch; absent for the running one. */
  readonly start?: number;
}

/** A place in the numbering of an earlier kernel. */
export interface EarlierPlace {
  /** When that kernel was started, in milliseconds since the epoch; its predecessor when left out. */
  readonly start?: number;
  readonly seq: number;
}

/** Which events to read, and from where. */
export interface ReadOptions {
  /** Only these types; all when left out. `events.dropped` always passes. */
  readonly types?: readonly string[];
  /** Only those of this service; all when left out. `events.dropped` always passes. */
  readonly service?: string;
  /**
   * Start after this number; only new events when left out. A number that no event has had yet is one of an earlier kernel: what is stored
   * of that one, then `events.dropped` without a count, since what was missed is not known, then all that is kept.
   */
  readonly after?: number;
  /** Begin with so many of the latest kept events that fit; all that are kept when left out. */
  readonly last?: number;
  /** Start after this event of an earlier kernel, in the same way. Wins over `after`. */
  readonly earlier?: EarlierPlace;
  readonly signal: AbortSignal;
}

/** Events in their order, from the moment of the call on. */
export interface Reading extends AsyncIterable<KernelEvent> {
  /** The number after which it begins: what is as it was then, and what is read, are together the whole truth. */
  readonly after: number;
}

/** What is stored of earlier kernels. */
export interface EventHistory {
  /** Events after that place, oldest first; types that are not accepted may be left out. */
  read(place: EarlierPlace, accepts?: (type: string) => boolean): readonly KernelEvent[];
}

export interface Events {
  /** Records an event. Never throws. */
  emit(type: string, service: string, data: Readonly<Record<string, unknown>>): void;
  /** When numbering began, in milliseconds since the epoch. */
  readonly start: number;
  /** The number of the latest event; 0 before the first. */
  readonly seq: number;
  /** Events that readers have missed because they were too slow. */
  readonly dropped: number;
  /** True while somebody reads: what costs something may be put into events then. */
  readonly isRead: boolean;
  /** Replays what is kept, then follows. Ends when the signal fires. */
  read(options: ReadOptions): Reading;
  /** All that is kept, in order. */
  kept(): readonly KernelEvent[];
  /** Calls back at every event until the returned function is called. A listener must not throw. */
  onEvent(listener: (event: KernelEvent) => void): () => void;
  /** Readers that go on after an earlier kernel's events find them here. */
  remember(history: EventHistory): void;
}

/** What a reader reads from. */
export interface EventSource {
  readonly seq: number;
  readonly backlog: number;
  readonly history: EventHistory | undefined;
  now(): number;
  onEvent(listener: (event: KernelEvent) => void): () => void;
  /** Counts events that a reader has missed. */
  missed(count: number): void;
  /** What is kept after a number, and whether any of an accepted type is not kept any more. */
  kept(after: number, accepts: (type: string) => boolean): { readonly events: KernelEvent[]; readonly lost: boolean };
}
