/** Durations as people write them: a number and one unit. */
import { UsageError } from "./failure.ts";

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration like `30d`, `12h`, `10m` or `0s`. `flag` is named where it is none. */
export const parseDuration = (flag: string, text: string): number => {
  const [, count, unit = ""] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * (units[unit] ?? 0);
  throw new UsageError(`${flag} takes a duration, not ${JSON.stringify(text)}`, "like 30d, 12h, 10m or 0s");
};
