/**
 * W3C trace context and spans. A call continues the caller's trace or starts one; ids are only made when somebody looks. Spans
 * are exported when OTLP is configured, by Effect's own exporter, which is loaded only then.
 */
import { randomBytes } from "node:crypto";
import type { TraceContext } from "./call.ts";

/** A span that has ended, as the exporter takes it. */
export interface EndedSpan {
  readonly name: string;
  readonly traceparent: string;
  readonly parent: TraceContext | undefined;
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** Code of the failure, absent on success. */
  readonly error?: string;
}

export interface Tracer {
  export(span: EndedSpan): void;
  /** Sends what is left; bounded. */
  close(): Promise<void>;
}

/** A `traceparent` for a new span: in the caller's trace, or in a new one. */
export const childOf = (parent: TraceContext | undefined): string => {
  const span = randomBytes(8).toString("hex");
  const traceId = parent?.traceparent.slice(3, 35) ?? randomBytes(16).toString("hex");
  const flags = parent?.traceparent.slice(53, 55) ?? "01";
  return `00-${traceId}-${span}-${flags}`;
};
