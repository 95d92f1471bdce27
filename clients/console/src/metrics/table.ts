/** The table of procedures with their figures: which rows, in which order. Pure. */
import type { KernelTypes } from "@fairlead/client/kernel";

export type ProcedureFigures = KernelTypes["stats"]["output"]["procedures"][number];

/** Minutes that figures can be of. */
export const windows = [1, 5, 60] as const;
export type Window = (typeof windows)[number];

export interface MetricsRow {
  readonly procedure: string;
  readonly calls: number;
  readonly failures: number;
  readonly perSecond: number;
  /** 0 to 1; 0 without calls. */
  readonly failed: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly running: number;
  readonly waiting: number;
  readonly lastError: ProcedureFigures["lastError"];
}

export type Column = Exclude<keyof MetricsRow, "lastError" | "failures">;

export const columns: readonly { readonly key: Column; readonly title: string }[] = [
  { key: "procedure", title: "Procedure" },
  { key: "calls", title: "Calls" },
  { key: "perSecond", title: "A second" },
  { key: "failed", title: "Failed" },
  { key: "p50Ms", title: "p50" },
  { key: "p90Ms", title: "p90" },
  { key: "p99Ms", title: "p99" },
  { key: "running", title: "Running" },
  { key: "waiting", title: "Waiting" },
];

const toRow = (figures: ProcedureFigures, window: Window): MetricsRow => {
  const { procedure, running, waiting, lastError } = figures;
  const found = figures.recent.find(({ minutes }) => minutes === window);
  const [calls, failures] = [found?.calls ?? 0, found?.failures ?? 0];
  return {
    procedure,
    calls,
    failures,
    perSecond: calls / (window * 60),
    failed: calls === 0 ? 0 : failures / calls,
    p50Ms: found?.p50Ms ?? null,
    p90Ms: found?.p90Ms ?? null,
    p99Ms: found?.p99Ms ?? null,
    running,
    waiting,
    lastError,
  };
};

interface TableOptions {
  readonly window: Window;
  readonly words: string;
  readonly sort: Column;
  readonly isDescending: boolean;
}

export const metricsRows = (
  procedures: readonly ProcedureFigures[],
  { window, words, sort, isDescending }: TableOptions,
): readonly MetricsRow[] => {
  const wanted = words.toLowerCase();
  const sign = isDescending ? -1 : 1;
  return procedures
    .filter(({ procedure }) => procedure.toLowerCase().includes(wanted))
    .map((each) => toRow(each, window))
    .toSorted((a, b) => sign * compare(a[sort], b[sort]) || compare(a.procedure, b.procedure));
};

/** What was not measured is less than all that was. */
const compare = (a: string | number | null, b: string | number | null): number => {
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [typeof a === "number" ? a : -1, typeof b === "number" ? b : -1];
  return left - right;
};
