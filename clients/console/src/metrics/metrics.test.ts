import { describe, expect, it } from "vitest";
import { addSample, coresBetween, type ProcessFigures, toSample } from "../api/samples.ts";
import { linePath } from "./line-path.ts";
import { readMetricsSearch } from "./search.ts";
import { metricsRows, type ProcedureFigures } from "./table.ts";

const figures = (procedure: string, calls: number, failures: number, p99Ms: number | null): ProcedureFigures => ({
  procedure,
  kind: "query",
  calls: 9_999,
  failures: 0,
  running: 1,
  waiting: 0,
  meanMs: 1,
  recent: [{ minutes: 5, calls, failures, p50Ms: null, p90Ms: null, p99Ms }],
  lastError: null,
});

const options = { window: 5, words: "", sort: "calls", isDescending: true } as const;

describe("the table of procedures", () => {
  const all = [figures("b.slow", 3, 3, 900), figures("a.fast", 600, 6, 2), figures("c.idle", 0, 0, null)];

  it("sorts by any column; what was not measured is the least", () => {
    const names = (given: object) => metricsRows(all, { ...options, ...given }).map(({ procedure }) => procedure);
    expect(names({})).toEqual(["a.fast", "b.slow", "c.idle"]);
    expect(names({ sort: "p99Ms" })).toEqual(["b.slow", "a.fast", "c.idle"]);
    expect(names({ sort: "procedure", isDescending: false })).toEqual(["a.fast", "b.slow", "c.idle"]);
    expect(names({ sort: "failed" })[0]).toBe("b.slow");
    expect(names({ words: "SLOW" })).toEqual(["b.slow"]);
  });

  it("counts the minutes that are asked for", () => {
    expect(metricsRows(all, options)[0]).toMatchObject({ calls: 600, perSecond: 2, failed: 0.01 });
    expect(metricsRows(all, { ...options, window: 60 })[0]).toMatchObject({ calls: 0, failed: 0, p99Ms: null });
  });

  it("reads what it knows of an address", () => {
    expect(readMetricsSearch({ minutes: "60", sort: "p99Ms", order: "up", words: "a" })).toEqual({
      minutes: 60,
      sort: "p99Ms",
      order: "up",
      words: "a",
    });
    expect(readMetricsSearch({ minutes: 7, sort: "constructor", order: 1, words: 2 })).toEqual({});
  });
});

describe("samples of the process", () => {
  const process = (cpu: number, startedAt = "2026-01-01T00:00:00.000Z"): ProcessFigures => ({
    version: "1",
    node: "24",
    pid: 1,
    startedAt,
    cpu,
    rssBytes: 1,
    heapUsedBytes: 1,
    heapTotalBytes: 1,
    lag: null,
  });
  const start = Date.parse("2026-01-01T00:00:00.000Z");

  it("say how many cores were in use since the one before, and nothing across a restart", () => {
    const first = toSample(process(0.5), start + 10_000);
    expect(coresBetween(undefined, first)).toBeNull();
    expect(coresBetween(first, toSample(process(0.75), start + 20_000))).toBeCloseTo(1);
    expect(coresBetween(first, toSample(process(0, "2026-01-01T00:00:15.000Z"), start + 20_000))).toBeNull();
  });

  it("are bounded", () => {
    const sample = toSample(process(0), start);
    const all = Array.from({ length: 700 }).reduce<readonly (typeof sample)[]>((list) => addSample(list, sample), []);
    expect(all).toHaveLength(600);
  });
});

it("draws a line from 0 up and leaves gaps", () => {
  const points = [null, 0, 10, null, 5].map((value, index) => ({ at: index, value }));
  expect(linePath(points, 10)).toBe("M80.0 71.0L160.0 5.0M320.0 38.0");
  expect(linePath([], 1)).toBe("");
});
