/**
 * What a typed client needs to send its calls. `fetchTransport` and `memoryTransport` are two; yours may be
 * a third.
 *
 * A transport makes one attempt and says how it went; repeats and resumption are the client's.
 */
import type { ProcedureDescriptor } from "./descriptor.ts";

/** How far a long call has come. */
export interface Progress {
  /** What is done so far, in the unit of `total`; never less than before. */
  readonly progress: number;
  /** All there is to do, when known. */
  readonly total?: number;
  /** What is being done, for people. */
  readonly message?: string;
}

/** A file to send: a `Blob` or `File`, or bytes as they come, which can be sent once. */
export type UploadFile = Blob | UploadStream;

/** Bytes as they come, and what they are. */
export interface UploadStream {
  readonly stream: ReadableStream<Uint8Array>;
  /** Media type; `application/octet-stream` when left out. */
  readonly type?: string;
  readonly name?: string;
}

/** A part of a file: its first byte, counted from 0, and its last; up to its end when left out. */
export interface FileRange {
  readonly start: number;
  readonly end?: number;
  /** Only where the file still has this tag; all of it otherwise. */
  readonly etag?: string;
}

/** A file that a download gave: its head has come, and its bytes come as they are read. Read or cancel `stream`, or the connection stays. */
export interface DownloadedFile {
  readonly type: string;
  readonly name?: string;
  /** Bytes of the whole file, where they are known. */
  readonly size?: number;
  readonly etag?: string;
  /** The first byte that `stream` gives: 0 but for a part of the file. */
  readonly start: number;
  readonly stream: ReadableStream<Uint8Array>;
}

/** One attempt of one call. */
export interface Attempt {
  readonly procedure: ProcedureDescriptor;
  /** As the caller gave it; the kernel decodes it. */
  readonly input: unknown;
  /** Fires when the caller gives up. */
  readonly signal?: AbortSignal;
  /** Milliseconds left for this attempt: sent to the server, and kept by the transport. */
  readonly timeoutMs?: number;
  /** The time is that of the call which is served: the kernel ends that one, and the attempt with it, before this timer does. */
  readonly isTimeInherited?: boolean;
  /** W3C trace context of the call that this one is made for, in a service's handler. */
  readonly traceparent?: string;
  /** How often the server may try it, in all: 1 where the client repeats it. As often as contracts say when left out. */
  readonly attempts?: number;
  /** For keyed procedures: the same in every attempt of a call. */
  readonly idempotencyKey?: string;
  /** Called as often as the service reports; over HTTP the answer then comes as events. */
  readonly onProgress?: (progress: Progress) => void;
  /** For uploads. */
  readonly file?: UploadFile;
  /** For downloads: a part of the file. */
  readonly range?: FileRange;
  /** For subscriptions: send what comes after this event. */
  readonly lastEventId?: string;
}

/** One event of a subscription; without an id it cannot be resumed from. */
export interface StreamItem {
  readonly id?: string;
  readonly value: unknown;
}

/** Sends one attempt of a call at a time. `fetchTransport` and `memoryTransport` make one; yours may be a third. */
export interface Transport {
  /** Resolves with the output, rejects with a `ClientError` and nothing else. */
  call(attempt: Attempt): Promise<unknown>;
  /** Ends when the server ended the stream; throws a `ClientError` when it broke. Leaving the loop closes the connection. */
  subscribe(attempt: Attempt): AsyncIterable<StreamItem>;
  /** Resolves when the head of the file has come; left out where a transport carries no files. */
  download?(attempt: Attempt): Promise<DownloadedFile>;
}
