/** Members of dates and spans. */
import { dateText } from "../format/time.ts";
import { dayOfWeek } from "../type/system-enum.ts";
import { boolean, dateTime, double, enumType, int32, int64, string, timeSpan } from "../type/type.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { type MethodTable, methodTable } from "./method.ts";
import { type PropertyTable, propertyTable } from "./property.ts";

const day = 86_400_000;
/** 1899-12-30, from which spreadsheets count days. */
const firstSerialDay = -25_569 * day;

export const dateProperties: PropertyTable = propertyTable([
  ["Year", int32, (date: DateTime) => date.part("FullYear")],
  ["Month", int32, (date: DateTime) => date.part("Month") + 1],
  ["Day", int32, (date: DateTime) => date.part("Date")],
  ["Hour", int32, (date: DateTime) => date.part("Hours")],
  ["Minute", int32, (date: DateTime) => date.part("Minutes")],
  ["Second", int32, (date: DateTime) => date.part("Seconds")],
  ["Millisecond", int32, (date: DateTime) => date.part("Milliseconds")],
  ["DayOfYear", int32, (date: DateTime) => date.dayOfYear()],
  ["DayOfWeek", enumType(dayOfWeek), (date: DateTime) => date.part("Day")],
  ["Date", dateTime, (date: DateTime) => date.date()],
  ["DateTime", dateTime, (date: DateTime) => date],
  ["UtcDateTime", dateTime, (date: DateTime) => date],
  ["Offset", timeSpan, () => TimeSpan.of(0)],
  ["TimeOfDay", timeSpan, (date: DateTime) => TimeSpan.of(date.ms - date.date().ms)],
  ["Ticks", int64, (date: DateTime) => date.ticks()],
]);

const whole = (value: number): number => Math.trunc(value) | 0;

export const spanProperties: PropertyTable = propertyTable([
  ["Days", int32, (span: TimeSpan) => whole(span.ms / day)],
  ["Hours", int32, (span: TimeSpan) => whole((span.ms % day) / 3_600_000)],
  ["Minutes", int32, (span: TimeSpan) => whole((span.ms % 3_600_000) / 60_000)],
  ["Seconds", int32, (span: TimeSpan) => whole((span.ms % 60_000) / 1000)],
  ["Milliseconds", int32, (span: TimeSpan) => whole(span.ms % 1000)],
  ["TotalDays", double, (span: TimeSpan) => span.ms / day],
  ["TotalHours", double, (span: TimeSpan) => span.ms / 3_600_000],
  ["TotalMinutes", double, (span: TimeSpan) => span.ms / 60_000],
  ["TotalSeconds", double, (span: TimeSpan) => span.ms / 1000],
  ["TotalMilliseconds", double, (span: TimeSpan) => span.ms],
  ["Ticks", int64, (span: TimeSpan) => BigInt(Math.round(span.ms * 10_000))],
]);

const compareMs = (a: { readonly ms: number }, b: { readonly ms: number }): number => Math.sign(a.ms - b.ms);

export const dateMethods: MethodTable = methodTable([
  ["AddYears", [int32], dateTime, (date: DateTime, years: number) => date.addMonths(years * 12)],
  ["AddMonths", [int32], dateTime, (date: DateTime, months: number) => date.addMonths(months)],
  ["AddDays", [double], dateTime, (date: DateTime, days: number) => date.plus(days * day)],
  ["AddHours", [double], dateTime, (date: DateTime, hours: number) => date.plus(hours * 3_600_000)],
  ["AddMinutes", [double], dateTime, (date: DateTime, minutes: number) => date.plus(minutes * 60_000)],
  ["AddSeconds", [double], dateTime, (date: DateTime, seconds: number) => date.plus(seconds * 1000)],
  ["AddMilliseconds", [double], dateTime, (date: DateTime, ms: number) => date.plus(ms)],
  ["Add", [timeSpan], dateTime, (date: DateTime, span: TimeSpan) => date.plus(span.ms)],
  ["Subtract", [timeSpan], dateTime, (date: DateTime, span: TimeSpan) => date.plus(-span.ms)],
  ["Subtract", [dateTime], timeSpan, (date: DateTime, other: DateTime) => TimeSpan.of(date.ms - other.ms)],
  ["AddTicks", [int64], dateTime, (date: DateTime, ticks: bigint) => date.plus(Number(ticks) / 10_000)],
  ["ToUniversalTime", [], dateTime, (date: DateTime) => date],
  ["ToLocalTime", [], dateTime, (date: DateTime) => date],
  ["ToUnixTimeSeconds", [], int64, (date: DateTime) => BigInt(Math.floor(date.ms / 1000))],
  ["ToUnixTimeMilliseconds", [], int64, (date: DateTime) => BigInt(Math.floor(date.ms))],
  ["ToOADate", [], double, (date: DateTime) => (date.ms - firstSerialDay) / day],
  ["ToShortDateString", [], string, (date: DateTime) => dateText(date.ms, "d")],
  ["ToLongDateString", [], string, (date: DateTime) => dateText(date.ms, "D")],
  ["ToShortTimeString", [], string, (date: DateTime) => dateText(date.ms, "t")],
  ["ToLongTimeString", [], string, (date: DateTime) => dateText(date.ms, "T")],
  ["CompareTo", [dateTime], int32, compareMs],
  ["Equals", [dateTime], boolean, (a: DateTime, b: DateTime) => a.ms === b.ms],
]);

export const spanMethods: MethodTable = methodTable([
  ["Add", [timeSpan], timeSpan, (a: TimeSpan, b: TimeSpan) => TimeSpan.of(a.ms + b.ms)],
  ["Subtract", [timeSpan], timeSpan, (a: TimeSpan, b: TimeSpan) => TimeSpan.of(a.ms - b.ms)],
  ["Duration", [], timeSpan, (span: TimeSpan) => TimeSpan.of(Math.abs(span.ms))],
  ["Multiply", [double], timeSpan, (span: TimeSpan, by: number) => TimeSpan.of(span.ms * by)],
  ["Divide", [double], timeSpan, (span: TimeSpan, by: number) => TimeSpan.of(span.ms / by)],
  ["Divide", [timeSpan], double, (span: TimeSpan, by: TimeSpan) => span.ms / by.ms],
  ["Negate", [], timeSpan, (span: TimeSpan) => TimeSpan.of(-span.ms)],
  ["CompareTo", [timeSpan], int32, compareMs],
  ["Equals", [timeSpan], boolean, (a: TimeSpan, b: TimeSpan) => a.ms === b.ms],
]);

/** `DateTime(2026, 1, 2)` and longer. */
export const dateFromParts = (parts: readonly number[]): DateTime | undefined => DateTime.fromParts(parts);

/** `TimeSpan(h, m, s)`, `TimeSpan(d, h, m, s[, ms])`. */
export const spanFromParts = (parts: readonly number[]): TimeSpan => {
  const [days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0] = parts.length === 3 ? [0, ...parts] : parts;
  return TimeSpan.of(days * day + hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + ms);
};
