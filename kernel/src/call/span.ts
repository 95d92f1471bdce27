/** What the running code sees of a span: how to go on below it, and how to end it. Not here: where spans go (`observe/`). */

/** Whose side of a call a span is: `server` answers, `client` asks, `internal` is neither. */
export type SpanKind = "server" | "client" | "internal";

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** How what a span covers has failed. */
export interface SpanFailure {
  /** One of the sixteen codes. */
  readonly code: string;
  /** The true exception, where it is this side's doing: it makes the span's status an error. */
  readonly fault?: unknown;
}

/** A span that has begun. */
export interface OpenSpan {
  /** To send onwards. */
  readonly traceparent: string;
  /** Begins a span below this one. */
  child(name: string, kind: SpanKind, attributes?: SpanAttributes): OpenSpan;
  /** Notes what happened within it, at this moment. */
  event(name: string, attributes?: SpanAttributes): void;
  end(attributes: SpanAttributes, failure?: SpanFailure): void;
}
