/**
 * Events as they are stored: those of calls, of which there may be thousands a second, as one text for all of a batch; the others, which are rare and
 * kept the longer for it, one by one. Pure. Not here: the tables (`event-table.ts`).
 */
import type { KernelEvent } from "../observe/event.ts";
import { callEvents } from "../observe/events.ts";

/** Events of calls in the order of their numbers. */
export interface CallBatch {
  /** Numbers of the first and the last of them. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  /** The JSON of all. */
  readonly events: string;
}

export interface PackedEvents {
  readonly calls: CallBatch | undefined;
  readonly others: readonly KernelEvent[];
}

export const packEvents = (events: readonly KernelEvent[]): PackedEvents => {
  const others = events.filter(({ type }) => !callEvents.has(type));
  const calls = others.length === 0 ? events : events.filter(({ type }) => callEvents.has(type));
  return { calls: packCalls(calls), others };
};

/** `undefined` for no events. */
const packCalls = (calls: readonly KernelEvent[]): CallBatch | undefined => {
  const [first, last] = [calls[0], calls.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return { first: first.seq, last: last.seq, count: calls.length, events: JSON.stringify(calls) };
};

/** What comes after that number. */
export const callsAfter = (batch: CallBatch, seq: number): CallBatch | undefined =>
  batch.first > seq ? batch : packCalls(unpackCalls(batch).filter((event) => event.seq > seq));

export const unpackCalls = ({ events }: { readonly events: string }): readonly KernelEvent[] => JSON.parse(events);
