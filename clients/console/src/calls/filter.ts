/**
 * The filter of the list of calls: `svc:rules status:error dur:>50ms attack`. Words without a key are looked for in the procedure's name and the
 * caller's; all parts have to fit. Pure.
 */
import type { LiveEvent } from "../api/live.ts";

type Test = (event: LiveEvent) => boolean;

interface ParsedFilter {
  readonly fits: Test;
  /** What could not be read of it, for people. */
  readonly problems: readonly string[];
}

const units: Readonly<Record<string, number>> = { "": 1, ms: 1, s: 1_000, m: 60_000 };

const text = (value: unknown): string => String(value ?? "").toLowerCase();

const contains =
  (read: (event: LiveEvent) => unknown) =>
  (value: string): Test =>
  (event) =>
    text(read(event)).includes(value);

const keys: Readonly<Record<string, (value: string) => Test | string>> = {
  svc: contains(({ service }) => service),
  proc: contains(({ data }) => data.procedure),
  by: contains(({ data }) => data.principal),
  via: contains(({ data }) => data.transport),
  reason: contains(({ data }) => data.reason),
  trace: contains(({ data }) => data.traceId),
  status: (value) => (event) => {
    const outcome = text(event.data.outcome);
    return value === "error" ? outcome !== "ok" : outcome.includes(value);
  },
  dur: (value) => {
    const [, sign = "", digits = "", unit = ""] = /^([<>]?)(\d{1,9}(?:\.\d{1,3})?)(ms|s|m)?$/.exec(value) ?? [];
    if (digits === "") return "dur: takes a duration, like dur:>50ms";
    const limit = Number(digits) * (units[unit] ?? 1);
    return ({ data }) => {
      const ms = Number(data.milliseconds);
      return sign === "<" ? ms < limit : ms >= limit;
    };
  },
};

export const parseFilter = (filter: string): ParsedFilter => {
  const tests: Test[] = [];
  const problems: string[] = [];
  for (const part of filter.toLowerCase().split(/\s+/)) {
    if (part === "") continue;
    const colon = part.indexOf(":");
    const key = colon === -1 ? undefined : part.slice(0, colon);
    if (key === undefined) {
      tests.push(({ data }) => `${text(data.procedure)} ${text(data.principal)}`.includes(part));
      continue;
    }
    const make = Object.hasOwn(keys, key) ? keys[key] : undefined;
    const made =
      make === undefined
        ? `there is no ${key}:; there are ${Object.keys(keys).join(", ")}`
        : make(part.slice(colon + 1));
    if (typeof made === "string") problems.push(made);
    else tests.push(made);
  }
  return { fits: (event) => tests.every((test) => test(event)), problems };
};
