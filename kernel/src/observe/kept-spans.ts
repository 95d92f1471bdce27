/**
 * The latest spans, kept in memory for whoever watches this kernel: a call, its wait for a place, its attempts, its requests to subprocesses. Loaded with the
 * first watcher. Spans go to the exporter as well, where there is one, with the same ids.
 *
 * Not here: when spans are kept (`watchedTracer` in `trace.ts`), and inputs, outputs and exceptions, which are never kept.
 */
import type { TraceContext } from "../call/call.ts";
import type { OpenSpan, SpanAttributes, SpanFailure, SpanKind } from "../call/span.ts";
import { childTraceparent, type KeptSpan, type Tracer, traceParts } from "./trace.ts";

interface KeptSpansOptions {
  readonly exported?: Tracer | undefined;
  /** Spans kept over all traces; the oldest go first. */
  readonly most?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const mostEvents = 32;

export class KeptSpans {
  readonly #exported: Tracer | undefined;
  readonly #most: number;
  readonly #now: () => number;
  readonly #ring: KeptSpan[] = [];
  #next = 0;

  constructor({ exported, most = 10_000, now = preciseNow }: KeptSpansOptions = {}) {
    this.#exported = exported;
    this.#most = most;
    this.#now = now;
  }

  start(name: string, parent: TraceContext | undefined, kind: SpanKind = "server"): OpenSpan {
    return this.#begin({ name, kind, parent, outer: this.#exported?.start(name, parent, kind) });
  }

  /** Spans of a trace that have ended, in the order of their beginning. */
  find(traceId: string): readonly KeptSpan[] {
    return this.#ring.filter((span) => span.traceId === traceId).toSorted((a, b) => a.startedAt - b.startedAt);
  }

  #begin({ name, kind, parent, outer, attributes = {} }: SpanStart): OpenSpan {
    const traceparent = outer?.traceparent ?? childTraceparent(parent);
    const { traceId = "", spanId = "" } = traceParts({ traceparent }) ?? {};
    const parentId = traceParts(parent)?.spanId;
    const startedAt = this.#now();
    const events: { readonly name: string; readonly at: number }[] = [];
    let isOpen = true;
    return {
      traceparent,
      child: (below, childKind, more) =>
        this.#begin({
          name: below,
          kind: childKind,
          parent: { traceparent },
          outer: outer?.child(below, childKind, more),
          attributes: more,
        }),
      event: (event, more) => {
        outer?.event(event, more);
        if (events.length < mostEvents) events.push({ name: event, at: this.#now() });
      },
      end: (more, failure) => {
        outer?.end(more, failure);
        if (!isOpen) return;
        isOpen = false;
        this.#keep({
          traceId,
          spanId,
          ...(parentId !== undefined && { parentId }),
          name,
          kind,
          startedAt,
          milliseconds: Math.max(0, this.#now() - startedAt),
          ...codePart(failure),
          attributes: { ...attributes, ...more },
          events,
        });
      },
    };
  }

  #keep(span: KeptSpan): void {
    this.#ring[this.#next] = span;
    this.#next = (this.#next + 1) % this.#most;
  }
}

interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly parent: TraceContext | undefined;
  /** The same span on its way to the exporter. */
  readonly outer: OpenSpan | undefined;
  readonly attributes?: SpanAttributes | undefined;
}

/** The code alone: an exception may hold what the handler was given. */
const codePart = (failure: SpanFailure | undefined): { readonly code?: string } =>
  failure === undefined ? {} : { code: failure.code };

const preciseNow = (): number => performance.timeOrigin + performance.now();
