/** Figures in the Prometheus text format 0.0.4. Pure. Not here: which figures there are (`boot/figures.ts`). */
import { bounds, type DurationHistogram } from "./metrics.ts";

type Labels = Readonly<Record<string, string>>;

/** One figure with its labels. */
export type Sample = readonly [labels: Labels, value: number];

/** All figures of one name. Names end in their unit, counters in `_total`. */
export interface MetricFamily {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** Durations of one name, in seconds. */
export interface HistogramFamily {
  readonly name: string;
  readonly type: "histogram";
  readonly help: string;
  readonly samples: readonly (readonly [labels: Labels, histogram: DurationHistogram])[];
}

/** The text of all families, in their order. */
export const exposition = (families: readonly (MetricFamily | HistogramFamily)[]): string =>
  families
    .flatMap((family) => [
      `# HELP ${family.name} ${family.help}`,
      `# TYPE ${family.name} ${family.type}`,
      ...(family.type === "histogram"
        ? family.samples.flatMap(([labels, histogram]) => histogramLines(family.name, labels, histogram))
        : family.samples.map(([labels, value]) => line(family.name, labels, value))),
    ])
    .map((text) => `${text}\n`)
    .join("");

const histogramLines = (name: string, labels: Labels, { buckets, seconds }: DurationHistogram): readonly string[] => {
  let sum = 0;
  const lines = buckets.map((count, index) => {
    sum += count;
    return line(`${name}_bucket`, { ...labels, le: String(bounds[index] ?? "+Inf") }, sum);
  });
  return [...lines, line(`${name}_sum`, labels, seconds), line(`${name}_count`, labels, sum)];
};

const line = (name: string, labels: Labels, value: number): string => {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${value}`;
};

const escaped = (text: string): string => text.replace(/["\\\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
