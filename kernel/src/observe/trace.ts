/**
 * W3C trace context and the port through which spans leave. A call continues the caller's trace or starts one; ids are made only
 * when it is exported. The exporter is in `otlp.ts` and loaded only when one is configured.
 */
import { randomBytes } from "node:crypto";
import { FairleadError } from "@fairlead/contracts";
import type { TraceContext } from "../call/call.ts";
import type { OpenSpan, SpanAttributes, SpanFailure, SpanKind } from "../call/span.ts";

export interface Tracer {
  /** `undefined` for a call of which no span is wanted. Of a call's answer, unless another kind is named. */
  start(name: string, parent: TraceContext | undefined, kind?: SpanKind): OpenSpan | undefined;
  /** True where spans go nowhere while nothing reads events: it need not be asked for any then. */
  readonly isForWatchers?: boolean;
  /** Spans of a trace that are kept here; only of a tracer that keeps any. */
  kept?(traceId: string): readonly KeptSpan[];
  /** Sends what is left; bounded. */
  close(): Promise<void>;
}

/** A span that has ended. */
export interface KeptSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Absent for the first of a trace. It may be the span of another process. */
  readonly parentId?: string;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since the epoch, with a fraction. */
  readonly startedAt: number;
  readonly milliseconds: number;
  /** One of the sixteen codes, where it failed. */
  readonly code?: string;
  readonly attributes: SpanAttributes;
  /** What happened within it, with the same clock. */
  readonly events: readonly { readonly name: string; readonly at: number }[];
}

interface SpanKeeper {
  start(name: string, parent: TraceContext | undefined, kind?: SpanKind): OpenSpan;
  find(traceId: string): readonly KeptSpan[];
}

interface WatchedTracerOptions {
  readonly exported: Tracer | undefined;
  /** True while somebody watches what happens. */
  readonly isWatched: () => boolean;
  readonly load: () => Promise<SpanKeeper>;
}

/** Keeps spans while somebody watches, and costs a look at a counter while nothing does. What keeps them is loaded with the first call that is watched. */
export const watchedTracer = ({ exported, isWatched, load }: WatchedTracerOptions): Tracer => {
  let keeper: SpanKeeper | undefined;
  let isLoading = false;
  return {
    isForWatchers: exported === undefined,
    start: (name, parent, kind) => {
      if (!isWatched()) return exported?.start(name, parent, kind);
      if (keeper !== undefined) return keeper.start(name, parent, kind);
      if (!isLoading) {
        isLoading = true;
        load().then(
          (loaded) => {
            keeper = loaded;
          },
          () => undefined,
        );
      }
      return exported?.start(name, parent, kind);
    },
    kept: (traceId) => keeper?.find(traceId) ?? [],
    close: () => exported?.close() ?? Promise.resolve(),
  };
};

const serverFaults: ReadonlySet<string> = new Set([
  "unknown",
  "deadline_exceeded",
  "unimplemented",
  "internal",
  "unavailable",
  "data_loss",
]);

/** True for a code that is the server's doing, by OpenTelemetry's conventions; the others say that the caller asked for what it cannot have. */
export const isServerFault = (code: string): boolean => serverFaults.has(code);

const failureCode = (cause: unknown): string => (cause instanceof FairleadError ? cause.code : "internal");

/** What the end of a span says of what was thrown within it, on the side that asked: whatever it is, the request has failed. */
export const toClientFailure = (cause: unknown): SpanFailure => ({ code: failureCode(cause), fault: cause });

/** The same on the side that answers. */
export const toServerFailure = (cause: unknown): SpanFailure => {
  const code = failureCode(cause);
  return isServerFault(code) ? { code, fault: cause } : { code };
};

/** A `traceparent` for a new span: in the caller's trace, or in a new one. */
export const childTraceparent = (parent: TraceContext | undefined): string => {
  const { traceId, flags } = traceParts(parent) ?? { traceId: randomHex(16), flags: "01" };
  return `00-${traceId}-${randomHex(8)}-${flags}`;
};

/** Drawn many at once: a draw from the system costs more than the rest of a call's trace. */
const pool = { bytes: Buffer.alloc(0), at: 0 };
const poolBytes = 4_096;

const randomHex = (size: number): string => {
  if (pool.at + size > pool.bytes.length) {
    pool.bytes = randomBytes(poolBytes);
    pool.at = 0;
  }
  pool.at += size;
  return pool.bytes.toString("hex", pool.at - size, pool.at);
};

/** Takes a `traceparent` apart; its form has been checked where it came in. */
export const traceParts = (
  context: TraceContext | undefined,
): { readonly traceId: string; readonly spanId: string; readonly flags: string } | undefined => {
  const [, traceId, spanId, flags] = context?.traceparent.split("-") ?? [];
  return traceId === undefined || spanId === undefined || flags === undefined ? undefined : { traceId, spanId, flags };
};
