/** The kept spans of a trace as the contract of the kernel has them. Pure. */
import type { Redactor } from "@fairlead/contracts";
import type { KeptSpan } from "./trace.ts";

interface TraceParts {
  /** At least one, in the order of their beginning. */
  readonly spans: readonly KeptSpan[];
  /** Takes secrets out of names and attributes. */
  readonly redactor: Redactor | undefined;
}

export const describeTrace = ({ spans, redactor }: TraceParts) => {
  const first = spans[0]?.startedAt ?? 0;
  const clean = (text: string): string => redactor?.text(text) ?? text;
  return {
    startedAt: new Date(first).toISOString(),
    spans: spans.map(({ spanId, parentId, name, kind, startedAt, milliseconds, code, attributes, events }) => ({
      id: spanId,
      parentId: parentId ?? null,
      name: clean(name),
      kind,
      startMs: rounded(startedAt - first),
      milliseconds: rounded(milliseconds),
      code: code ?? null,
      attributes: redactor?.json(attributes) ?? { ...attributes },
      events: events.map((event) => ({ name: clean(event.name), startMs: rounded(event.at - first) })),
    })),
  };
};

/** Microseconds are enough. */
const rounded = (milliseconds: number): number => Math.round(milliseconds * 1_000) / 1_000;
