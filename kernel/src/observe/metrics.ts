/**
 * Counts and durations per procedure, cheap enough for every call: two array writes. Read by `kernel.stats` and shown at
 * `/metrics` in the Prometheus text format.
 */
import type { Code } from "@fairlead/contracts";

/** Upper bounds of the duration buckets, in seconds. */
const bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

type Outcome = "ok" | Code;

export interface ProcedureMetrics {
  readonly procedure: string;
  readonly running: () => number;
  readonly waiting: () => number;
  readonly outcomes: ReadonlyMap<Outcome, number>;
  readonly seconds: number;
  readonly buckets: readonly number[];
  readonly lastError: { readonly code: Code; readonly at: number } | undefined;
  /** Records a finished call. */
  record(outcome: Outcome, milliseconds: number): void;
}

export interface Metrics {
  /** Registers a procedure; `load` is what runs and waits now. */
  procedure(name: string, load: { readonly running: number; readonly waiting: number }): ProcedureMetrics;
  list(): readonly ProcedureMetrics[];
  /**
   * Prometheus text format 0.0.4; `whole` are figures of the whole process by name, a counter where it ends in `_total`. `services`: of
   * these alone.
   */
  text(whole?: Readonly<Record<string, number>>, services?: readonly string[]): string;
}

export const makeMetrics = (now: () => number = Date.now): Metrics => {
  const procedures = new Map<string, ProcedureMetrics>();
  return {
    procedure(name, load) {
      const known = procedures.get(name) ?? procedureMetrics(name, load, now);
      procedures.set(name, known);
      return known;
    },
    list: () => [...procedures.values()],
    text: (whole = {}, services = undefined) => {
      const shown = [...procedures.values()].filter(({ procedure }) => isShown(services, procedure));
      return text(shown, whole);
    },
  };
};

const isShown = (services: readonly string[] | undefined, procedure: string): boolean =>
  services === undefined || services.includes(procedure.split(".", 1)[0] ?? "");

const procedureMetrics = (
  procedure: string,
  load: { readonly running: number; readonly waiting: number },
  now: () => number,
): ProcedureMetrics => {
  const outcomes = new Map<Outcome, number>();
  const buckets = new Array<number>(bounds.length + 1).fill(0);
  let seconds = 0;
  let lastError: ProcedureMetrics["lastError"];
  return {
    procedure,
    running: () => load.running,
    waiting: () => load.waiting,
    outcomes,
    buckets,
    get seconds() {
      return seconds;
    },
    get lastError() {
      return lastError;
    },
    record(outcome, milliseconds) {
      const duration = milliseconds / 1_000;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      seconds += duration;
      let index = 0;
      while (index < bounds.length && duration > (bounds[index] ?? Number.POSITIVE_INFINITY)) index += 1;
      buckets[index] = (buckets[index] ?? 0) + 1;
      if (outcome !== "ok") lastError = { code: outcome, at: now() };
    },
  };
};

const text = (procedures: readonly ProcedureMetrics[], whole: Readonly<Record<string, number>>): string => {
  const called = procedures.filter(({ outcomes }) => outcomes.size > 0);
  const calls = called.flatMap(({ procedure, outcomes }) =>
    [...outcomes].map(
      ([outcome, count]) => `fairlead_calls_total{procedure="${procedure}",outcome="${outcome}"} ${count}`,
    ),
  );
  const load = procedures.flatMap(({ procedure, running, waiting }) => [
    `fairlead_calls_load{procedure="${procedure}",state="running"} ${running()}`,
    `fairlead_calls_load{procedure="${procedure}",state="waiting"} ${waiting()}`,
  ]);
  return [
    ...family("fairlead_calls_total", "counter", "Finished calls by outcome."),
    ...calls,
    ...family("fairlead_call_duration_seconds", "histogram", "Duration of calls, waiting included."),
    ...called.flatMap(histogram),
    ...family("fairlead_calls_load", "gauge", "Calls running and waiting now."),
    ...load,
    ...Object.entries(whole).flatMap(([name, value]) => [
      ...family(name, name.endsWith("_total") ? "counter" : "gauge", "Of the whole process."),
      `${name} ${value}`,
    ]),
    "",
  ].join("\n");
};

const family = (name: string, type: string, help: string): readonly string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

const histogram = ({ procedure, buckets, seconds }: ProcedureMetrics): readonly string[] => {
  let sum = 0;
  const lines = buckets.map((count, index) => {
    sum += count;
    return `fairlead_call_duration_seconds_bucket{procedure="${procedure}",le="${bounds[index] ?? "+Inf"}"} ${sum}`;
  });
  return [
    ...lines,
    `fairlead_call_duration_seconds_sum{procedure="${procedure}"} ${seconds}`,
    `fairlead_call_duration_seconds_count{procedure="${procedure}"} ${sum}`,
  ];
};
