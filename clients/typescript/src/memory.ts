/**
 * Calls a kernel in the same process. The kernel is an argument and known by its shape alone, so that this package imports none
 * and a browser bundle holds none.
 */

import { attemptLimits } from "./attempt-limits.ts";
import { ClientError, type WireError } from "./error.ts";
import { describeUpload, noSuchPart, toStream } from "./files.ts";
import { wireError } from "./problem.ts";
import type { Attempt, DownloadedFile, Progress, StreamItem, Transport, UploadFile } from "./transport.ts";

/** A file on its way to a kernel. */
interface MemoryFile extends AsyncIterable<Uint8Array> {
  readonly type: string;
  readonly name?: string | undefined;
  readonly size?: number | undefined;
}

/** A file that a kernel gives. */
interface MemorySource {
  readonly type: string;
  readonly name?: string | undefined;
  readonly size?: number | undefined;
  readonly etag?: string | undefined;
  open(range?: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

/** Options of a call, beside the procedure and its input. */
export interface MemoryOptions {
  readonly signal: AbortSignal;
  readonly file?: MemoryFile;
  readonly timeoutMs?: number;
  readonly attempts?: number;
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
  ): Promise<{ readonly ok: true; readonly value: unknown; readonly file?: MemorySource } | MemoryFailure>;
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

  async download(attempt) {
    const limits = attemptLimits(attempt);
    try {
      const reply = await kernel.call(attempt.procedure.name, attempt.input, memoryOptions(attempt, limits.signal));
      if (!reply.ok) throw limits.error() ?? new ClientError(reply.error, attempt.procedure.name);
      if (reply.file === undefined) throw asClientError(undefined, attempt);
      return openSource(reply.file, attempt);
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

const openSource = (file: MemorySource, attempt: Attempt): DownloadedFile => {
  const { type, name, size, etag } = file;
  const { range } = attempt;
  const isPart = range !== undefined && size !== undefined && (range.etag === undefined || range.etag === etag);
  if (isPart && range.start >= size) throw noSuchPart(attempt);
  const part = isPart ? { start: range.start, end: Math.min(range.end ?? size - 1, size - 1) } : undefined;
  return {
    type,
    ...(name !== undefined && { name }),
    ...(size !== undefined && { size }),
    ...(etag !== undefined && { etag }),
    start: part?.start ?? 0,
    stream: toStream(file.open(part)),
  };
};

const sentFile = (file: UploadFile): MemoryFile => {
  const bytes = file instanceof Blob ? file.stream() : file.stream;
  return { ...describeUpload(file), [Symbol.asyncIterator]: () => bytes[Symbol.asyncIterator]() };
};

const memoryOptions = (attempt: Attempt, signal: AbortSignal): MemoryOptions => ({
  signal,
  ...(attempt.file !== undefined && { file: sentFile(attempt.file) }),
  ...(attempt.timeoutMs !== undefined && { timeoutMs: attempt.timeoutMs }),
  ...(attempt.attempts !== undefined && { attempts: attempt.attempts }),
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
