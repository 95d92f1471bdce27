/** What the page of checks shows: a row for each service, and one for each check that a service makes of itself. What does not work comes first. Pure. */
import type { ServiceStatus } from "../api/kernel.ts";

export interface CheckRow {
  readonly key: string;
  readonly service: string;
  readonly check: string;
  readonly result: "failed" | "warning" | "ok" | "unknown";
  readonly detail: string;
  /** Empty where nothing is to be done. */
  readonly fix: string;
}

/** What a service reports of itself, or why it cannot be asked. */
export interface ServiceDetails {
  readonly service: string;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly problem?: string | undefined;
}

const order: readonly CheckRow["result"][] = ["failed", "warning", "unknown", "ok"];

export const doctorRows = (
  services: readonly ServiceStatus[],
  details: readonly ServiceDetails[],
): readonly CheckRow[] => {
  const rows = services.flatMap((status) => [
    statusRow(status),
    ...details.filter(({ service }) => service === status.id).flatMap(detailRows),
  ]);
  return order.flatMap((result) => rows.filter((row) => row.result === result));
};

export const statusRow = ({ id, state, degraded, waitsFor, nextStartAt }: ServiceStatus): CheckRow => {
  const row = { key: id, service: id, check: "state" } as const;
  const restart = `see its log, then restart it: fairlead services restart ${id}`;
  if (degraded !== null) return { ...row, result: "warning", detail: degraded.why, fix: degraded.fix };
  if (state === "Ready") return { ...row, result: "ok", detail: "ready", fix: "" };
  if (state === "Backoff") {
    const when = nextStartAt === null ? "" : ` at ${nextStartAt}`;
    return { ...row, result: "failed", detail: `it failed and is started again by itself${when}`, fix: restart };
  }
  if (state === "Starting")
    return { ...row, result: "unknown", detail: waitsFor === null ? "starting" : `waits for ${waitsFor}`, fix: "" };
  if (state === "Draining") return { ...row, result: "unknown", detail: "finishes its calls and stops", fix: "" };
  return {
    ...row,
    result: "failed",
    detail: state === "Failed" ? "failed too often and stays down" : "stopped",
    fix: restart,
  };
};

const detailRows = ({ service, details, problem }: ServiceDetails): readonly CheckRow[] => {
  if (problem !== undefined) {
    const row = { key: `${service} info`, service, check: "what it reports" } as const;
    return [{ ...row, result: "unknown", detail: problem, fix: "" }];
  }
  const checks: unknown = details?.checks;
  return Array.isArray(checks) ? checks.flatMap((each, index) => selfRow(service, each, index)) : [];
};

/** One of `details.checks`, as the kernel makes them; what is none is left out. */
const selfRow = (service: string, check: unknown, index: number): readonly CheckRow[] => {
  if (typeof check !== "object" || check === null) return [];
  const { name, ok, detail, fix }: { name?: unknown; ok?: unknown; detail?: unknown; fix?: unknown } = check;
  if (typeof name !== "string" || typeof ok !== "boolean") return [];
  return [
    {
      key: `${service} ${index} ${name}`,
      service,
      check: name,
      result: ok ? "ok" : "warning",
      detail: typeof detail === "string" ? detail : "",
      fix: typeof fix === "string" ? fix : "",
    },
  ];
};
