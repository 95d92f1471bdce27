/** The spans of a trace as rows of a waterfall: each below the one that it belongs to, with where its bar begins and how long it is. Pure. */
import type { KernelTypes } from "@fairlead/client/kernel";

export type Span = KernelTypes["trace"]["output"]["spans"][number];

export interface WaterfallRow {
  readonly span: Span;
  /** 0 for one whose parent is not here. */
  readonly depth: number;
  /** Where its bar begins, 0 to 1 of the whole. */
  readonly begin: number;
  /** How long its bar is, 0 to 1 of the whole. */
  readonly length: number;
}

interface Waterfall {
  readonly rows: readonly WaterfallRow[];
  /** Milliseconds from the beginning of the first to the end of the last. */
  readonly totalMs: number;
}

/** A span whose parent is missing, is itself or leads back to it is a root: whatever comes, each span is there once. */
export const toWaterfall = (spans: readonly Span[]): Waterfall => {
  const first = Math.min(...spans.map(({ startMs }) => startMs));
  const last = Math.max(...spans.map(({ startMs, milliseconds }) => startMs + milliseconds));
  const totalMs = spans.length === 0 ? 0 : Math.max(0, last - first);
  const whole = Math.max(totalMs, 0.001);
  const byId = new Map(spans.map((span) => [span.id, span]));
  const children = Map.groupBy(spans, ({ parentId }) => (parentId !== null && byId.has(parentId) ? parentId : ""));
  const rows: WaterfallRow[] = [];
  const seen = new Set<Span>();
  // A stack and no recursion: a trace may be thousands deep.
  const drawBelow = (roots: readonly Span[]): void => {
    const stack = roots.toReversed().map((span) => ({ span, depth: 0 }));
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { span, depth } = next;
      if (seen.has(span)) continue;
      seen.add(span);
      rows.push({ span, depth, begin: (span.startMs - first) / whole, length: span.milliseconds / whole });
      for (const child of (children.get(span.id) ?? []).toReversed()) stack.push({ span: child, depth: depth + 1 });
    }
  };
  drawBelow(children.get("") ?? []);
  for (const span of spans) if (!seen.has(span)) drawBelow([span]);
  return { rows, totalMs };
};
