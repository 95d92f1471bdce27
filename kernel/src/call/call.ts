/**
 * The vocabulary between transports and dispatch: what a call is, who makes it, and what comes back.
 *
 * A transport builds a `CallRequest` from its wire and writes the `Reply` back; it never looks inside either.
 */
import type { AccessLevel, WireError } from "@fairlead/contracts";

/** Who is calling. Made by a transport's guard, checked by dispatch. */
export interface Principal {
  /** Stable name for logs, rate limits and idempotency keys; never the token itself. */
  readonly id: string;
  /** The service that calls for it; absent when it calls itself. */
  readonly via?: string;
  /** What it may do. */
  readonly access: readonly AccessLevel[];
  /** Services it may use; `undefined` means all. */
  readonly services?: readonly string[];
  /** What it may do where, one by one: for a caller whose scopes give different access to different services. `access` and `services` are the sum. */
  readonly grants?: readonly Grant[];
  /** How much it may ask for; `undefined` means no limit of its own. */
  readonly rate?: Rate;
  /** True for the user who runs the kernel: it came over the private socket of the state folder, or calls in the kernel's own process. */
  readonly isOwner?: true;
}

/** Access to some services, or to all. */
export interface Grant {
  readonly access: readonly AccessLevel[];
  /** Services that it is for; `undefined` means all. */
  readonly services?: readonly string[] | undefined;
}

/** Whether one grant of the principal has that access to that service; to all services where none is named. */
export const isGranted = ({ access, services, grants }: Principal, level: AccessLevel, service?: string): boolean =>
  (grants ?? [{ access, services }]).some(
    (grant) =>
      grant.access.includes(level) &&
      (grant.services === undefined || (service !== undefined && grant.services.includes(service))),
  );

/** Limits of one principal, over all procedures. */
export interface Rate {
  /** Calls a second, on average; bursts up to the same number. */
  readonly perSecond: number;
  /** Calls running at once. */
  readonly concurrent: number;
  /** Streams open at once; they take no place of calls. Default `defaultStreams`. */
  readonly streams?: number;
}

/** Streams of one principal that are open at once, where its token does not say. */
export const defaultStreams = 32;

/** The caller on loopback when no token is configured: any user of the machine. */
export const localPrincipal: Principal = { id: "local", access: ["read", "call", "admin"] };

/** The user who runs the kernel, and callers in its own process. */
export const ownerPrincipal: Principal = { ...localPrincipal, isOwner: true };

type TransportName = "memory" | "http" | "trpc" | "mcp" | "nats" | "cluster";

/** W3C trace context as received; dispatch continues it or starts a new one. */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/** How far a long call has come; reaches clients that asked for it. */
export interface Progress {
  /** Work done so far; grows. */
  readonly progress: number;
  /** All the work, in the same unit, when known. */
  readonly total?: number;
  readonly message?: string;
}

/** Something that only the caller can answer, in MCP's words: a form to fill in, a model to ask, the folders it works in. */
export interface Question {
  readonly method: "elicitation/create" | "sampling/createMessage" | "roots/list";
  readonly params: Readonly<Record<string, unknown>>;
}

/** Severities of messages for a client's log, from the least: those of syslog, as MCP has them. */
export const logSeverities = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const;

export type LogSeverity = (typeof logSeverities)[number];

/** A line for the log of the caller's client. */
export interface LogMessage {
  readonly level: LogSeverity;
  /** Who says it. */
  readonly logger?: string;
  /** Any JSON. */
  readonly data: unknown;
}

/** The log of a client that wants to see what happens in its call. */
export interface ClientLog {
  /** The least that it wants. */
  readonly level: LogSeverity;
  /** What is below the level goes nowhere. */
  send(message: LogMessage): void;
}

/** The run that a call is an attempt of. */
export interface RunAttempt {
  /** Id of the run. */
  readonly id: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds that it may take, in place of its procedure's deadline. */
  readonly deadlineMs: number;
}

/** Bytes as they come, with what is known of them. They are read once, a part at a time; the sender waits for the reader. */
export interface ByteStream extends AsyncIterable<Uint8Array> {
  /** Media type, like `image/png`; `application/octet-stream` where the sender does not say. */
  readonly type: string;
  /** Name of the file without a folder, as the sender says: for people, and no path. */
  readonly name?: string | undefined;
  /** Bytes, where the sender says how many. */
  readonly size?: number | undefined;
}

