/**
 * What happened in a front and is the kernel's to keep: collected for a moment, so that a call costs a line in a list and no message of its
 * own. What a front has collected when it is killed is lost.
 */
import type { FrontEvent, RecordsNote } from "../fronts/front-protocol.ts";

/** Milliseconds for which a front collects what it says to the kernel. */
const collectMs = 20;

/** What happened in this front since the kernel last heard of it. */
export class FrontRecords {
  #events: FrontEvent[] = [];
  #refusals: Record<string, number> = {};
  #closed = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #send: (records: RecordsNote) => void;

  constructor(send: (records: RecordsNote) => void) {
    this.#send = send;
  }

  readonly event = (...event: FrontEvent): void => {
    this.#events.push(event);
    this.#later();
  };

  readonly refused = (reason: string): void => {
    this.#refusals[reason] = (this.#refusals[reason] ?? 0) + 1;
    this.#later();
  };

  readonly closed = (): void => {
    this.#closed += 1;
    this.#later();
  };

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const records: RecordsNote = {
      events: JSON.stringify(this.#events),
      refusals: this.#refusals,
      closed: this.#closed,
    };
    this.#events = [];
    this.#refusals = {};
    this.#closed = 0;
    this.#send(records);
  }

  #later(): void {
    this.#timer ??= setTimeout(() => this.flush(), collectMs);
  }
}
