import { expect, test } from "vitest";
import { Histogram } from "./histogram.ts";
import { formatReport, parseReport, toReport } from "./report.ts";

const latency = new Histogram();
for (let index = 1; index <= 1_000; index += 1) latency.record(index * 10);
const settings = { procedure: "shop.add", transport: "http", rate: 100 };
const whole = { countedMs: 10_000, isInterrupted: false };
const errors = new Map([
  ["unavailable", 3],
  ["internal", 7],
]);
const report = toReport(settings, { latency, calls: 1_000, errors, tookMs: 10_000, ...whole }, 43);

test("a document that can be read again", () => {
  expect(report).toMatchObject({
    ...settings,
    forMs: 10_000,
    calls: 1_000,
    perSecond: 100,
    errors: { internal: 7, unavailable: 3 },
    cpuMicros: 43,
  });
  expect(report.latencyMs).toEqual({ p50: 5.003, p90: 9.007, p99: 9.903, p999: 9.991, max: 10 });
  expect(report.histogram.reduce((sum, { calls }) => sum + calls, 0)).toBe(1_000);
  expect(parseReport(JSON.stringify({ schemaVersion: 1, ...report }))).toMatchObject(report);
  for (const text of ["", "null", "{}", '{"procedure":"x","latencyMs":{"p50":"1"}}'])
    expect(parseReport(text)).toBe(undefined);
});

test("a text with the earlier figures beside these", () => {
  const faster = { ...report, latencyMs: { ...report.latencyMs, p50: 10.006 }, cpuMicros: null };
  const text = formatReport(report, faster);
  expect(text).toContain("shop.add over http, 100 a second for 10 s: 1000 calls, 100 a second");
  expect(text).toContain("  p50               5.003 ms   before 10.006 ms, -50 %\n");
  expect(text).toMatch(/ {2}CPU a call +43 us\n/);
  expect(text).toMatch(/up to {5}10 ms {2}█{40} 501\n/);
  expect(text).toContain("failed: 7 internal, 3 unavailable");
});

test("a text that says when the earlier load was another one", () => {
  const text = (before: Partial<typeof report>): string => formatReport(report, { ...report, ...before });
  expect(text({ transport: "memory", forMs: 5_000 })).toContain(
    "before was another load, so the two say little about each other: shop.add over memory, 100 a second for 5 s\n",
  );
  expect(text({ rate: 200 })).toContain("shop.add over http, 200 a second");
  expect(text({ forMs: 5_000 })).not.toContain("another load");
});

test("of no call at all", () => {
  const none = { latency: new Histogram(), calls: 0, errors: new Map(), tookMs: 0 };
  const nothing = toReport(settings, { ...none, ...whole }, undefined);
  expect(nothing).toMatchObject({ calls: 0, perSecond: 0, cpuMicros: null, histogram: [] });
  expect(formatReport(nothing)).toContain("no call failed");
});

test("of a bench that was interrupted", () => {
  const result = { latency, calls: 1_000, errors, tookMs: 6_010, countedMs: 6_000.4, isInterrupted: true };
  const short = toReport(settings, result, 43);
  expect(short).toMatchObject({ forMs: 6_000, interrupted: true });
  expect(formatReport(short)).toContain("100 a second for 6 s, interrupted: 1000 calls");
});
