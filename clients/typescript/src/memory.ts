/**
 * Calls a kernel in the same process. The kernel is an argument and known by its shape alone, so that this package imports none
 * and a browser bundle holds none.
 */

import { attemptLimits } from "./attempt-limits.ts";
import { ClientError, type WireError } from "./error.ts";
import { wireError } from "./problem.ts";
import type { Attempt, Progress, StreamItem, Transport } from "./transport.ts";

/** Options of a call, beside the procedure and its input. */
export interface MemoryOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly trace?: { readonly traceparent: string };
  readonly idempotencyKey?: string;
  readonly onProgress?: (progress: Progress) => void;
  readonly lastEventId?: string;
}

interface MemoryFailure {
  readonly ok: false;
  readonly error: WireError;
}

/** A kernel's memory entry, by its shape. */
export interface MemoryKernel {
  call(
    procedure: string,
    input: unknown,
    options: MemoryOptions,
  ): Promise<{ readonly ok: true; readonly value: unknown } | MemoryFailure>;
  subscribe(
    procedure: string,
    input: unknown,
    options: MemoryOptions,
  ): Promise<{ readonly ok: true; readonly items: AsyncIterable<StreamItem> } | MemoryFailure>;
}

/**
 * A transport to a kernel in this process, like `openMemoryKernel` gives, or `kernel.connect()`. Takes the same path as a call over
 * HTTP, without the network: errors are `ClientError`s with the same codes.
 */
export const memoryTransport = (kernel: MemoryKernel): Transport => ({
  async call(attempt) {
    const limits = attemptLimits(attempt);
    try {
      const reply = await kernel.call(attempt.procedure.name, attempt.input, memoryOptions(attempt, limits.signal));
      if (reply.ok) return reply.value;
      throw limits.error() ?? new ClientError(reply.error, attempt.procedure.name);
    } finally {
      limits.release();
    }
  },

  async *subscribe(attempt) {
    const limits = attemptLimits(attempt);
    try {
      const reply = await kernel.subscribe(
        attempt.procedure.name,
        attempt.input,
        memoryOptions(attempt, limits.signal),
      );
      if (!reply.ok) throw new ClientError(reply.error, attempt.procedure.name);
      yield* reply.items;
      const ended = limits.error();
      if (ended !== undefined) throw ended;
    } catch (cause) {
      throw limits.error() ?? asClientError(cause, attempt);
    } finally {
      limits.release();
    }
  },
});

const memoryOptions = (attempt: Attempt, signal: AbortSignal): MemoryOptions => ({
  signal,
  ...(attempt.timeoutMs !== undefined && { timeoutMs: attempt.timeoutMs }),
  ...(attempt.traceparent !== undefined && { trace: { traceparent: attempt.traceparent } }),
  ...(attempt.idempotencyKey !== undefined && { idempotencyKey: attempt.idempotencyKey }),
  ...(attempt.onProgress !== undefined && { onProgress: attempt.onProgress }),
  ...(attempt.lastEventId !== undefined && { lastEventId: attempt.lastEventId }),
});

/** A stream of the kernel throws errors that have the envelope's fields; anything else is a defect. */
const asClientError = (cause: unknown, { procedure }: Attempt): ClientError => {
  if (cause instanceof ClientError) return cause;
  const wire = wireError(cause) ?? { code: "internal", message: `${procedure.name} failed`, retryable: false };
  return new ClientError(wire, procedure.name, { cause });
};