/** A part of a file: its first and its last byte, counted from 0, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file that a handler gives. It is opened when somebody reads it, and not at all where no one does. */
export interface ByteSource {
  /** Media type, like `image/png`. */
  readonly type: string;
  /** Name of the file without a folder. */
  readonly name?: string | undefined;
  /** Bytes. Who asks for a part gets it only where this is known. */
  readonly size?: number | undefined;
  /** A text that changes when the bytes do: for readers that go on where they stopped, or have the file already. */
  readonly etag?: string | undefined;
  /** Its bytes, or a part of them. The reader may leave at any time: then the iterator's `return` is called. */
  open(range?: ByteRange): AsyncIterable<Uint8Array>;
}

/** What a download is answered with, before it is a reply: its description on the wire side, and the file. */
export class DownloadAnswer {
  readonly description: unknown;
  readonly source: ByteSource;

  constructor(description: unknown, source: ByteSource) {
    this.description = description;
    this.source = source;
  }
}

/** One call as a transport hands it to dispatch: raw input, who calls, and how long they wait. */
export interface CallRequest {
  /** Full name, like `rules.resolveAttack`. */
  readonly procedure: string;
  /** Raw, undecoded input. Dispatch decodes it, once. */
  readonly input: unknown;
  /** The file of an upload, not read yet. */
  readonly file?: ByteStream;
  readonly principal: Principal;
  readonly transport: TransportName;
  /** Fires when the caller gives up. */
  readonly signal?: AbortSignal;
  /** Milliseconds the caller is willing to wait, counted from now. */
  readonly timeoutMs?: number;
  /** How often it may be tried in all, here and in what it calls: 1 where its caller repeats it. As often as contracts say when left out. */
  readonly attempts?: number;
  /** 1 to 255 visible ASCII characters; used by `keyed` procedures alone. */
  readonly idempotencyKey?: string;
  /** True where the kernel that sent it has claimed the key, and keeps the answer. */
  readonly keyIsClaimed?: true;
  /** The caller's trace; a new one is begun without it. */
  readonly trace?: TraceContext;
  /** Receives the handler's progress reports. */
  readonly onProgress?: (progress: Progress) => void;
  /** Asks the caller. Left out when it cannot be asked anything; rejects with `unimplemented` for what it cannot answer. */
  readonly ask?: (question: Question) => Promise<unknown>;
  /** The caller's own log. Left out where its client wants none. */
  readonly clientLog?: ClientLog;
  /** Names the client's session or connection where it has one: calls of the same name are of one client. */
  readonly client?: string;
  /** How the client's program calls itself: its own word, at most 200 characters. */
  readonly app?: string;
  /** Set where it is the work of a run. */
  readonly run?: RunAttempt;
  /** Called with true when its work begins, and with false once no more of it goes on: a handler may go on after its call's end. */
  readonly onWork?: (isAtWork: boolean) => void;
  /** Receives the handler's lines of log for its caller. */
  readonly onLog?: (line: string) => void;
  /** For subscriptions: resume after this event. */
  readonly lastEventId?: string;
  /** True when the transport has checked the raw text against this procedure's limits; otherwise dispatch measures the input. */
  readonly scanned?: true;
}

/** The answer of a call: the encoded output, of a download the file as well, or the error as it is sent. */
export type Reply =
  | { readonly ok: true; readonly value: unknown; readonly file?: ByteSource }
  | { readonly ok: false; readonly error: WireError };

/** One event of a subscription; `id` is what a client sends back as `lastEventId`. */
export interface StreamItem {
  readonly id?: string;
  readonly value: unknown;
}

/** What transports call: the one path. */
export interface Dispatch {
  /** Runs a query or a mutation. Never rejects. */
  call(request: CallRequest): Promise<Reply>;
  /**
   * Runs a subscription. Resolves with the stream once the call was admitted, or with its refusal. A failure in mid-stream is
   * thrown by the iterator as a `FairleadError`. Ending the iteration (`return`) or aborting the signal interrupts the handler.
   */
  subscribe(
    request: CallRequest,
  ): Promise<
    { readonly ok: true; readonly items: AsyncIterable<StreamItem> } | { readonly ok: false; readonly error: WireError }
  >;
}

/** What an idempotency key is, on every wire and in memory, in words: it goes through headers and logs as it is. */
export const keyShape = "1 to 255 visible ASCII characters";

/** Begins a key that a client has made for every mutation, since it does not know which of them take one. Its caller does not count on it. */
export const automaticKey = "auto:";

export const isIdempotencyKey = (text: string): boolean => /^[\x21-\x7e]{1,255}$/.test(text);
