/** Figures: of the kernel's process over the time that this tab was open, and of each procedure over the last minutes, sorted and filtered. */
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useSyncExternalStore } from "react";
import { readCallError } from "../api/client.ts";
import { useProcess, useStats } from "../api/kernel.ts";
import { useLive } from "../api/live.ts";
import { coresBetween, currentSamples, type Sample, subscribeSamples } from "../api/samples.ts";
import { LineChart } from "../metrics/line-chart.tsx";
import type { MetricsSearch } from "../metrics/search.ts";
import { type Column, columns, type MetricsRow, metricsRows, windows } from "../metrics/table.ts";
import { byteSize, duration } from "../text/relative-time.ts";
import { Card, CopyCommand, Empty, ErrorNote, Mono, PageHeader, Time, useNow } from "../ui/parts.tsx";
import { Sparkline } from "../ui/sparkline.tsx";

export const MetricsPage = () => {
  const { data: figures, error: processError } = useProcess();
  const { data: stats, error } = useStats();
  const failure = error ?? processError;
  return (
    <>
      <PageHeader title="Metrics" actions={<CopyCommand command="fairlead call kernel.stats" />}>
        {figures === undefined ? (
          "Asking the kernel…"
        ) : (
          <>
            Version {figures.version} on Node {figures.node}, pid {figures.pid}, started <Time at={figures.startedAt} />
            . The same for Prometheus is at <Mono>/metrics</Mono>.
          </>
        )}
      </PageHeader>
      <div className="flex flex-col gap-5">
        {failure !== null && <ErrorNote {...readCallError(failure)} />}
        <ProcessCharts />
        <CallsChart />
        <Procedures procedures={stats?.procedures} />
      </div>
    </>
  );
};

const ProcessCharts = () => {
  const samples = useSyncExternalStore(subscribeSamples, currentSamples);
  const points = (read: (sample: Sample, before: Sample | undefined) => number | null) =>
    samples.map((sample, index) => ({ at: sample.at, value: read(sample, samples[index - 1]) }));
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
      <LineChart
        title="CPU"
        points={points((sample, before) => coresBetween(before, sample))}
        format={(cores) => `${(100 * cores).toFixed(0)} %`}
      />
      <LineChart title="Event loop lag, p99" points={points(({ lagMs }) => lagMs)} format={duration} />
      <LineChart title="Memory" points={points(({ rssBytes }) => rssBytes)} format={byteSize} />
      <LineChart title="Heap in use" points={points(({ heapUsedBytes }) => heapUsedBytes)} format={byteSize} />
    </div>
  );
};

const CallsChart = () => {
  const { perSecond } = useLive();
  const now = useNow();
  return (
    <Card title="Calls in the last minute">
      <div className="p-4">
        <Sparkline counts={perSecond} now={now} />
      </div>
    </Card>
  );
};

const Procedures = ({ procedures }: { readonly procedures: Parameters<typeof metricsRows>[0] | undefined }) => {
  const { minutes = 5, sort = "calls", order = "down", words = "" } = useSearch({ from: "/metrics" });
  const navigate = useNavigate({ from: "/metrics" });
  const set = (next: MetricsSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const rows = useMemo(
    () => metricsRows(procedures ?? [], { window: minutes, words, sort, isDescending: order === "down" }),
    [procedures, minutes, words, sort, order],
  );
  return (
    <Card title={`Procedures: ${rows.length}`}>
      <div className="flex flex-wrap items-center gap-3 border-b border-line p-3">
        <fieldset className="flex items-center gap-1">
          <legend className="sr-only">Figures of the last minutes</legend>
          {windows.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === minutes}
              onClick={() => set({ minutes: each })}
              className={`h-8 rounded-md px-3 text-sm ${each === minutes ? "bg-accent-soft font-medium text-accent" : "text-soft hover:bg-sunk"}`}
            >
              {each} min
            </button>
          ))}
        </fieldset>
        <input
          aria-label="Words in the name"
          placeholder="Words in the name"
          value={words}
          onChange={({ target }) => set({ words: target.value })}
          className="h-8 min-w-40 flex-1 rounded-md border border-line bg-card px-3"
        />
      </div>
      {rows.length === 0 ? (
        <Empty title={procedures?.length === 0 ? "Nothing was called yet" : "No procedure has that name"}>
          {procedures?.length === 0 ? (
            <>
              Call something in the{" "}
              <Link to="/playground" className="text-accent underline">
                playground
              </Link>{" "}
              or with <Mono>fairlead call</Mono>.
            </>
          ) : (
            "Take a part of the words away."
          )}
        </Empty>
      ) : (
        <Table
          rows={rows}
          sort={sort}
          order={order}
          onSort={(next) => set({ sort: next, order: next === sort && order === "down" ? "up" : "down" })}
        />
      )}
    </Card>
  );
};

