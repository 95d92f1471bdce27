/** The statics of dates, times and time spans. */
import { fault } from "../core/error.ts";
import type { HostAccess } from "../type/host.ts";
import { boolean, dateTime, double, int32, int64, scalar, timeSpan } from "../type/type.ts";
import { DateOnly, TimeOnly } from "../value/calendar.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { type MethodRow, methodTable } from "./method.ts";
import { parsing } from "./number-static.ts";
import { propertyTable } from "./property.ts";
import type { StaticMembers } from "./statics.ts";

const daysInMonth = (year: number, month: number): number => {
  const first = DateTime.fromParts([year, month, 1]);
  if (first === undefined) throw fault("out_of_range", "Year or month is out of range");
  const last = new Date(first.ms);
  last.setUTCMonth(month, 0);
  return last.getUTCDate();
};

const spanFrom = (name: string, ms: number): MethodRow => [
  `From${name}`,
  [double],
  timeSpan,
  (value: number) => TimeSpan.of(value * ms),
];

const now = (host: HostAccess): DateTime => DateTime.of(host.now());

export const dateTimeStatics = (host: HostAccess): StaticMembers => ({
  properties: propertyTable([
    ["Now", dateTime, () => now(host)],
    ["UtcNow", dateTime, () => now(host)],
    ["Today", dateTime, () => now(host).date()],
    ["MinValue", dateTime, () => DateTime.fromParts([1, 1, 1])],
    ["MaxValue", dateTime, () => DateTime.fromParts([9999, 12, 31, 23, 59, 59, 999])],
    ["UnixEpoch", dateTime, () => DateTime.of(0)],
  ]),
  methods: methodTable([
    parsing("DateTime"),
    ["Compare", [dateTime, dateTime], int32, (a: DateTime, b: DateTime) => Math.sign(a.ms - b.ms)],
    ["FromUnixTimeSeconds", [int64], dateTime, (seconds: bigint) => DateTime.of(Number(seconds) * 1000)],
    ["FromUnixTimeMilliseconds", [int64], dateTime, (ms: bigint) => DateTime.of(Number(ms))],
    ["DaysInMonth", [int32, int32], int32, daysInMonth],
    ["IsLeapYear", [int32], boolean, (year: number) => daysInMonth(year, 2) === 29],
  ]),
});

export const timeSpanStatics: StaticMembers = {
  properties: propertyTable([
    ["Zero", timeSpan, () => TimeSpan.of(0)],
    ["TicksPerDay", int64, () => 864_000_000_000n],
    ["TicksPerHour", int64, () => 36_000_000_000n],
    ["TicksPerMinute", int64, () => 600_000_000n],
    ["TicksPerSecond", int64, () => 10_000_000n],
    ["TicksPerMillisecond", int64, () => 10_000n],
  ]),
  methods: methodTable([
    parsing("TimeSpan"),
    spanFrom("Days", 86_400_000),
    spanFrom("Hours", 3_600_000),
    spanFrom("Minutes", 60_000),
    spanFrom("Seconds", 1000),
    spanFrom("Milliseconds", 1),
    ["FromTicks", [int64], timeSpan, (ticks: bigint) => TimeSpan.of(Number(ticks) / 10_000)],
    ["Compare", [timeSpan, timeSpan], int32, (a: TimeSpan, b: TimeSpan) => Math.sign(a.ms - b.ms)],
  ]),
};

export const dateOnlyStatics: StaticMembers = {
  properties: propertyTable([
    ["MinValue", scalar("DateOnly"), () => DateOnly.parse("0001-01-01")],
    ["MaxValue", scalar("DateOnly"), () => DateOnly.parse("9999-12-31")],
  ]),
  methods: methodTable([
    parsing("DateOnly"),
    ["FromDateTime", [dateTime], scalar("DateOnly"), (date: DateTime) => DateOnly.of(date)],
    [
      "FromDayNumber",
      [int32],
      scalar("DateOnly"),
      (days: number) => DateOnly.of(DateTime.of((DateTime.fromParts([1, 1, 1])?.ms ?? 0) + days * 86_400_000)),
    ],
  ]),
};

export const timeOnlyStatics: StaticMembers = {
  properties: propertyTable([
    ["MinValue", scalar("TimeOnly"), () => TimeOnly.of(0)],
    ["MaxValue", scalar("TimeOnly"), () => TimeOnly.of(86_399_999)],
  ]),
  methods: methodTable([
    parsing("TimeOnly"),
    ["FromDateTime", [dateTime], scalar("TimeOnly"), (date: DateTime) => TimeOnly.of(date.ms - date.date().ms)],
  ]),
};
