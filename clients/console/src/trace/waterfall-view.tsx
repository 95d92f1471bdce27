/** The waterfall of a call: where its time went, span by span. Loaded with the first call that is looked at. */
import { readCallError } from "../api/client.ts";
import { useTrace } from "../api/kernel.ts";
import { duration } from "../text/relative-time.ts";
import { ErrorNote, Mono } from "../ui/parts.tsx";
import { toWaterfall, type WaterfallRow } from "./waterfall.ts";

const mostRows = 300;

export const WaterfallView = ({ traceId }: { readonly traceId: string }) => {
  const { data, error } = useTrace(traceId);
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <p className="text-sm text-soft">Asking for its spans…</p>;
  const { rows, totalMs } = toWaterfall(data.spans);
  return (
    <section aria-label="Spans of the trace">
      <p className="tabular mb-1 flex justify-between text-xs text-soft">
        <span>
          {rows.length} {rows.length === 1 ? "span" : "spans"}
        </span>
        <span>{duration(totalMs)}</span>
      </p>
      <ol className="max-h-72 divide-y divide-line overflow-auto rounded-md border border-line" tabIndex={0}>
        {rows.slice(0, mostRows).map((row) => (
          <Row key={row.span.id} row={row} />
        ))}
      </ol>
      {rows.length > mostRows && <p className="mt-1 text-xs text-soft">and {rows.length - mostRows} more</p>}
    </section>
  );
};

const Failure = ({ error }: { readonly error: unknown }) => {
  const failure = readCallError(error);
  return failure.reason === "unknown_trace" ? (
    <p className="text-sm text-soft">
      No span of it is kept: spans are kept while a page like this one is open, and the latest 10,000.
    </p>
  ) : (
    <ErrorNote {...failure} />
  );
};

/** Steps of indentation that are drawn; what is deeper is drawn as deep as this. */
const mostDepth = 8;
const step = 4;

const words: Readonly<Record<string, string>> = { queue: "waits for a place", attempt: "attempt" };

const Row = ({ row: { span, depth, begin, length } }: { readonly row: WaterfallRow }) => {
  const { name, kind, startMs, milliseconds, code, events } = span;
  const colour = code !== null ? "var(--color-bad)" : name === "queue" ? "var(--color-warn)" : "var(--color-accent)";
  const about = [
    `begins after ${duration(startMs)}`,
    kind === "client" ? "asks a subprocess or a peer" : "",
    ...events.map((event) => `${event.name} after ${duration(event.startMs)}`),
  ];
  return (
    <li className="px-2 py-1" title={about.filter((each) => each !== "").join("; ")}>
      <p className="flex items-baseline justify-between gap-2 text-xs">
        <span className="truncate">
          <span aria-hidden="true">{"\u00a0".repeat(step * Math.min(depth, mostDepth))}</span>
          <Mono>{words[name] ?? name}</Mono>
          {code !== null && <span className="text-bad"> {code}</span>}
        </span>
        <span className="tabular shrink-0 text-soft">{duration(milliseconds)}</span>
      </p>
      <svg viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true" className="mt-0.5 h-1.5 w-full">
        <rect width="1000" height="6" fill="var(--color-sunk)" />
        {/* The shortest is still seen. */}
        <rect x={Math.min(994, begin * 1000)} width={Math.max(6, length * 1000)} height="6" fill={colour} />
      </svg>
    </li>
  );
};
