/**
 * Events for the streams of `subscriptions/listen`: those of the server, which all streams get, and those of one stream. The SDK has one bus for all streams,
 * and a resource of the same address is another one for each caller. Not here: which stream gets what it did not ask for: none (the SDK's filter).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";

type BusListener = (event: ServerEvent) => void;

interface EventStream {
  /** Runs what opens the stream: what subscribes in it is this stream. */
  within<T>(open: () => T): T;
  /** To this stream alone; nothing before it is open and after it has ended. */
  send(event: ServerEvent): void;
}

export class StreamBus implements ServerEventBus {
  readonly #bus: ServerEventBus;
  readonly #listeners = new AsyncLocalStorage<Set<BusListener>>();

  constructor(bus: ServerEventBus) {
    this.#bus = bus;
  }

  publish(event: ServerEvent): void {
    this.#bus.publish(event);
  }

  subscribe(listener: BusListener): () => void {
    const own = this.#listeners.getStore();
    own?.add(listener);
    const leave = this.#bus.subscribe(listener);
    return () => {
      own?.delete(listener);
      leave();
    };
  }

  open(): EventStream {
    const own = new Set<BusListener>();
    return {
      within: (open) => this.#listeners.run(own, open),
      send: (event) => {
        for (const listener of own) listener(event);
      },
    };
  }
}
