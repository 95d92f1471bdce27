/** What a bench found: the document that programs read, and the text for people with the histogram drawn. Pure. */
import { isRecord } from "../text/record.ts";
import { type Histogram, makeSteps } from "./histogram.ts";
import type { LoadResult } from "./load.ts";

/** What was asked, as it is printed again. */
interface BenchSettings {
  readonly procedure: string;
  readonly transport: string;
  readonly rate?: number;
  readonly callers?: number;
}

/** Milliseconds. */
interface Latency {
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

export interface BenchReport extends BenchSettings {
  /** Milliseconds for which it counted. */
  readonly forMs: number;
  /** Where it was ended before its time. */
  readonly interrupted?: true;
  readonly calls: number;
  /** All calls, failed ones as well. */
  readonly perSecond: number;
  readonly latencyMs: Latency;
  /** Calls that failed, by code. */
  readonly errors: Readonly<Record<string, number>>;
  /** Microseconds of CPU of the server's process for a call; `null` where it cannot be known from here. */
  readonly cpuMicros: number | null;
  readonly histogram: readonly { readonly upToMs: number; readonly calls: number }[];
}

const toMs = (micros: number): number => Number((micros / 1_000).toPrecision(4));

export const toReport = (settings: BenchSettings, result: LoadResult, cpuMs: number | undefined): BenchReport => {
  const { latency, calls, errors, tookMs, countedMs, isInterrupted } = result;
  const at = (share: number): number => toMs(latency.percentile(share));
  return {
    ...settings,
    forMs: Math.round(countedMs),
    ...(isInterrupted && { interrupted: true }),
    calls,
    perSecond: tookMs <= 0 ? 0 : Number(((calls * 1_000) / tookMs).toPrecision(4)),
    latencyMs: { p50: at(0.5), p90: at(0.9), p99: at(0.99), p999: at(0.999), max: toMs(latency.max) },
    errors: Object.fromEntries([...errors].toSorted(([, a], [, b]) => b - a)),
    cpuMicros: cpuMs === undefined || calls === 0 ? null : Number(((cpuMs * 1_000) / calls).toPrecision(3)),
    histogram: bars(latency),
  };
};

const bars = (latency: Histogram): BenchReport["histogram"] => {
  const steps = latency.count === 0 ? [] : makeSteps(latency);
  const counts = latency.countsUpTo(steps);
  return steps.map((step, at) => ({ upToMs: step / 1_000, calls: counts[at] ?? 0 }));
};

const widest = 40;

/** For people; `before` is the report of an earlier run. */
export const formatReport = (report: BenchReport, before?: BenchReport): string => {
  const { calls, perSecond, errors, cpuMicros, histogram } = report;
  const failed = Object.entries(errors).map(([code, count]) => `${count} ${code}`);
  const most = Math.max(1, ...histogram.map((bar) => bar.calls));
  const lines = [
    `${describeRun(report)}: ${calls} calls, ${perSecond} a second`,
    ...(before === undefined || isAlike(report, before)
      ? []
      : [`before was another load, so the two say little about each other: ${describeRun(before)}`]),
    "",
    ...figures(report, before).map(([name, now, was]) => `  ${name.padEnd(14)}${now.padStart(12)}${was}`),
    "",
    ...histogram.map(
      (bar) =>
        `  up to ${formatMs(bar.upToMs).padStart(9)}  ${"█".repeat(Math.ceil((bar.calls / most) * widest)).padEnd(widest)} ${bar.calls}`,
    ),
    "",
    failed.length === 0 ? "no call failed" : `failed: ${failed.join(", ")}`,
    ...(cpuMicros === null ? ["what the server's process needed is not known from here"] : []),
  ];
  return lines.join("\n");
};

const describeRun = ({ procedure, transport, rate, callers, forMs, interrupted }: BenchReport): string => {
  const load = rate === undefined ? `${callers} callers` : `${rate} a second`;
  return `${procedure} over ${transport}, ${load} for ${forMs / 1_000} s${interrupted === true ? ", interrupted" : ""}`;
};

/** Whether the load was the same, however long it was. */
const isAlike = (one: BenchReport, other: BenchReport): boolean =>
  one.transport === other.transport && one.rate === other.rate && one.callers === other.callers;

/** Name, figure, and the earlier one with what has changed. */
const figures = (now: BenchReport, before: BenchReport | undefined): readonly (readonly [string, string, string])[] => {
  const rows: readonly (readonly [string, (report: BenchReport) => number | null, (value: number) => string])[] = [
    ["p50", ({ latencyMs }) => latencyMs.p50, formatMs],
    ["p90", ({ latencyMs }) => latencyMs.p90, formatMs],
    ["p99", ({ latencyMs }) => latencyMs.p99, formatMs],
    ["p99.9", ({ latencyMs }) => latencyMs.p999, formatMs],
    ["max", ({ latencyMs }) => latencyMs.max, formatMs],
    ["CPU a call", ({ cpuMicros }) => cpuMicros, (micros) => `${micros} us`],
    ["a second", ({ perSecond }) => perSecond, String],
  ];
  return rows.flatMap(([name, read, format]) => {
    const value = read(now);
    if (value === null) return [];
    const was = before === undefined ? null : read(before);
    return [[name, format(value), was === null ? "" : `   before ${format(was)}${change(value, was)}`] as const];
  });
};

const change = (now: number, was: number): string => {
  if (was === 0) return "";
  const percent = Math.round((now / was - 1) * 100);
  return `, ${percent > 0 ? "+" : ""}${percent} %`;
};

const formatMs = (ms: number): string => (ms >= 10_000 ? `${Number((ms / 1_000).toPrecision(3))} s` : `${ms} ms`);

/** An earlier document, as `--json` printed it; `undefined` where it is none. */
export const parseReport = (text: string): BenchReport | undefined => {
  const document = parse(text);
  if (!isRecord(document) || !isRecord(document.latencyMs) || typeof document.procedure !== "string") return undefined;
  const { p50, p90, p99, p999, max } = document.latencyMs;
  const isComplete = [p50, p90, p99, p999, max, document.perSecond, document.calls].every(Number.isFinite);
  const isCpu = document.cpuMicros === null || Number.isFinite(document.cpuMicros);
  return isComplete && isCpu ? (document as unknown as BenchReport) : undefined;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
