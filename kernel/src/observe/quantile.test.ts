import { describe, expect, test } from "vitest";
import { DurationHistogram, makeMetrics } from "./metrics.ts";
import { quantileMs } from "./quantile.ts";

const histogram = (durations: readonly number[]): readonly number[] => {
  const counted = new DurationHistogram();
  for (const each of durations) counted.observe(each);
  return counted.buckets;
};

describe("a quantile", () => {
  test("is in the bucket of the call that it is", () => {
    const buckets = histogram([...new Array<number>(98).fill(3), 700, 20_000]);
    expect(quantileMs(buckets, 0.5)).toBeGreaterThan(2.5);
    expect(quantileMs(buckets, 0.5)).toBeLessThanOrEqual(5);
    expect(quantileMs(buckets, 0.99)).toBeGreaterThan(500);
    expect(quantileMs(buckets, 0.99)).toBeLessThanOrEqual(1_000);
    expect(quantileMs(buckets, 1)).toBe(30_000);
  });

  test("of nothing is nothing, and above the last bound is the last bound", () => {
    expect(quantileMs(histogram([]), 0.5)).toBe(null);
    expect(quantileMs(histogram([90_000]), 0.5)).toBe(30_000);
  });

  test("never falls as the share grows", () => {
    const buckets = histogram([0.2, 0.2, 4, 40, 400, 4_000]);
    const values = [0.1, 0.3, 0.5, 0.7, 0.9, 1].map((share) => quantileMs(buckets, share) ?? -1);
    expect(values).toEqual(values.toSorted((a, b) => a - b));
  });
});

test("the last minutes are those that are not over, each call in its own", () => {
  const metrics = makeMetrics().procedure("a.b", { running: 0, waiting: 0 });
  const minute = (count: number): number => count * 60_000 + 1;
  metrics.record("ok", 1, minute(0));
  metrics.record("internal", 1, minute(4));
  metrics.record("ok", 1, minute(5));
  expect(metrics.recent(1, minute(5)).calls).toBe(1);
  expect(metrics.recent(5, minute(5))).toMatchObject({ calls: 2, failures: 1 });
  expect(metrics.recent(60, minute(5)).calls).toBe(3);
  for (let at = 6; at < 200; at += 1) metrics.record("ok", 1, minute(at));
  expect(metrics.recent(60, minute(199)).calls).toBe(60);
  expect(metrics.recent(1, minute(300)).calls).toBe(0);
});
