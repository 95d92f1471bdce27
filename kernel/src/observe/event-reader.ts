/**
 * One reader of events: what is stored and kept, then what happens, through a sliding queue of its own. A reader that is too slow loses
 * the oldest and learns how many; where that cannot be known, the count is `null` and never 0.
 *
 * Not here: numbering and keeping (`events.ts`).
 */
import type * as Cause from "effect/Cause";
import * as Effect from "effect/Effect";
import * as Exit from "effect/Exit";
import * as Queue from "effect/Queue";
import type { EarlierPlace, EventSource, KernelEvent } from "./event.ts";

interface EventQuery {
  readonly types?: readonly string[];
  readonly service?: string;
  readonly after: number;
  readonly earlier: EarlierPlace | undefined;
  readonly last?: number;
  readonly signal: AbortSignal;
}

/** The events after a place, until the signal fires. */
export async function* readEvents(source: EventSource, query: EventQuery): AsyncGenerator<KernelEvent> {
  const { types, service, signal } = query;
  const acceptsType = (type: string): boolean => types === undefined || types.includes(type);
  const accepts = (event: KernelEvent): boolean =>
    acceptsType(event.type) && (service === undefined || event.service === service);
  const queue = Effect.runSync(Queue.sliding<KernelEvent, Cause.Done>(source.backlog));
  let missed = 0;
  const leave = source.onEvent((event) => {
    if (!accepts(event)) return;
    if (Queue.isFullUnsafe(queue)) {
      missed += 1;
      source.missed(1);
    }
    Queue.offerUnsafe(queue, event);
  });
  const end = (): void => {
    leave();
    Queue.endUnsafe(queue);
  };
  if (signal.aborted) end();
  else signal.addEventListener("abort", end, { once: true });
  try {
    // Taken in the same turn in which it began to listen: nothing is between them.
    const kept = latest(replay(source, query, { accepts, acceptsType }), query.last);
    if (query.earlier !== undefined) {
      const stored = source.history?.read(query.earlier, acceptsType) ?? [];
      yield* stored.filter(accepts);
      yield dropped(source, null, kept);
    }
    yield* kept;
    for (;;) {
      const exit = await Effect.runPromiseExit(Queue.takeAll(queue));
      if (Exit.isFailure(exit)) return;
      const count = missed;
      missed = 0;
      if (count > 0) yield dropped(source, count, exit.value);
      yield* exit.value;
    }
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** The last so many, without the note of those before them; all where no number is given. */
const latest = (events: readonly KernelEvent[], count: number | undefined): readonly KernelEvent[] => {
  if (count === undefined) return events;
  const own = events.filter(({ type }) => type !== "events.dropped");
  return own.slice(Math.max(0, own.length - count));
};

interface Filters {
  readonly accepts: (event: KernelEvent) => boolean;
  readonly acceptsType: (type: string) => boolean;
}

/** What is kept after a number, led by a note of how many are not kept any more. The count is over all types. */
const replay = (
  source: EventSource,
  { after, earlier }: EventQuery,
  { accepts, acceptsType }: Filters,
): KernelEvent[] => {
  const { events, lost } = source.kept(after, acceptsType);
  const found = events.filter(accepts);
  return lost && earlier === undefined ? [dropped(source, source.seq - after - events.length, found), ...found] : found;
};

/** The note that so many were missed, under the number from which on nothing is. `null`: not known how many. */
const dropped = (source: EventSource, count: number | null, [next]: readonly KernelEvent[]): KernelEvent => ({
  seq: next === undefined ? source.seq : next.seq - 1,
  at: source.now(),
  type: "events.dropped",
  service: "kernel",
  data: { count },
});
