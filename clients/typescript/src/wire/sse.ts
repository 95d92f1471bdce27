/**
 * Server-sent events: text in, events out, at any chunking. Follows the WHATWG event stream rules (three line endings, a byte
 * order mark, comments, `data` over several lines, an id that may not hold NUL, an unfinished event at the end is dropped).
 *
 * Pure: no network, no decoding of bytes. Not here: what an event means (`fetch.ts`).
 */

/** One event as the server sent it. */
export interface SseEvent {
  /** Value of `event:`; `message` when there was none. */
  readonly event: string;
  readonly data: string;
  /** Value of the newest `id:` seen so far in the stream; `undefined` when none or empty. */
  readonly id?: string;
}

interface SseParser {
  /** Takes the next piece of the stream and gives the events that are complete now. */
  push(text: string): readonly SseEvent[];
  /** Characters held back because their event is not complete. */
  readonly pending: number;
  /** Milliseconds of the newest `retry:`: how long to wait before connecting again. */
  readonly retryMs: number | undefined;
}

/** A parser that takes pieces of a stream and gives the events that are complete. */
export const sseParser = (): SseParser => {
  let rest = "";
  let started = false;
  let afterReturn = false;
  let id: string | undefined;
  let event = "";
  let data: string[] = [];
  let held = 0;
  let retryMs: number | undefined;

  const dispatch = (events: SseEvent[]): void => {
    if (data.length > 0) {
      events.push({ event: event === "" ? "message" : event, data: data.join("\n"), ...(id !== undefined && { id }) });
    }
    event = "";
    data = [];
    held = 0;
  };

  const field = (line: string): void => {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") {
      data.push(value);
      held += value.length;
    } else if (name === "event") event = value;
    else if (name === "retry" && /^\d{1,9}$/.test(value)) retryMs = Number(value);
    else if (name === "id" && !value.includes("\0")) id = value === "" ? undefined : value;
  };

  return {
    push(text) {
      const events: SseEvent[] = [];
      let fresh = text;
      if (!started && fresh !== "") {
        started = true;
        if (fresh.startsWith("\uFEFF")) fresh = fresh.slice(1);
      }
      // A line feed right after a carriage return belongs to it, also when the two came in different pieces.
      if (afterReturn && fresh !== "") {
        afterReturn = false;
        if (fresh.startsWith("\n")) fresh = fresh.slice(1);
      }
      let from = 0;
      const ends = /\r\n|\r|\n/g;
      ends.lastIndex = 0;
      for (let end = ends.exec(fresh); end !== null; end = ends.exec(fresh)) {
        const line = rest + fresh.slice(from, end.index);
        rest = "";
        from = ends.lastIndex;
        if (end[0] === "\r" && from === fresh.length) afterReturn = true;
        if (line === "") dispatch(events);
        else if (!line.startsWith(":")) field(line);
      }
      rest += fresh.slice(from);
      return events;
    },
    get pending() {
      return rest.length + held;
    },
    get retryMs() {
      return retryMs;
    },
  };
};
