/** Members of days and times. */
import { dateText } from "../format/time.ts";
import { dayOfWeek } from "../type/system-enum.ts";
import { boolean, dateTime, double, enumType, int32, int64, scalar, string, timeSpan } from "../type/type.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { type MethodTable, methodTable } from "./method.ts";
import { type PropertyTable, propertyTable } from "./property.ts";

const dateOnly = scalar("DateOnly");
const timeOnly = scalar("TimeOnly");
const day = 86_400_000;
const firstDay = DateTime.fromParts([1, 1, 1])?.ms ?? 0;

export const dayProperties: PropertyTable = propertyTable([
  ["Year", int32, ({ midnight }: DateOnly) => midnight.part("FullYear")],
  ["Month", int32, ({ midnight }: DateOnly) => midnight.part("Month") + 1],
  ["Day", int32, ({ midnight }: DateOnly) => midnight.part("Date")],
  ["DayOfYear", int32, ({ midnight }: DateOnly) => midnight.dayOfYear()],
  ["DayOfWeek", enumType(dayOfWeek), ({ midnight }: DateOnly) => midnight.part("Day")],
  ["DayNumber", int32, ({ midnight }: DateOnly) => Math.round((midnight.ms - firstDay) / day)],
]);

export const dayMethods: MethodTable = methodTable([
  ["AddDays", [int32], dateOnly, ({ midnight }: DateOnly, days: number) => DateOnly.of(midnight.plus(days * day))],
  ["AddMonths", [int32], dateOnly, ({ midnight }: DateOnly, months: number) => DateOnly.of(midnight.addMonths(months))],
  [
    "AddYears",
    [int32],
    dateOnly,
    ({ midnight }: DateOnly, years: number) => DateOnly.of(midnight.addMonths(years * 12)),
  ],
  ["ToDateTime", [timeOnly], dateTime, ({ midnight }: DateOnly, time: TimeOnly) => midnight.plus(time.ms)],
  ["ToShortDateString", [], string, ({ midnight }: DateOnly) => dateText(midnight.ms, "d")],
  ["ToLongDateString", [], string, ({ midnight }: DateOnly) => dateText(midnight.ms, "D")],
  ["Equals", [dateOnly], boolean, (a: DateOnly, b: DateOnly) => a.order === b.order],
]);

const part = (unit: number, count: number) => (time: TimeOnly) => Math.floor(time.ms / unit) % count;

export const timeProperties: PropertyTable = propertyTable([
  ["Hour", int32, part(3_600_000, 24)],
  ["Minute", int32, part(60_000, 60)],
  ["Second", int32, part(1_000, 60)],
  ["Millisecond", int32, part(1, 1_000)],
  ["Ticks", int64, (time: TimeOnly) => BigInt(Math.round(time.ms * 10_000))],
]);

export const timeMethods: MethodTable = methodTable([
  ["Add", [timeSpan], timeOnly, (time: TimeOnly, span: TimeSpan) => TimeOnly.of(time.ms + span.ms)],
  ["AddHours", [double], timeOnly, (time: TimeOnly, hours: number) => TimeOnly.of(time.ms + hours * 3_600_000)],
  ["AddMinutes", [double], timeOnly, (time: TimeOnly, minutes: number) => TimeOnly.of(time.ms + minutes * 60_000)],
  ["ToTimeSpan", [], timeSpan, (time: TimeOnly) => TimeSpan.of(time.ms)],
  [
    "IsBetween",
    [timeOnly, timeOnly],
    boolean,
    ({ ms }: TimeOnly, from: TimeOnly, to: TimeOnly) =>
      from.ms <= to.ms ? ms >= from.ms && ms < to.ms : ms >= from.ms || ms < to.ms,
  ],
  ["ToShortTimeString", [], string, ({ ms }: TimeOnly) => dateText(ms, "t")],
  ["ToLongTimeString", [], string, ({ ms }: TimeOnly) => dateText(ms, "T")],
  ["ToString", [], string, (time: TimeOnly) => time.text()],
]);

/** `DateOnly(2026, 1, 2)`. */
export const dayFromParts = (parts: readonly number[]): DateOnly | undefined => {
  const date = DateTime.fromParts(parts);
  return date === undefined ? undefined : DateOnly.of(date);
};

/** `TimeOnly(h, m[, s[, ms]])`. */
export const timeFromParts = (parts: readonly number[]): TimeOnly | undefined => {
  const [hours = 0, minutes = 0, seconds = 0, ms = 0] = parts;
  const fits = hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60 && ms >= 0;
  return fits && ms < 1_000 ? TimeOnly.of(((hours * 60 + minutes) * 60 + seconds) * 1_000 + ms) : undefined;
};
