/**
 * What `fairlead top` draws: whether all is well, each service, and the busiest procedures, in as many lines as there is room for. Pure. Texts of
 * services lose what could move the cursor.
 */
import { cleanText } from "@fairlead/contracts";
import type { ServiceStatus } from "../kernel/kernel-client.ts";
import type { Size } from "../terminal/io.ts";
import { table } from "../terminal/table.ts";
import type { KernelFigures, ProcedureFigures } from "./figures.ts";

/** Lines that whoever draws needs for itself: the latest events, and what is around them. */
export const linesBelow = 11;

const own = "kernel.";

export const drawTop = (figures: KernelFigures, { columns, rows }: Size, now: number): string => {
  const room = Math.max(6, rows - linesBelow);
  const services = serviceLines(figures, now);
  const procedures = procedureLines(figures.procedures);
  // Services come first; what they leave is for procedures.
  const forServices = Math.max(3, Math.min(services.length, room - Math.min(procedures.length, 6) - 4));
  const forProcedures = Math.max(0, room - forServices - 4);
  const lines = [
    headline(figures, now),
    "",
    ...cut(services, forServices),
    "",
    ...(procedures.length > 1 ? cut(procedures, forProcedures) : ["nothing but the kernel itself was called yet"]),
  ];
  return lines.map((line) => line.slice(0, columns)).join("\n");
};

/** So many lines, the last of which says how many are missing. */
const cut = (lines: readonly string[], most: number): readonly string[] =>
  lines.length <= most ? lines : [...lines.slice(0, Math.max(0, most - 1)), `and ${lines.length - most + 1} more`];

const headline = ({ services, process }: KernelFigures, now: number): string => {
  const well = services.filter(({ state, degraded }) => state === "Ready" && degraded === null).length;
  const all =
    well === services.length ? `all ${well} services are ready` : `${well} of ${services.length} services are well`;
  const { rssBytes, cpu, lag, startedAt, pid } = process;
  return [
    `${well === services.length ? "●" : "▲"} ${all}`,
    `up ${age(startedAt, now)}`,
    `pid ${pid}`,
    `CPU ${Math.round(cpu * 100)} %`,
    `memory ${Math.round(rssBytes / 1_000_000)} MB`,
    `lag ${lag === null ? "…" : milliseconds(lag.p99Ms)}`,
  ].join("   ");
};

const serviceLines = ({ services, procedures }: KernelFigures, now: number): readonly string[] =>
  table([
    ["", "SERVICE", "STATE", "FOR", "RESTARTS", "CHILDREN", "CALLS/S", "FAILED", "P99", ""],
    ...services.map((service) => {
      const { calls, failures, p99Ms } = lastMinute(procedures.filter((each) => isCall(each, service.id)));
      return [
        sign(service),
        plain(service.id, 40),
        service.degraded !== null && service.state === "Ready" ? "Degraded" : service.state,
        age(service.since, now),
        String(service.restarts),
        String(service.children.length),
        (calls / 60).toFixed(1),
        calls === 0 ? "" : `${((100 * failures) / calls).toFixed(1)} %`,
        p99Ms === null ? "" : milliseconds(p99Ms),
        why(service, now),
      ];
    }),
  ]).split("\n");

/** A stream ends when its reader leaves, so its duration says nothing of the service. */
const isCall = ({ procedure, kind }: ProcedureFigures, service: string): boolean =>
  kind !== "subscription" && procedure.startsWith(`${service}.`);

const signs: Readonly<Record<string, string>> = { Ready: "●", Failed: "✕", Backoff: "▲", Draining: "▲" };

const sign = ({ state, degraded }: ServiceStatus): string =>
  state === "Ready" && degraded !== null ? "▲" : (signs[state] ?? "○");

const why = ({ degraded, waitsFor, nextStartAt }: ServiceStatus, now: number): string => {
  if (nextStartAt !== null) return `next start in ${duration(Math.max(0, Date.parse(nextStartAt) - now))}`;
  if (waitsFor !== null) return `waits for ${plain(waitsFor, 60)}`;
  return degraded === null ? "" : plain(degraded.why, 120);
};

const procedureLines = (procedures: readonly ProcedureFigures[]): readonly string[] => {
  const busiest = procedures
    .filter(({ procedure, running, waiting, recent }) => {
      const { calls } = lastMinute([{ recent }]);
      return !procedure.startsWith(own) && calls + running + waiting > 0;
    })
    .map((each) => ({ each, minute: lastMinute([each]) }))
    .toSorted((a, b) => b.minute.calls - a.minute.calls || (a.each.procedure < b.each.procedure ? -1 : 1));
  return table([
    ["PROCEDURE OF THE LAST MINUTE", "CALLS", "FAILED", "P50", "P99", "RUNNING", "WAITING"],
    ...busiest.map(({ each: { procedure, running, waiting }, minute: { calls, failures, p50Ms, p99Ms } }) => [
      plain(procedure, 60),
      String(calls),
      String(failures),
      p50Ms === null ? "" : milliseconds(p50Ms),
      p99Ms === null ? "" : milliseconds(p99Ms),
      String(running),
      String(waiting),
    ]),
  ]).split("\n");
};

/** Sums of the last minute; the slowest of each quantile. */
const lastMinute = (procedures: readonly Pick<ProcedureFigures, "recent">[]) => {
  const found = procedures.flatMap(({ recent }) => recent.filter(({ minutes }) => minutes === 1));
  const slowest = (read: (each: (typeof found)[number]) => number | null): number | null =>
    found.reduce<number | null>((most, each) => {
      const value = read(each);
      return value === null ? most : Math.max(most ?? 0, value);
    }, null);
  return {
    calls: found.reduce((sum, { calls }) => sum + calls, 0),
    failures: found.reduce((sum, { failures }) => sum + failures, 0),
    p50Ms: slowest(({ p50Ms }) => p50Ms),
    p99Ms: slowest(({ p99Ms }) => p99Ms),
  };
};

/** A text of others on one line, and nothing in it that a terminal would obey. */
export const plain = (text: string, most: number): string => cleanText(text, most).replace(/[\n\t]/g, " ");

const age = (since: string, now: number): string => duration(Math.max(0, now - Date.parse(since)));

const duration = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  const hours = Math.floor(seconds / 3_600);
  return hours < 48 ? `${hours} h ${Math.floor((seconds % 3_600) / 60)} min` : `${Math.floor(hours / 24)} d`;
};

const milliseconds = (ms: number): string =>
  ms < 10 ? `${ms.toFixed(1)} ms` : ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
