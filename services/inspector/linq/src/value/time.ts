/**
 * Points in time and spans, to the millisecond, without a time zone: the host's `Date` is read as UTC, and `Now` is UTC too, so
 * that an answer does not depend on where it was computed.
 */
import { fault } from "../core/error.ts";
import { SimpleValue } from "./simple.ts";

const day = 86_400_000;
/** 0001-01-01 and 9999-12-31, the range of .NET's DateTime. */
const earliest = -62_135_596_800_000;
const latest = 253_402_300_799_999;

export class DateTime extends SimpleValue {
  readonly #dateTime = true;
  readonly type = "DateTime";
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly ms: number;

  private constructor(ms: number) {
    super();
    this.ms = ms;
  }

  get order(): number {
    return this.ms;
  }

  static is(value: unknown): value is DateTime {
    return typeof value === "object" && value !== null && #dateTime in value;
  }

  static of(ms: number): DateTime {
    if (!(ms >= earliest && ms <= latest)) throw fault("overflow", "The date is outside the years 1 to 9999");
    return new DateTime(ms);
  }

  /** `undefined` when a part is out of range. Months count from 1. */
  static fromParts(parts: readonly number[]): DateTime | undefined {
    const [year = 0, month = 0, date = 1, hour = 0, minute = 0, second = 0, milli = 0] = parts;
    const made = new Date(0);
    made.setUTCFullYear(year, month - 1, date);
    made.setUTCHours(hour, minute, second, milli);
    const fits =
      made.getUTCFullYear() === year &&
      made.getUTCMonth() === month - 1 &&
      made.getUTCDate() === date &&
      hour < 24 &&
      minute < 60 &&
      second < 60 &&
      milli < 1000;
    return fits ? DateTime.of(made.getTime()) : undefined;
  }

  /** ISO 8601 dates and times; an offset is applied. */
  static parse(text: string): DateTime | undefined {
    const found =
      /^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?)?(?:\s*(Z|[+-]\d{2}:\d{2}))?\s*$/.exec(
        text,
      );
    if (found === null) return undefined;
    const [, year, month, date, hour = "0", minute = "0", second = "0", fraction = "0", zone] = found;
    const made = DateTime.fromParts([
      ...[year, month, date, hour, minute, second].map(Number),
      Math.floor(Number(`0.${fraction}`) * 1000),
    ]);
    return made === undefined ? undefined : DateTime.of(made.ms - parseOffset(zone));
  }

  plus(ms: number): DateTime {
    return DateTime.of(this.ms + ms);
  }

  addMonths(months: number): DateTime {
    const from = new Date(this.ms);
    const first = new Date(this.ms);
    first.setUTCDate(1);
    first.setUTCMonth(first.getUTCMonth() + months);
    const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
    first.setUTCDate(Math.min(from.getUTCDate(), lastDay));
    return DateTime.of(first.getTime());
  }

  date(): DateTime {
    return DateTime.of(Math.floor(this.ms / day) * day);
  }

  part(name: "FullYear" | "Month" | "Date" | "Hours" | "Minutes" | "Seconds" | "Milliseconds" | "Day"): number {
    return new Date(this.ms)[`getUTC${name}`]();
  }

  dayOfYear(): number {
    return Math.floor((this.ms - Date.UTC(this.part("FullYear"), 0, 1)) / day) + 1;
  }

  /** 100-nanosecond steps since 0001-01-01, as .NET counts. */
  ticks(): bigint {
    return BigInt(Math.round(this.ms - earliest)) * 10_000n;
  }

  /** ISO 8601 without zone; milliseconds only when there are any. */
  text(): string {
    const iso = new Date(this.ms).toISOString();
    return iso.endsWith(".000Z") ? iso.slice(0, -5) : iso.slice(0, -1);
  }
}

const parseOffset = (zone: string | undefined): number => {
  if (zone === undefined || zone === "Z") return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith("-") ? -minutes : minutes) * 60_000;
};

export class TimeSpan extends SimpleValue {
  readonly #timeSpan = true;
  readonly type = "TimeSpan";
  readonly ms: number;

  private constructor(ms: number) {
    super();
    this.ms = ms;
  }

  get order(): number {
    return this.ms;
  }

  static is(value: unknown): value is TimeSpan {
    return typeof value === "object" && value !== null && #timeSpan in value;
  }

  static of(ms: number): TimeSpan {
    if (!Number.isFinite(ms) || Math.abs(ms) > 9e14) throw fault("overflow", "The time span is too long");
    return new TimeSpan(ms);
  }

  /** `[-][d.]hh:mm[:ss[.fff]]`, or days alone. */
  static parse(text: string): TimeSpan | undefined {
    const found = /^\s*(-)?(?:(\d+)\.)?(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?\s*$/.exec(text);
    if (found === null) return /^\s*-?\d{1,7}\s*$/.test(text) ? TimeSpan.of(Number(text) * day) : undefined;
    const [, minus, days = "0", hours, minutes, seconds = "0", fraction = "0"] = found;
    if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
    const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
    const ms = whole * 1000 + Math.floor(Number(`0.${fraction}`) * 1000);
    return TimeSpan.of(minus === undefined ? ms : -ms);
  }

  /** As .NET's constant format: `[-][d.]hh:mm:ss[.fffffff]`. */
  text(): string {
    const size = Math.abs(this.ms);
    const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");
    const days = Math.floor(size / day);
    const fraction = Math.round((size % 1000) * 10_000);
    const clock = `${two((size % day) / 3_600_000)}:${two((size % 3_600_000) / 60_000)}:${two((size % 60_000) / 1000)}`;
    const rest = fraction === 0 ? "" : `.${String(fraction).padStart(7, "0")}`;
    return `${this.ms < 0 ? "-" : ""}${days === 0 ? "" : `${days}.`}${clock}${rest}`;
  }
}
