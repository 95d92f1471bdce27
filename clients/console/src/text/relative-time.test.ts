import { expect, test } from "vitest";
import { byteSize, duration, relativeTime } from "./relative-time.ts";

test("a time is said in its largest unit", () => {
  const now = Date.UTC(2026, 0, 1);
  expect(relativeTime(now - 400, now)).toBe("now");
  expect(relativeTime(now - 61_000, now)).toBe("1 minute ago");
  expect(relativeTime(now - 7_300_000, now)).toBe("2 hours ago");
  expect(relativeTime(now + 2_900, now)).toBe("in 2 seconds");
  expect(relativeTime(now - 3 * 86_400_000, now)).toBe("3 days ago");
});

test("durations and sizes have the unit that suits them", () => {
  expect([0.417, 3.14, 42.4, 1_520, 125_000, 7_500_000, 90_000_000].map(duration)).toEqual([
    "0.42 ms",
    "3.1 ms",
    "42 ms",
    "1.5 s",
    "2 min 5 s",
    "2 h 5 min",
    "1 d 1 h",
  ]);
  expect([812, 3_400, 120_000_000, 2_500_000_000].map(byteSize)).toEqual(["812 B", "3.4 kB", "120 MB", "2.5 GB"]);
});