interface TableProps {
  readonly rows: readonly MetricsRow[];
  readonly sort: Column;
  readonly order: "up" | "down";
  readonly onSort: (column: Column) => void;
}

const rowHeight = 34;
const cell = "px-2 py-0 first:pl-4 last:pr-4";

/** Only the rows that are seen are drawn; a row above and one below them hold the place of the others. */
const Table = ({ rows, sort, order, onSort }: TableProps) => {
  const frame = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 10,
    getItemKey: (index) => rows[index]?.procedure ?? index,
  });
  const items = virtual.getVirtualItems();
  const above = items[0]?.start ?? 0;
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    // Scrolls, so it can be focused and read by keyboard.
    <section ref={frame} className="max-h-[32rem] overflow-auto" tabIndex={0} aria-label="Figures of procedures">
      <table aria-rowcount={rows.length + 1} className="w-full min-w-[56rem] table-fixed text-left text-sm">
        <thead className="sticky top-0 z-10 bg-card">
          <tr aria-rowindex={1}>
            {columns.map(({ key, title }) => (
              <th
                key={key}
                scope="col"
                aria-sort={key !== sort ? "none" : order === "down" ? "descending" : "ascending"}
                className={`${cell} border-b border-line ${key === "procedure" ? "w-72" : "text-right"}`}
              >
                <button
                  type="button"
                  onClick={() => onSort(key)}
                  className="rounded py-2 text-xs font-medium text-soft hover:text-text"
                >
                  {title}
                  <span aria-hidden="true">{key !== sort ? "" : order === "down" ? " ↓" : " ↑"}</span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Gap height={above} />}
          {items.map(({ index, key }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <tr
                key={key}
                aria-rowindex={index + 2}
                className="border-b border-line hover:bg-sunk"
                style={{ height: rowHeight }}
              >
                <Cells row={row} />
              </tr>
            );
          })}
          {below > 0 && <Gap height={below} />}
        </tbody>
      </table>
    </section>
  );
};

const Gap = ({ height }: { readonly height: number }) => (
  <tr>
    <td colSpan={columns.length} style={{ height }} />
  </tr>
);

const time = (ms: number | null): string => (ms === null ? "–" : duration(ms));

const Cells = ({ row }: { readonly row: MetricsRow }) => {
  const { procedure, calls, failures, perSecond, failed, p50Ms, p90Ms, p99Ms, running, waiting, lastError } = row;
  const error = lastError === null ? undefined : `latest failure: ${lastError.code}, ${lastError.at}`;
  const figures: readonly string[] = [
    String(calls),
    perSecond < 0.1 ? perSecond.toFixed(2) : perSecond.toFixed(1),
    failures === 0 ? "0 %" : `${(100 * failed).toFixed(1)} %`,
    time(p50Ms),
    time(p90Ms),
    time(p99Ms),
    String(running),
    String(waiting),
  ];
  return (
    <>
      <td className={`${cell} truncate`} title={error}>
        <Link to="/contracts/$procedure" params={{ procedure }} className="font-mono text-xs hover:underline">
          {procedure}
        </Link>
      </td>
      {figures.map((text, index) => (
        <td
          key={columns[index + 1]?.key}
          className={`${cell} tabular text-right whitespace-nowrap ${index === 2 && failures > 0 ? "text-bad" : ""}`}
        >
          {text}
        </td>
      ))}
    </>
  );
};
