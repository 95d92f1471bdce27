/**
 * What a typed client needs to send its calls. `fetchTransport` and `memoryTransport` are two; yours may be
 * a third.
 *
 * A transport makes one attempt and says how it went; repeats and resumption are the client's.
 */
import type { ProcedureDescriptor } from "./descriptor.ts";

/** How far a long call has come. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One attempt of one call. */
export interface Attempt {
  readonly procedure: ProcedureDescriptor;
  readonly input: unknown;
  /** Fires when the caller gives up. */
  readonly signal?: AbortSignal;
  /** Milliseconds left for this attempt: sent to the server, and kept by the transport. */
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
  /** Called as often as the service reports; over HTTP the answer then comes as events. */
  readonly onProgress?: (progress: Progress) => void;
  /** For subscriptions: send what comes after this event. */
  readonly lastEventId?: string;
}

/** One event of a subscription; without an id it cannot be resumed from. */
export interface StreamItem {
  readonly id?: string;
  readonly value: unknown;
}

export interface Transport {
  /** Resolves with the output, rejects with a `ClientError` and nothing else. */
  call(attempt: Attempt): Promise<unknown>;
  /** Ends when the server ended the stream; throws a `ClientError` when it broke. Leaving the loop closes the connection. */
  subscribe(attempt: Attempt): AsyncIterable<StreamItem>;
}
