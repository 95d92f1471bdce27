/** What a caller may say about one call. Not here: defaults of all calls of a client (`client.ts`). */
import type { RetryOptions } from "./retry.ts";
import type { FileRange, Progress } from "./transport.ts";

/** Options of one call of a query or a mutation. */
export interface CallOptions {
  /** Gives up when it fires; the handler is interrupted. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the whole call, repeats included; sent to the server. */
  readonly timeoutMs?: number;
  /** For keyed procedures; one is made when left out. */
  readonly idempotencyKey?: string;
  /** When a failed call is made again: up to 3 attempts when left out, `false` for a single one. */
  readonly retry?: RetryOptions | false;
  /** Called as often as the service reports; nothing is reported where the service does not. */
  readonly onProgress?: (progress: Progress) => void;
  /**
   * In a service's handler: inherits nothing of the call that is served, and goes on when that ends. Left out, deadline, cancellation and
   * trace are inherited.
   */
  readonly detached?: boolean;
}

/** Options of one download. */
export interface DownloadOptions extends Omit<CallOptions, "idempotencyKey" | "onProgress"> {
  /** A part of the file. What comes is all of it where the service cannot give parts, or the tag is another: `start` says which. */
  readonly range?: FileRange;
}

/** Options of one subscription. */
export interface SubscribeOptions {
  /** Ends the stream when it fires, with a `canceled` error. */
  readonly signal?: AbortSignal;
  /** When a broken stream is opened again: up to 8 attempts in a row without an event when left out, `false` for a single one. */
  readonly retry?: RetryOptions | false;
  /** Start after this event, seen in an earlier run. */
  readonly lastEventId?: string;
  /** Called with each event's id before the event, to keep it for `lastEventId`. */
  readonly onEventId?: (id: string) => void;
  /** As for calls. */
  readonly detached?: boolean;
}
