/**
 * W3C trace context and the port through which spans leave. A call continues the caller's trace or starts one; ids are made only
 * when it is exported. The exporter is in `otlp.ts` and loaded only when one is configured.
 */
import { randomBytes } from "node:crypto";
import { FairleadError } from "@fairlead/contracts";
import type { TraceContext } from "../call/call.ts";
import type { OpenSpan, SpanFailure } from "../call/span.ts";

export interface Tracer {
  start(name: string, parent: TraceContext | undefined): OpenSpan;
  /** Sends what is left; bounded. */
  close(): Promise<void>;
}

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
