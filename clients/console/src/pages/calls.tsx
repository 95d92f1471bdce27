/** Calls as they end: a list of thousands of which only what is seen is drawn, a filter, and what is known of one of them. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from "react";
import { type LiveEvent, useLive } from "../api/live.ts";
import { FailureList } from "../calls/failure-list.tsx";
import { parseFilter } from "../calls/filter.ts";
import { duration } from "../text/relative-time.ts";
import { JsonTree } from "../ui/json-tree.tsx";
import { Badge, Button, Card, Empty, Mono, PageHeader, Time } from "../ui/parts.tsx";

const WaterfallView = lazy(() =>
  import("../trace/waterfall-view.tsx").then(({ WaterfallView: component }) => ({ default: component })),
);

const rowHeight = 33;

const outcomeTone = (outcome: unknown) => (outcome === "ok" ? "good" : outcome === "canceled" ? "plain" : "bad");

export const CallsPage = () => {
  const { filter = "" } = useSearch({ from: "/calls" });
  const navigate = useNavigate({ from: "/calls" });
  const [isGrouped, setGrouped] = useState(false);
  const { calls } = useLive();
  const [frozen, setFrozen] = useState<readonly LiveEvent[]>();
  const [chosen, setChosen] = useState<LiveEvent>();
  const { fits, problems } = useMemo(() => parseFilter(filter), [filter]);
  const source = useDeferredValue(frozen ?? calls);
  const shown = useMemo(() => source.filter(fits).toReversed(), [source, fits]);
  return (
    <>
      <PageHeader
        title="Calls"
        actions={
          <>
            <Button aria-pressed={isGrouped} onClick={() => setGrouped(!isGrouped)}>
              {isGrouped ? "One by one" : "Failures together"}
            </Button>
            <Button onClick={() => setFrozen(frozen === undefined ? calls : undefined)}>
              {frozen === undefined ? "Pause" : "Go on"}
            </Button>
          </>
        }
      >
        {shown.length} of {source.length} calls that this page has seen, the newest first.
      </PageHeader>
      <div className="mb-3">
        <input
          aria-label="Filter of calls"
          aria-describedby="filter-help"
          placeholder="svc:kernel status:error dur:>50ms"
          value={filter}
          onChange={({ target }) => void navigate({ search: { filter: target.value }, replace: true })}
          className="h-9 w-full rounded-md border border-line bg-card px-3 font-mono text-sm"
        />
        <p
          id="filter-help"
          className={`mt-1 text-xs ${problems.length > 0 ? "text-bad" : "text-soft"}`}
          aria-live="polite"
        >
          {problems.length > 0
            ? problems.join("; ")
            : "svc: proc: by: via: status: reason: trace: dur:, and words; all have to fit"}
        </p>
      </div>
      <div className={`grid items-start gap-5 ${chosen === undefined ? "" : "xl:grid-cols-[minmax(0,1fr)_24rem]"}`}>
        <Card>
          {isGrouped ? (
            <FailureList calls={shown} onChoose={setChosen} />
          ) : shown.length === 0 ? (
            <Empty title={source.length === 0 ? "No calls yet" : "No call fits the filter"}>
              {source.length === 0 ? (
                <>
                  Make one in the{" "}
                  <Link to="/playground" className="text-accent underline">
                    playground
                  </Link>{" "}
                  or with <Mono>fairlead call</Mono>.
                </>
              ) : (
                "Take a part of it away, or wait: calls appear as they end."
              )}
            </Empty>
          ) : (
            <CallList calls={shown} chosen={chosen} onChoose={setChosen} />
          )}
        </Card>
        {chosen !== undefined && <CallDetail call={chosen} onClose={() => setChosen(undefined)} />}
      </div>
    </>
  );
};

interface CallListProps {
  readonly calls: readonly LiveEvent[];
  readonly chosen: LiveEvent | undefined;
  readonly onChoose: (call: LiveEvent) => void;
}

const columns =
  "grid grid-cols-[minmax(0,2.4fr)_6.5rem_5rem] sm:grid-cols-[minmax(0,2.4fr)_8rem_5.5rem_minmax(0,1fr)_4.5rem_8rem] items-center gap-3 px-4";

const CallList = ({ calls, chosen, onChoose }: CallListProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: calls.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => calls[index]?.seq ?? index,
  });
  return (
    <>
      <div className={`${columns} border-b border-line py-2 text-xs font-medium text-soft`} aria-hidden="true">
        <span>Procedure</span>
        <span>Outcome</span>
        <span className="text-right">Duration</span>
        <span className="hidden sm:block">Caller</span>
        <span className="hidden sm:block">Via</span>
        <span className="hidden text-right sm:block">When</span>
      </div>
      <section ref={frame} className="h-[60dvh] overflow-auto" aria-label="Calls" tabIndex={0}>
        <ul className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start, key }) => {
            const call = calls[index];
            if (call === undefined) return null;
            const { procedure, outcome, milliseconds, principal, transport } = call.data;
            return (
              <li
                key={key}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)`, height: rowHeight }}
              >
                <button
                  type="button"
                  onClick={() => onChoose(call)}
                  className={`${columns} h-full w-full border-b border-line text-left text-sm hover:bg-sunk ${call.seq === chosen?.seq ? "bg-accent-soft" : ""}`}
                >
                  <span className="truncate font-mono text-xs">{String(procedure)}</span>
                  <span className="truncate">
                    <Badge tone={outcomeTone(outcome)}>{String(outcome)}</Badge>
                  </span>
                  <span className="tabular text-right">{duration(Number(milliseconds))}</span>
                  <span className="hidden truncate text-soft sm:block">{String(principal ?? "")}</span>
                  <span className="hidden text-soft sm:block">{String(transport)}</span>
                  <span className="hidden text-right text-xs text-soft sm:block">
                    <Time at={call.at} />
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
};

const CallDetail = ({ call, onClose }: { readonly call: LiveEvent; readonly onClose: () => void }) => {
  const { procedure, outcome, milliseconds, waitedMs, attempts, traceId, reason } = call.data;
  const total = Number(milliseconds);
  const waited = typeof waitedMs === "number" ? waitedMs : 0;
  return (
    <Card
      title={<Mono>{String(procedure)}</Mono>}
      actions={<Button onClick={onClose}>Close</Button>}
      className="xl:sticky xl:top-18"
    >
      <div className="flex flex-col gap-4 p-4">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={outcomeTone(outcome)}>{String(outcome)}</Badge>
          {reason !== undefined && <Mono>{String(reason)}</Mono>}
          <span className="tabular">{duration(total)}</span>
          {typeof attempts === "number" && <Badge tone="warn">{attempts} attempts</Badge>}
        </p>
        <div>
          <div className="flex h-3 overflow-hidden rounded-full bg-sunk">
            <svg aria-hidden="true" viewBox="0 0 100 4" preserveAspectRatio="none" className="h-full w-full">
              <rect width={(100 * waited) / Math.max(total, 0.001)} height="4" fill="var(--color-warn)" />
              <rect x={(100 * waited) / Math.max(total, 0.001)} width="100" height="4" fill="var(--color-accent)" />
            </svg>
          </div>
          <p className="tabular mt-1 text-xs text-soft">
            {waited > 0
              ? `waited ${duration(waited)} for a place, then worked ${duration(total - waited)}`
              : "it did not wait for a place"}
          </p>
        </div>
        {typeof traceId === "string" && (
          <>
            <Suspense fallback={<p className="text-sm text-soft">Asking for its spans…</p>}>
              <WaterfallView key={traceId} traceId={traceId} />
            </Suspense>
            <p className="text-sm break-all">
              <span className="text-soft">Trace </span>
              <Mono>{traceId}</Mono>
            </p>
          </>
        )}
        <p className="text-sm text-soft">
          Number {call.seq}, <Time at={call.at} />
        </p>
        <JsonTree value={call.data} />
        <Link to="/playground" search={{ procedure: String(procedure) }} className="self-start">
          <Button tabIndex={-1}>Open in the playground</Button>
        </Link>
      </div>
    </Card>
  );
};
