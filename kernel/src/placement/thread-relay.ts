/**
 * What the kernel does for a service in a thread: its lines of log, its events, its calls of peers, and what its handlers say to and ask of
 * their callers.
 */
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import type * as Scope from "effect/Scope";
import type { Principal } from "../call/call.ts";
import type { MemoryOptions, MemoryTransport } from "../call/memory-transport.ts";
import type { Events } from "../observe/event.ts";
import type { Log } from "../observe/log.ts";
import type { ThreadWork } from "./blocked.ts";
import type { LinkServer } from "./link.ts";
import type { PlacedCall, PlacedDetails } from "./placement.ts";
import type {
  EventNote,
  EventsRequest,
  LineNote,
  LogNote,
  PeerRequest,
  ProgressNote,
  QuestionRequest,
  ThreadStart,
} from "./thread-protocol.ts";

/** What the kernel does for the service in the thread. */
interface ThreadKernel {
  readonly events: Events;
  readonly log: Log;
  /** The memory transport of the running kernel. */
  readonly connect: (principal: Principal) => MemoryTransport;
}

export interface ThreadOptions extends ThreadKernel {
  readonly start: ThreadStart;
  /** Milliseconds that the service's `stop` is waited for. */
  readonly stopMs: number;
}

/** A call that is with the thread. */
export interface ThreadWorkItem extends ThreadWork {
  readonly call: PlacedCall;
  hasBegun: boolean;
}

/** What the thread reports about itself, and who waits for it. */
interface ThreadReports extends PeerReports {
  readonly work: ReadonlyMap<number, ThreadWorkItem>;
  /** The run cannot go on. */
  readonly failed: (error: Error) => void;
  readonly pong: (details: PlacedDetails) => void;
}

/** Who made a peer's call. */
interface PeerReports {
  /** Says something to it. */
  readonly note: (kind: string, body: ProgressNote) => void;
}

/** The bodies are typed by their kind, on both sides: `thread-protocol.ts`. */
export const serveThread = (kernel: ThreadOptions, reports: ThreadReports): LinkServer => ({
  note: (kind, body) => {
    switch (kind) {
      case "log": {
        const { level, message, fields } = body as LogNote;
        return kernel.log(level, message, fields);
      }
      case "event": {
        const { type, data } = body as EventNote;
        return kernel.events.emit(type, kernel.start.service, data);
      }
      case "begun": {
        const item = reports.work.get(body as number);
        if (item !== undefined) item.hasBegun = true;
        return;
      }
      case "progress": {
        const { id, progress } = body as ProgressNote;
        return reports.work.get(id)?.call.onProgress?.(progress);
      }
      case "line": {
        const { id, line } = body as LineNote;
        return reports.work.get(id)?.call.onLog?.(line);
      }
      case "failed":
        return reports.failed(body as Error);
      case "pong":
        return reports.pong(body as PlacedDetails);
    }
  },
  noteFailed: (note, error) =>
    kernel.log("error", "a note of the thread failed", { service: kernel.start.service, note, error }),
  request: (kind, body) => {
    if (kind === "peer") return callPeer(kernel, body as PeerRequest, reports);
    const { id, question } = body as QuestionRequest;
    return attempt(() => reports.work.get(id)?.call.ask?.(question) ?? Promise.reject(noCaller()));
  },
  stream: (kind, body) =>
    kind === "peer" ? openPeer(kernel, body as PeerRequest, reports) : readEvents(kernel, body as EventsRequest),
});

export const callPeer = (
  { connect }: Pick<ThreadKernel, "connect">,
  request: PeerRequest,
  reports: PeerReports,
): Effect.Effect<unknown, FairleadError> =>
  Effect.promise((signal) =>
    connect(request.principal).call(request.procedure, request.input, peerOptions(request, reports, signal)),
  );

/** Opened, or refused: the refusal is the stream's failure. */
export const openPeer = (
  { connect }: Pick<ThreadKernel, "connect">,
  request: PeerRequest,
  reports: PeerReports,
): Effect.Effect<AsyncIterable<unknown>, FairleadError, Scope.Scope> =>
  Effect.gen(function* () {
    const signal = yield* Effect.abortSignal;
    const { principal, procedure, input } = request;
    const opened = yield* Effect.promise(() =>
      connect(principal).subscribe(procedure, input, peerOptions(request, reports, signal)),
    );
    return opened.ok ? opened.items : yield* Effect.fail(new FairleadError(opened.error));
  });

/** How the kernel makes a call for the thread. Progress and questions go by the number of the peer's call. */
const peerOptions = (
  { id, timeoutMs, attempts, trace, lastEventId, progress }: PeerRequest,
  { note }: PeerReports,
  signal: AbortSignal,
): MemoryOptions => ({
  signal,
  ...(timeoutMs !== undefined && { timeoutMs }),
  ...(attempts !== undefined && { attempts }),
  ...(trace !== undefined && { trace }),
  ...(lastEventId !== undefined && { lastEventId }),
  ...(progress && { onProgress: (done) => note("progress", { id, progress: done } satisfies ProgressNote) }),
});

const readEvents = (
  { events, start }: ThreadOptions,
  request: EventsRequest,
): Effect.Effect<AsyncIterable<unknown>, never, Scope.Scope> =>
  Effect.map(Effect.abortSignal, (signal) => events.read({ ...request, service: start.service, signal }));

const attempt = (work: () => Promise<unknown>): Effect.Effect<unknown, FairleadError> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) =>
      cause instanceof FairleadError ? cause : new FairleadError({ code: "internal", message: String(cause) }),
  });

const noCaller = (): FairleadError =>
  new FairleadError({ code: "unimplemented", message: "the caller cannot be asked anything" });
