/**
 * What carries a service to another event loop: a thread or a process that has loaded its code, with a port to it.
 *
 * Not here: the two (`thread.ts`, `process.ts`), and what is said over the port (`link.ts`).
 */
import type * as Effect from "effect/Effect";
import type { ThreadStart } from "./thread-protocol.ts";

export interface Carrier {
  readonly kind: "thread" | "process";
  /** In words: `the thread of box`. */
  readonly name: string;
  /** Of a process. */
  readonly pid: number | undefined;
  /** Throws for what cannot be sent. */
  post(message: unknown): void;
  /** Ends it at once; completes when it has ended. */
  readonly kill: Effect.Effect<void>;
}

/** Where what it sends goes. */
export interface CarrierListener {
  message(message: unknown): void;
  /** Called once, after the last message: it has ended, for this reason. */
  ended(error: Error): void;
}

export type StartCarrier = (start: ThreadStart, listener: CarrierListener) => Carrier;
