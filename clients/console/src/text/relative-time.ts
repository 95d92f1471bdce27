/** Times as people say them: how long ago, or how long until. Pure; the exact time is shown beside it by whoever uses this. */

const units: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, ms: number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];

const words = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "long" });

/** `3 minutes ago`, `in 2 seconds`, `now`. Both in milliseconds since the epoch. */
export const relativeTime = (at: number, now: number): string => {
  const distance = at - now;
  const [unit, ms] = units.find(([, each]) => Math.abs(distance) >= each) ?? ["second", 1_000];
  const count = Math.trunc(distance / ms);
  return count === 0 ? "now" : words.format(count, unit);
};

/** A duration in the unit that suits it: `0.4 ms`, `12 ms`, `1.5 s`, `2 min 5 s`. */
export const duration = (ms: number): string => {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 1_440
    ? `${Math.floor(minutes / 60)} h ${minutes % 60} min`
    : `${Math.floor(minutes / 1_440)} d ${Math.floor((minutes % 1_440) / 60)} h`;
};

/** Bytes in the unit that suits them: `812 B`, `3.4 kB`, `120 MB`. */
export const byteSize = (bytes: number): string => {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} kB`;
  if (bytes < 1_000_000_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
};
