/** Dates and spans by .NET's format strings, in its invariant culture. */
import { fault, type LinqError } from "../core/error.ts";

const months = "January February March April May June July August September October November December".split(" ");
const days = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

const standardDates: Readonly<Record<string, string>> = {
  d: "MM/dd/yyyy",
  D: "dddd, dd MMMM yyyy",
  t: "HH:mm",
  T: "HH:mm:ss",
  f: "dddd, dd MMMM yyyy HH:mm",
  F: "dddd, dd MMMM yyyy HH:mm:ss",
  g: "MM/dd/yyyy HH:mm",
  G: "MM/dd/yyyy HH:mm:ss",
  m: "MMMM dd",
  M: "MMMM dd",
  o: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffff",
  O: "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffff",
  r: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  R: "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
  s: "yyyy'-'MM'-'dd'T'HH':'mm':'ss",
  u: "yyyy'-'MM'-'dd HH':'mm':'ss'Z'",
  U: "dddd, dd MMMM yyyy HH:mm:ss",
  y: "yyyy MMMM",
  Y: "yyyy MMMM",
};

const bad = (format: string, example: string): LinqError =>
  fault("bad_format", `'${format.slice(0, 40)}' is not a format of this value`, `like ${example}`);

const padded = (value: number, width: number): string => String(value).padStart(width, "0");

type TimePattern = (run: string) => string;

/** Each run of one letter by its part; quoted and escaped text as it is. */
const written = (format: string, parts: Readonly<Record<string, TimePattern>>): string =>
  format.replaceAll(/'([^']*)'|"([^"]*)"|\\([\s\S])|([A-Za-z])\4*/g, (run, single, double, escaped, letter) => {
    const text: string | undefined = single ?? double ?? escaped;
    if (text !== undefined) return text;
    return Object.hasOwn(parts, letter) ? (parts[letter]?.(run) ?? run) : run;
  });

/** Seven digits are the most that .NET has. */
const fraction =
  (ms: number, trims: boolean): TimePattern =>
  (run) => {
    const text = `${padded(Math.floor(ms), 3)}0000`.slice(0, run.length);
    return trims ? text.replace(/(?<!0)0+$/, "") : text;
  };

/** A date of milliseconds since 1970, in UTC. */
export const dateText = (ms: number, format: string): string => {
  const single = format.length === 1 ? standardDates[format] : format.replace(/^%/, "");
  if (single === undefined || single === "") throw bad(format, '"yyyy-MM-dd HH:mm", "d" and "s"');
  const at = new Date(ms);
  const hour = at.getUTCHours();
  const month = at.getUTCMonth();
  return written(single, {
    y: (run) =>
      run.length <= 2 ? padded(at.getUTCFullYear() % 100, run.length) : padded(at.getUTCFullYear(), run.length),
    M: (run) => named(run, months[month] ?? "", month + 1),
    d: (run) => named(run, days[at.getUTCDay()] ?? "", at.getUTCDate()),
    H: (run) => padded(hour, Math.min(run.length, 2)),
    h: (run) => padded(hour % 12 === 0 ? 12 : hour % 12, Math.min(run.length, 2)),
    m: (run) => padded(at.getUTCMinutes(), Math.min(run.length, 2)),
    s: (run) => padded(at.getUTCSeconds(), Math.min(run.length, 2)),
    f: fraction(at.getUTCMilliseconds(), false),
    F: fraction(at.getUTCMilliseconds(), true),
    t: (run) => (hour < 12 ? "AM" : "PM").slice(0, run.length),
    g: () => "A.D.",
    K: () => "",
    z: (run) => (run.length < 3 ? `+${padded(0, run.length)}` : "+00:00"),
  });
};

const named = (run: string, name: string, number: number): string =>
  run.length <= 2 ? padded(number, run.length) : run.length === 3 ? name.slice(0, 3) : name;

/** A span of milliseconds; `plain` is its constant format. The sign is not written by pictures, as in .NET. */
export const spanText = (ms: number, format: string, plain: string): string => {
  const size = Math.abs(ms);
  const day = Math.floor(size / 86_400_000);
  const sign = ms < 0 ? "-" : "";
  const two = (unit: number, of: number): number => Math.floor(size / unit) % of;
  const clock = `:${padded(two(60_000, 60), 2)}:${padded(two(1000, 60), 2)}`;
  const hours = two(3_600_000, 24);
  if (["c", "t", "T"].includes(format)) return plain;
  if (format === "g") {
    const rest = fraction(size % 1000, true)("FFFFFFF");
    return `${sign}${day === 0 ? "" : `${day}:`}${hours}${clock}${rest === "" ? "" : `.${rest}`}`;
  }
  if (format === "G") return `${sign}${day}:${padded(hours, 2)}${clock}.${fraction(size % 1000, false)("fffffff")}`;
  if (format.length === 1) throw bad(format, '"c", "g", or "hh\\\\:mm"');
  return written(format.replace(/^%/, ""), {
    d: (run) => padded(day, run.length),
    h: (run) => padded(hours, Math.min(run.length, 2)),
    m: (run) => padded(two(60_000, 60), Math.min(run.length, 2)),
    s: (run) => padded(two(1000, 60), Math.min(run.length, 2)),
    f: fraction(size % 1000, false),
    F: fraction(size % 1000, true),
  });
};
