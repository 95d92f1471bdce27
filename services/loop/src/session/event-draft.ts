/** An event before it is recorded, and how it gets what only the server knows: its id, its time, ids for the tickets it may create. */
import type { EventPayload, EventType, LoopEvent } from "../state/event.ts";
import { type EpochClock, type EventId, type IdSource, parseEventId } from "../value/id.ts";

export type EventDraft<T extends EventType = EventType> = {
  readonly type: T;
  readonly payload: EventPayload<T>;
  /** The caller's id; a new one when left out. */
  readonly id?: string | undefined;
  readonly measured?: LoopEvent["measured"];
  readonly usage?: LoopEvent["usage"] | undefined;
  /** Patch of what was measured. */
  readonly patch?: string | undefined;
};

/** Where times and ids come from. */
export interface EventSources {
  readonly clock: EpochClock;
  readonly ids: IdSource;
}

/** The caller's id, or a new one. */
export const chooseEventId = (id: string | undefined, ids: IdSource): EventId => {
  const chosen = id === undefined ? (`evt_${ids()}` as const) : parseEventId(id);
  if (chosen === undefined) throw new Error(`${id} is not an event id`);
  return chosen;
};

/** How many tickets an event may create, where it may create any. */
const mostTickets: Partial<Record<EventType, number>> = {
  SCOUT_OUTPUT: Number.POSITIVE_INFINITY,
  PROPOSALS_REVIEWED: Number.POSITIVE_INFINITY,
  // The one that resolves a conflict.
  TREE_SETTLED: 1,
};

/** The event of a draft. `maxTickets`: how many tickets it may create. The cast is the named boundary between a type and its payload. */
export const createEvent = <T extends EventType>(
  { type, payload, measured, usage }: EventDraft<T>,
  id: EventId,
  { clock, ids, maxTickets }: EventSources & { readonly maxTickets: number },
): LoopEvent => {
  const tickets = mostTickets[type] ?? 0;
  const event = {
    id,
    at: clock(),
    type,
    payload,
    ...(tickets > 0 && {
      ticketIds: Array.from({ length: Math.min(tickets, maxTickets) }, () => `tkt_${ids()}` as const),
    }),
    ...(measured !== undefined && { measured }),
    ...(usage !== undefined && { usage }),
  };
  return event as LoopEvent;
};
